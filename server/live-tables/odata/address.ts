import { HttpError } from '../../http/errors.ts';
import type { EntityProperty, EntitySet } from './entity-types.ts';
import type { Condition } from './filter.ts';
import { readLiteral } from './literals.ts';
import { badRequest } from './problems.ts';

/** `Submissions`, or `Submissions(5)` for one of them. */
const SEGMENT = /^([^()]+)(?:\(([^()]*)\))?$/;

/** What a part of an address names: a set, or one entity of it. */
export interface Addressed {
  set: EntitySet;
  /** null for the whole set. */
  key: Condition | null;
}

/** @throws HttpError 404 without such a set, 400 for a key that it does not have */
export function addressedIn(sets: readonly EntitySet[], segment: string): Addressed {
  const [, name, key] = SEGMENT.exec(segment) ?? [];
  const set = sets.find((one) => one.name === name);
  if (!set) throw new HttpError(404, 'The form has no such entity set.');
  return { set, key: key === undefined ? null : keyCondition(set, key) };
}

/** `5`, or each key by its name: `submission_id=5,position=1`. */
function keyCondition(set: EntitySet, text: string): Condition {
  const parts = text.split(',').map((part) => part.split('='));
  const names = parts.map(([name = '', value]) => (value === undefined ? set.keys[0] : name.trim()));
  const isComplete = parts.length === set.keys.length && set.keys.every((key) => names.includes(key));
  const isShort = parts[0]?.length === 1;
  if (!isComplete || (isShort && set.keys.length > 1) || parts.some(({ length }) => length > 2))
    throw badRequest(`An entity of ${set.name} is named by ${set.keys.join(' and ')}.`);
  const of = parts.map((part, index) => equals(propertyOf(set, names[index]), part.at(-1)?.trim() ?? ''));
  return { is: 'and', of };
}

function propertyOf({ properties, name }: EntitySet, key: string | undefined): EntityProperty {
  const property = properties.find((one) => one.name === key);
  if (!property) throw new Error(`${name} has a key that is no property.`);
  return property;
}

function equals(property: EntityProperty, token: string): Condition {
  const { comparedAs: as, name } = property;
  const value = readLiteral(token, property);
  if (as === null || value === null) throw badRequest(`The key ${name} needs a value.`);
  return { is: 'compared', as, operator: 'eq', value };
}
