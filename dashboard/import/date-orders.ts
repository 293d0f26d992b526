import { fieldTypeOf } from '../../fields/field-types.ts';
import { compileFromText } from '../../fields/from-text.ts';
import { isOn } from '../../fields/options.ts';
import { dateOrder } from '../../fields/written-dates.ts';
import type { SourceTable } from './read-table.ts';
import { CREATED_AT, type Target } from './targets.ts';

/** In which order the dates of a file have day and month. */
export interface DateOrders {
  /** Whether the day comes first, by the places of the columns that tell it. */
  dayFirst: ReadonlyMap<number, boolean>;
  /** Only somebody who knows can say it of some dates. */
  isOpen: boolean;
}

/** What the matched columns tell: each for itself, as two may have been written in two countries; one that tells nothing is as the others. */
export function ordersOfDates(
  { rows }: Pick<SourceTable, 'rows'>,
  matched: readonly string[],
  targets: readonly Target[],
): DateOrders {
  const byKey = new Map(targets.map((target) => [target.key, target]));
  const columns = matched.flatMap((key, index) => {
    const target = byKey.get(key);
    if (!target) return [];
    const told = new Set<'day' | 'month' | 'either'>();
    const listen = listenerTo(target, (text) => {
      const order = dateOrder(text);
      if (order) told.add(order);
    });
    if (listen) for (const { cells } of rows) listen(cells[index] ?? '');
    return told.size > 0 ? [{ index, told }] : [];
  });
  const isAll = (order: 'day' | 'month') => {
    const other = order === 'day' ? 'month' : 'day';
    return columns.some(({ told }) => told.has(order)) && !columns.some(({ told }) => told.has(other));
  };
  const common = isAll('day') ? 'day' : isAll('month') ? 'month' : null;
  const dayFirst = new Map<number, boolean>();
  let isOpen = false;
  for (const { index, told } of columns) {
    const own = told.has('day') === told.has('month') ? common : told.has('day') ? 'day' : 'month';
    if (own) dayFirst.set(index, own === 'day');
    else isOpen ||= told.has('either');
  }
  return { dayFirst, isOpen };
}

/** Hears of every date in a cell; null where there are none. */
function listenerTo({ key, property }: Target, onDate: (text: string) => void) {
  if (key === CREATED_AT) return onDate;
  if (!property) return null;
  const { csvKind } = fieldTypeOf(property.type);
  if (csvKind === 'date' && !isOn(property.date_range)) return onDate;
  if (csvKind !== 'date' && csvKind !== 'entries') return null;
  return compileFromText(property, { dayFirst: true, onDate });
}
