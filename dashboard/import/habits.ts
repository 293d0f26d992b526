import { type CellWays, compileFromText } from '../../fields/as-text/from-text.ts';
import { dateOrder } from '../../fields/as-text/written-dates.ts';
import { type DecimalSign, decimalSignIn } from '../../fields/as-text/written-numbers.ts';
import { isOn } from '../../fields/block-options/options.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import type { SourceTable } from './read-table.ts';
import { CREATED_AT, isOfOdk, isOwnExport, type Target } from './targets.ts';

/** How a file writes dates and numbers that are ambiguous. */
export interface Habits {
  /** `day` or `month` first, by index of the columns that tell. */
  dates: ReadonlyMap<number, 'day' | 'month'>;
  /** Decimal signs, by index of the columns that tell. */
  signs: ReadonlyMap<number, DecimalSign>;
  /** Only the user can tell the order of some dates. */
  areDatesOpen: boolean;
  /** A number whose sign only the user can tell; null if there is none. */
  openNumber: string | null;
  /** The separator of lists, if the program uses only one. */
  between: CellWays['between'];
}

/** What the values of one column show about how the file is written. */
interface Telling<Way> {
  index: number;
  told: ReadonlySet<Way | 'either'>;
}

/**
 * The habits shown by the matched columns. Each is judged alone, since columns may come from different countries; one that shows
 * nothing, or contradicts itself, follows the others.
 */
export function habitsOf(
  table: Pick<SourceTable, 'rows' | 'columns' | 'heads' | 'reading'>,
  matched: readonly string[],
  targets: readonly Target[],
): Habits {
  // Numbers of workbooks and of our own exports always have a point.
  const isOwn = isOwnExport(table);
  const isExact = table.reading.of === 'workbook' || isOwn;
  const byKey = new Map(targets.map((target) => [target.key, target]));
  const dates: Telling<'day' | 'month'>[] = [];
  const signs: Telling<DecimalSign>[] = [];
  const examples = new Map<number, string>();
  matched.forEach((key, index) => {
    const target = byKey.get(key);
    if (!target) return;
    const orders = new Set<'day' | 'month' | 'either'>();
    const marks = new Set<DecimalSign | 'either'>();
    const listen = listenerTo(target, {
      onDate(text) {
        const order = dateOrder(text);
        if (order) orders.add(order);
      },
      onNumber(text) {
        const sign = decimalSignIn(text);
        if (sign === null || (sign === 'either' && isExact)) return;
        marks.add(sign);
        if (sign === 'either' && !examples.has(index)) examples.set(index, text.trim());
      },
    });
    if (listen) for (const { cells } of table.rows) listen(cells[index] ?? '');
    if (orders.size > 0) dates.push({ index, told: orders });
    if (marks.size > 0) signs.push({ index, told: marks });
  });
  const order = settled(dates, 'day', 'month');
  const sign = settled(signs, ',', '.');
  const [first] = sign.open;
  return {
    dates: order.own,
    signs: sign.own,
    areDatesOpen: order.open.length > 0,
    openNumber: first === undefined ? null : (examples.get(first) ?? null),
    between: isOwn ? 'exported' : betweenItems(table),
  };
}

function betweenItems({ columns, heads }: Pick<SourceTable, 'columns' | 'heads'>): Habits['between'] {
  if (isOfOdk(columns)) return 'blanks';
  return heads === 'variables-and-questions' ? 'commas' : undefined;
}

/** @returns the way of each column that has one, and the columns for which the user has to choose */
function settled<Way>(
  columns: readonly Telling<Way>[],
  one: Way,
  other: Way,
): { own: Map<number, Way>; open: number[] } {
  /** Null if both are told, or neither. */
  const toldAlone = (isTold: (way: Way) => boolean) =>
    isTold(one) === isTold(other) ? null : isTold(one) ? one : other;
  const common = toldAlone((way) => columns.some(({ told }) => told.has(way)));
  const own = new Map<number, Way>();
  const open: number[] = [];
  for (const { index, told } of columns) {
    const way = toldAlone((each) => told.has(each)) ?? common;
    if (way !== null) own.set(index, way);
    else if (told.has('either')) open.push(index);
  }
  return { own, open };
}

interface Listener {
  onDate(text: string): void;
  onNumber(text: string): void;
}

/** Returns a function that reports the dates and numbers of a cell; null if the target has none. */
function listenerTo({ key, property }: Target, listener: Listener): ((cell: string) => void) | null {
  if (key === CREATED_AT) return listener.onDate;
  if (!property) return null;
  const { csvKind } = fieldTypeOf(property.type);
  if (csvKind === 'number') return listener.onNumber;
  if (csvKind === 'date' && !isOn(property.date_range)) return listener.onDate;
  if (csvKind !== 'date' && csvKind !== 'entries') return null;
  return compileFromText(property, { dayFirst: true, ...listener });
}
