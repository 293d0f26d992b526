import { presentAuditEvent } from '../audit/present-event.ts';
import { findAuditEvents } from '../audit/queries.ts';
import { parseId } from '../http/ids.ts';
import { readMoment } from '../http/moments.ts';
import { type CommandIo, UsageError } from './command.ts';
import { oneLine } from './one-line.ts';
import { withDatabase } from './open-database.ts';
import { readOptions } from './options.ts';

export const USAGE =
  'audit [--workspace ID] [--form ID] [--user ID] [--verb V] [--since T] [--until T] [--before ID] [--limit N] [--json]';
export const SUMMARY = 'print who did what, the latest first';
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
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;
const COLUMNS = ['id', 'when', 'who', 'from', 'what', 'workspace', 'form', 'of', 'details'];

type Event = ReturnType<typeof presentAuditEvent>;

/** Prints the audit log, the latest first: one line per event, tabs between the columns, or one JSON object each. */
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
    limit: Math.min(id('limit', values.limit) ?? DEFAULT_LIMIT, MAX_LIMIT),
  };
  const events = (await withDatabase((db) => findAuditEvents(db, filter))).map(presentAuditEvent);
  if (values.json) for (const event of events) io.out(JSON.stringify(event));
  else for (const cells of [COLUMNS, ...events.map(cellsOf)]) io.out(cells.map(oneLine).join('\t'));
  return 0;
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
