import { presentAuditEvent } from '../audit/present-event.ts';
import { type AuditFilter, findAuditEvents } from '../audit/queries.ts';
import type { Db } from '../db/database.ts';
import { parseId } from '../http/schemas/ids.ts';
import { readMoment } from '../http/schemas/moments.ts';
import { type CommandIo, UsageError } from './command.ts';
import { oneLine } from './one-line.ts';
import { withDatabase } from './open-database.ts';
import { readOptions } from './options.ts';
import { USAGES } from './usages.ts';

const USAGE = USAGES.audit.usage;
const OPTIONS = {
  workspace: { type: 'string' },
  form: { type: 'string' },
  user: { type: 'string' },
  verb: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  before: { type: 'string' },
  limit: { type: 'string' },
  json: { type: 'boolean' },
} as const;
/** No limit with a beginning: whoever copies the log since then wants all of it. */
const DEFAULT_LIMIT = 100;
/** Events read and printed at a time, so that years of them need little memory. */
const PAGE = 1_000;
const COLUMNS = ['id', 'when', 'who', 'from', 'what', 'workspace', 'form', 'of', 'details'];

type Event = ReturnType<typeof presentAuditEvent>;

/** Prints the audit log, latest first: one line per event with tabs between columns, or one JSON object each. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values } = readOptions(args, OPTIONS, USAGE);
  const filter = {
    workspaceId: id('workspace', values.workspace),
    formId: id('form', values.form),
    userId: id('user', values.user),
    verb: values.verb,
    since: moment('since', values.since),
    until: moment('until', values.until),
    before: id('before', values.before),
  };
  const all = values.since === undefined ? DEFAULT_LIMIT : Number.POSITIVE_INFINITY;
  const limit = id('limit', values.limit) ?? all;
  const printLine = (cells: (string | number)[]) => io.out(cells.map(oneLine).join('\t'));
  if (!values.json) printLine(COLUMNS);
  await withDatabase(async (db) => {
    for await (const event of eventsOf(db, filter, limit))
      if (values.json) io.out(JSON.stringify(event));
      else printLine(cellsOf(event));
  });
  return 0;
}

async function* eventsOf(db: Db, filter: Omit<AuditFilter, 'limit'>, limit: number): AsyncGenerator<Event> {
  let { before } = filter;
  for (let left = limit; left > 0; left -= PAGE) {
    const rows = await findAuditEvents(db, { ...filter, before, limit: Math.min(left, PAGE) });
    yield* rows.map(presentAuditEvent);
    before = rows.at(-1)?.id;
    if (rows.length < PAGE) return;
  }
}

function cellsOf(event: Event): (string | number)[] {
  const { actor, workspace, form, target } = event;
  const person = named(actor.user_name, actor.user_id);
  return [
    event.id,
    event.created_at,
    actor.kind === 'token'
      ? `${person} by token ${named(actor.token_name, actor.token_id)}`
      : person || actor.kind,
    actor.network ?? '',
    event.verb,
    named(workspace.name, workspace.id),
    form ? named(form.title, form.id) : '',
    target ? named(target.name, target.id) : '',
    JSON.stringify(event.details),
  ];
}

/** `Ada (7)` */
function named(name: string | null, number: number | null): string {
  if (number === null) return name ?? '';
  return name === null ? `(${number})` : `${name} (${number})`;
}

function id(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = parseId(text);
  if (number === null) throw new UsageError(`--${name} takes a whole number.\nUsage: formstead ${USAGE}`);
  return number;
}

function moment(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const read = readMoment(text);
  if (!read) throw new UsageError(`--${name} takes an ISO 8601 time.\nUsage: formstead ${USAGE}`);
  return read;
}
