import { inputsOf, type ReadPostOptions, TICKED } from '../../../fields/html/read-post.ts';
import type { Property } from '../../../fields/property.ts';
import type { PostedBody } from './posted-body.ts';

/** The beginning of what names a part: by its place, or as `partName` says. */
const PART = /\[(?:\d+\]|:)/g;
/** Within how many names a part can be: those of a field, and of a question that it repeats. */
const MOST_OWNERS = 2;

/** A ticked box where none is asked for: all rules refuse it, and all controls show it as nothing. */
const NO_ANSWER = [''];

/**
 * Reads all that a page sent for a field whose type was changed while it was open, where the present type would read only a part of it,
 * or nothing: as a list, which its rules refuse, so that the page asks again. So it is with a matrix of which all rows were replaced, and
 * where somebody has chosen an option and typed another one.
 */
export function formerInputs(
  body: PostedBody,
  properties: readonly Property[],
): NonNullable<ReadPostOptions['readFormer']> {
  const partsOf = partsByOwner(body, new Set(properties.map(({ id }) => id)));
  return (property, typeName, name, answer) => {
    const texts = (Object.hasOwn(body, name) ? (body[name] ?? []) : []).filter(Boolean);
    if (typeName !== 'checkbox' && texts.includes(TICKED)) return NO_ANSWER;
    const { canHave, hasParts } = inputsOf(property, typeName);
    const parts = hasParts && answer !== undefined ? [] : (partsOf.get(name) ?? []);
    return parts.length > 0 || !canHave(texts) ? [...texts, ...parts] : undefined;
  };
}

/** The values of parts, by the names that these are parts of. */
function partsByOwner(body: PostedBody, ids: ReadonlySet<string>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [name, values] of Object.entries(body)) {
    const texts = values.filter(Boolean);
    if (texts.length === 0 || ids.has(name)) continue;
    for (const owner of ownersOf(name)) {
      const others = found.get(owner);
      if (others === undefined) found.set(owner, [...texts]);
      else others.push(...texts);
    }
  }
  return found;
}

function ownersOf(name: string): string[] {
  const owners: string[] = [];
  for (const { index } of name.matchAll(PART)) {
    owners.push(name.slice(0, index));
    if (owners.length === MOST_OWNERS) break;
  }
  return owners;
}
