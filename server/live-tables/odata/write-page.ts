import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { EntityRow, EntitySet } from './entity-types.ts';

/** Values written at a time, which takes some milliseconds; other work of the process can run in between. */
const TURN_VALUES = 5_000;

/** How entities are written. */
export interface Writing {
  set: EntitySet;
  /** Indexes of the wanted properties; null for all. */
  select: readonly number[] | null;
  urlOf(name: string): string;
}

/** What stands around the entities of a page; null where the client does not want it. */
interface PageFrame {
  context: string | null;
  count: number | null;
  nextLink: string | null;
}

/** A page as JSON (OData JSON Format 4.0, 12), written while it is read. */
export function pageStream(
  rows: readonly EntityRow[],
  writing: Writing,
  { context, count, nextLink }: PageFrame,
): Readable {
  const members = createMembers(writing);
  const rowsPerTurn = Math.ceil(TURN_VALUES / writing.set.properties.length);
  async function* chunks() {
    const head = [...annotation('context', context), ...annotation('count', count), '"value":['];
    let text = `{${head.join(',')}`;
    for (const [index, row] of rows.entries()) {
      text += `${index === 0 ? '' : ','}\n{${members(row)}}`;
      if ((index + 1) % rowsPerTurn !== 0) continue;
      yield text;
      text = '';
      await turn();
    }
    yield `${text}\n]${annotation('nextLink', nextLink).map((member) => `,${member}`)}}\n`;
  }
  return Readable.from(chunks());
}

/** A single entity as JSON. @param context null where the client does not want it */
export function entityText(row: EntityRow, writing: Writing, context: string | null): string {
  return `{${[...annotation('context', context), createMembers(writing)(row)].join(',')}}\n`;
}

function annotation(name: string, value: string | number | null): string[] {
  return value === null ? [] : [`"@odata.${name}":${JSON.stringify(value)}`];
}

/** The members of an entity, which are never none. */
function createMembers({ set, select, urlOf }: Writing): (row: EntityRow) => string {
  const wanted = select ?? set.properties.map((_, index) => index);
  const names = set.properties.map(({ name }) => JSON.stringify(name));
  return (row) => {
    const values = set.valuesOf(row, urlOf);
    return wanted.map((index) => `${names[index]}:${JSON.stringify(values[index] ?? null)}`).join(',');
  };
}
