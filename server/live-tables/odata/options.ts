import { isMomentText } from '../../submissions/lists/cursor.ts';
import type { EntityProperty, EntitySet } from './entity-types.ts';
import { type Condition, readFilter } from './filter.ts';
import { badRequest, notImplemented } from './problems.ts';
import type { EntityOrder, EntityPlace } from './queries.ts';

/** The query of a request, as far as it has one. */
export type Query = Record<string, unknown>;

/** What a client asks for of a set. */
export interface Options {
  /** Indexes of the wanted properties in the set; null for all. */
  select: readonly number[] | null;
  condition: Condition | null;
  order: EntityOrder;
  /** null for all. */
  top: number | null;
  skip: number;
  isCounted: boolean;
  /** null for the beginning. */
  after: EntityPlace | null;
}

/** Options of OData that this service does not have. */
const UNSUPPORTED = ['$apply', '$compute', '$deltatoken', '$expand', '$id', '$index', '$levels', '$search'];
const LISTED = [
  '$select',
  '$filter',
  '$orderby',
  '$top',
  '$skip',
  '$count',
  '$skiptoken',
  '$format',
] as const;
type OptionName = (typeof LISTED)[number];
/** Entities are skipped one by one; a next link knows where it goes on. */
const MAX_SKIP = 100_000;
/** Between the parts of a `$skiptoken`. */
const BETWEEN = '~';
const KEY = /^\d{1,16}$/;

/**
 * Refuses what would otherwise be ignored.
 * @param allowed the options of this address
 * @throws HttpError 400, or 501 for options that OData has and this service does not
 */
export function refuseOthers(query: Query, allowed: readonly OptionName[]): void {
  for (const name of Object.keys(query)) {
    if (UNSUPPORTED.includes(name)) throw notImplemented(`The option ${name} is not supported.`);
    if (name.startsWith('@')) throw notImplemented('Parameter aliases are not supported.');
    if ((allowed as readonly string[]).includes(name)) continue;
    throw badRequest(`This address takes the options ${allowed.join(', ')} only.`);
  }
}

/** @throws HttpError 400, or 501 for what OData has and this service does not */
export function readOptions(query: Query, set: EntitySet): Options {
  refuseOthers(query, LISTED);
  const filter = optionIn(query, '$filter');
  const condition = filter === null ? null : readFilter(filter, set);
  const order = readOrder(optionIn(query, '$orderby'), set) ?? usualOrder(condition, set);
  return {
    select: readSelect(optionIn(query, '$select'), set),
    condition,
    order,
    top: readNumber(query, '$top', Number.MAX_SAFE_INTEGER),
    skip: readNumber(query, '$skip', MAX_SKIP) ?? 0,
    isCounted: readFlag(query, '$count'),
    after: readPlace(optionIn(query, '$skiptoken'), set, order),
  };
}

/** @throws HttpError 400 for an option without a value */
export function optionIn(query: Query, name: OptionName): string | null {
  const value = query[name];
  if (value === undefined) return null;
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw badRequest(`The option ${name} needs one value.`);
}

/** @returns indexes of the properties, in the order of the set; null for all */
export function readSelect(text: string | null, { name, properties }: EntitySet): readonly number[] | null {
  if (text === null) return null;
  const names = new Set(text.split(',').map((part) => part.trim()));
  if (names.has('*')) return null;
  for (const wanted of names)
    if (!properties.some((property) => property.name === wanted))
      throw wanted.includes('/')
        ? notImplemented('A $select names properties only.')
        : badRequest(`The $select names a property that ${name} does not have.`);
  return properties.flatMap((property, index) => (names.has(property.name) ? [index] : []));
}

function readNumber(query: Query, name: OptionName, most: number): number | null {
  const text = optionIn(query, name);
  if (text === null) return null;
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > most)
    throw badRequest(`The option ${name} is a whole number of at most ${most.toLocaleString('en')}.`);
  return number;
}

function readFlag(query: Query, name: OptionName): boolean {
  const text = optionIn(query, name) ?? 'false';
  if (text !== 'true' && text !== 'false') throw badRequest(`The option ${name} is true or false.`);
  return text === 'true';
}

/**
 * Submissions are sorted by number or time, entries by the number of the submission and their own. Keys that follow in the same direction
 * change nothing. null where the client does not mind.
 */
function readOrder(text: string | null, set: EntitySet): EntityOrder | null {
  if (text === null) return null;
  const [first, ...others] = text.split(',').map((item) => readOrderItem(item, set));
  const by = first?.property.comparedAs?.by;
  const isSortable = by === 'id' || (by === 'created_at' && set.entriesOf === null);
  const isKey = ({ property }: OrderItem) => set.keys.includes(property.name);
  if (!first || !isSortable || others.some((item) => !isKey(item) || item.isRising !== first.isRising))
    throw notImplemented(`${set.name} can be sorted by ${sortableIn(set).join(' or ')} only.`);
  return { by, isRising: first.isRising };
}

/** By number; by time where a filter asks for it, as an index leads to the first one then: clients ask for what is new again and again. */
function usualOrder(condition: Condition | null, { entriesOf }: EntitySet): EntityOrder {
  const isByTime = entriesOf === null && comparesTime(condition);
  return { by: isByTime ? 'created_at' : 'id', isRising: true };
}

/** Whether all that is found was created in a certain time. */
function comparesTime(condition: Condition | null): boolean {
  if (condition?.is === 'and') return condition.of.some(comparesTime);
  return condition?.is === 'compared' && condition.as.by === 'created_at';
}

/** Names of the properties by which a set can be sorted. */
export function sortableIn({ properties, entriesOf, keys }: EntitySet): string[] {
  if (entriesOf !== null) return keys.slice(0, 1);
  const sorted = properties.filter(({ comparedAs }) => ['id', 'created_at'].includes(comparedAs?.by ?? ''));
  return sorted.map(({ name }) => name);
}

interface OrderItem {
  property: EntityProperty;
  isRising: boolean;
}

function readOrderItem(text: string, { name, properties }: EntitySet): OrderItem {
  const [word = '', direction = 'asc', ...more] = text.trim().split(/\s+/);
  const property = properties.find((one) => one.name === word);
  if (!property && /[(/]/.test(text)) throw notImplemented('The $orderby names properties only.');
  if (!property) throw badRequest(`The $orderby names a property that ${name} does not have.`);
  if ((direction !== 'asc' && direction !== 'desc') || more.length > 0)
    throw badRequest('In the $orderby, asc or desc may follow the name of a property.');
  return { property, isRising: direction === 'asc' };
}

/** Where a page ends, for its next link. */
export function writePlace({ id, position, moment }: EntityPlace): string {
  return [id, position, ...(moment === null ? [] : [moment])].join(BETWEEN);
}

function readPlace(text: string | null, set: EntitySet, { by }: EntityOrder): EntityPlace | null {
  if (text === null) return null;
  const [id = '', position = '', moment = null, ...more] = text.split(BETWEEN);
  const isMomentGood = by === 'created_at' ? moment !== null && isMomentText(moment) : moment === null;
  if (!KEY.test(id) || !KEY.test(position) || !isMomentGood || more.length > 0)
    throw badRequest(`The $skiptoken is not one of ${set.name} in this order.`);
  return { id: Number(id), position: Number(position), moment };
}
