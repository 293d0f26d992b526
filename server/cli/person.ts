import { CLI } from '../audit/actor.ts';
import { type Config, readConfig } from '../config.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { listeningUrl } from '../doctor/addresses.ts';
import { openSecrets } from '../key-rotation/open-secrets.ts';
import { erasePerson } from '../privacy/erase-person.ts';
import { personDocument } from '../privacy/export-person.ts';
import { findPerson } from '../privacy/find-person.ts';
import { type PersonValue, personValue, VALUE_MAX_LENGTH } from '../privacy/person-value.ts';
import { readCursor } from '../privacy/search.ts';
import { listWorkspaceIds } from '../workspaces/queries.ts';
import type { CommandIo } from './command.ts';
import { withDatabase } from './open-database.ts';
import { readOptions, required } from './options.ts';
import { USAGES } from './usages.ts';

const OPTIONS = { value: { type: 'string' } } as const;

/** Descriptions of counters whose names say too little. */
const KINDS: Record<string, string> = { changes: 'submissions that said it before' };

type Parts = Pick<Context, 'db' | 'secrets' | 'baseUrl' | 'config'>;

/** Prints one line per submission that holds the value, in all workspaces. */
export async function find(args: string[], io: CommandIo): Promise<number> {
  await withPerson(USAGES['person find'].usage, args, async (parts, value) => {
    io.out(['workspace', 'form', 'submission', 'status', 'created', 'found in'].join('\t'));
    for (let from = readCursor(undefined); from; ) {
      const page = await findPerson(parts, { workspaceId: null, value }, from);
      for (const submission of page.submissions) {
        const { form, id, status, created_at, found_in, found_earlier_in, found_by_link } = submission;
        const fields = [
          ...found_in,
          ...found_earlier_in.map((field) => `${field} (before it was changed)`),
          ...(found_by_link ? ['(came by the personal link)'] : []),
        ];
        io.out([form.workspace_id, form.slug, id, status, created_at, fields.join(',')].join('\t'));
      }
      if (page.cursor === null) {
        const { drafts, invites, recipients, erasures } = page;
        const lists = `${recipients} places on lists of recipients`;
        io.err(`${drafts} drafts, ${invites} invitations, ${lists}, ${erasures.length} earlier erasures.`);
        return;
      }
      from = readCursor(page.cursor);
    }
  });
  return 0;
}

/** Writes everything stored about a person, in all workspaces, as JSON to standard output. */
export async function exportPerson(args: string[], io: CommandIo): Promise<number> {
  await withPerson(USAGES['person export'].usage, args, async (parts, value) => {
    let line = '';
    for await (const text of personDocument(parts, { workspaceId: null, value })) {
      const lines = (line + text).split('\n');
      line = lines.pop() ?? '';
      for (const whole of lines) io.out(whole);
    }
    if (line !== '') io.out(line);
  });
  return 0;
}

/** Erases a person from all workspaces and prints what was erased. */
export async function erase(args: string[], io: CommandIo): Promise<number> {
  await withPerson(USAGES['person erase'].usage, args, async (parts, value) => {
    let hasErased = false;
    for (const workspaceId of await listWorkspaceIds(parts.db)) {
      const limitMs = Number.POSITIVE_INFINITY;
      const { id, counts } = await erasePerson(parts, { workspaceId, value }, CLI, { limitMs });
      if (id === null) continue;
      hasErased = true;
      const words = Object.entries(counts).flatMap(([kind, count]) =>
        count > 0 ? [`${count} ${KINDS[kind] ?? kind}`] : [],
      );
      io.out(`Workspace ${workspaceId}: ${words.join(', ')} (erasure ${id}).`);
    }
    if (!hasErased) io.out('Nothing was found.');
    else io.err('Backups made before still hold it. Files are removed by a process with the role worker.');
  });
  return 0;
}

async function withPerson(
  usage: string,
  args: string[],
  work: (parts: Parts, value: PersonValue) => Promise<void>,
): Promise<void> {
  const { values } = readOptions(args, OPTIONS, usage);
  const value = personValue(required(values.value, 'value', usage, VALUE_MAX_LENGTH));
  const config = readConfig();
  await withDatabase(async (db: Db) => {
    const secrets = await openSecrets(db, config);
    await work({ db, secrets, config, baseUrl: () => publicAddress(config) }, value);
  });
}

function publicAddress(config: Config): string {
  return config.baseUrl ?? listeningUrl(config)?.origin ?? '';
}
