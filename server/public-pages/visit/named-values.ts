import { isLayoutBlock } from '../../../fields/type-names.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { inOwnLanguage } from '../page/page-language.ts';
import { plainName } from '../posting/posted-body.ts';
import { mayBeAnswer, type PageQuery, prefillOf } from './visit.ts';

/** The parts of an input's name behind that of its field, such as `[0]`. */
const PARTS = /\[.*$/s;

/**
 * An address may call fields by their names, as a post may: the same query with their ids, where exactly one field has that name, and
 * nothing came under its id.
 * @returns null where that changes nothing
 */
export function withIdsForNames(query: PageQuery, form: PublishedForm): PageQuery | null {
  const named = prefillOf(query);
  named.delete('lang');
  if (named.size === 0) return null;
  const fields = inOwnLanguage(form).properties.filter(({ type }) => !isLayoutBlock(type));
  const ids = new Set(fields.map(({ id }) => id));
  const fieldOf = (key: string) => (ids.has(key) ? key : key.replace(PARTS, ''));
  const given = new Set([...named.keys()].map(fieldOf));
  const unknown = new Set([...named.keys()].filter((key) => !ids.has(fieldOf(key))));
  if (unknown.size === 0) return null;
  const byName = Map.groupBy(fields, ({ name }) => plainName(name));
  const idFor = (name: string) => {
    const [field, ...others] = byName.get(plainName(name)) ?? [];
    // An id with a bracket cannot be told from its parts.
    const isCertain =
      field !== undefined && others.length === 0 && !field.id.includes('[') && mayBeAnswer(field.id);
    return isCertain && !given.has(field.id) ? field.id : null;
  };
  let isChanged = false;
  const entries = [...query].map(([key, value]) => {
    if (!unknown.has(key)) return [key, value];
    const whole = idFor(key);
    const id = whole ?? idFor(key.replace(PARTS, ''));
    if (id === null) return [key, value];
    isChanged = true;
    return [whole ?? id + (PARTS.exec(key)?.[0] ?? ''), value];
  });
  return isChanged ? new URLSearchParams(entries) : null;
}
