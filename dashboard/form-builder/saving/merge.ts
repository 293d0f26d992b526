import type { Property } from '../../../fields/property.ts';
import { isSame } from '../../lib/is-same.ts';
import type { Definition } from '../definition.ts';

/** What two people made of the same definition, as one; null if both changed the same block, text or order. */
export function mergeDefinitions(base: Definition, mine: Definition, theirs: Definition): Definition | null {
  const title = pick(base.title, mine.title, theirs.title);
  const description = pick(base.description, mine.description, theirs.description);
  const button = pick(base.submit_button_text, mine.submit_button_text, theirs.submit_button_text);
  const properties = mergeBlocks(base.properties, mine.properties, theirs.properties);
  const others = mergeOthers(base.others ?? {}, mine.others ?? {}, theirs.others ?? {});
  if (!title || !description || !button || !properties || !others) return null;
  return {
    title: title.value,
    description: description.value,
    submit_button_text: button.value,
    properties,
    ...(Object.keys(others).length > 0 && { others }),
  };
}

type Others = NonNullable<Definition['others']>;

function mergeOthers(base: Others, mine: Others, theirs: Others): Others | null {
  const merged: [string, unknown][] = [];
  for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    const picked = pick(base[key], mine[key], theirs[key]);
    if (!picked) return null;
    if (picked.value !== undefined) merged.push([key, picked.value]);
  }
  return Object.fromEntries(merged);
}

type Blocks = readonly Property[];

function mergeBlocks(base: Blocks, mine: Blocks, theirs: Blocks): Property[] | null {
  const [before, here, there] = [byId(base), byId(mine), byId(theirs)];
  const merged = new Map<string, Property>();
  for (const id of new Set([...before.keys(), ...here.keys(), ...there.keys()])) {
    const picked = pick(before.get(id), here.get(id), there.get(id));
    if (!picked) return null;
    if (picked.value) merged.set(id, picked.value);
  }
  const order = mergeOrder(
    [...before.keys()],
    [...here.keys()].filter((id) => merged.has(id)),
    [...there.keys()].filter((id) => merged.has(id)),
  );
  return order ? order.flatMap((id) => merged.get(id) ?? []) : null;
}

/** What one changed and the other did not, or both alike; null if they changed it differently. */
function pick<T>(base: T, mine: T, theirs: T): { value: T } | null {
  if (isSame(mine, base)) return { value: theirs };
  return isSame(theirs, base) || isSame(mine, theirs) ? { value: mine } : null;
}

/** The order of whoever moved blocks, with those of the other after what they followed there. */
function mergeOrder(base: string[], mine: string[], theirs: string[]): string[] | null {
  const shared = new Set(base.filter((id) => mine.includes(id) && theirs.includes(id)));
  const [before, here, there] = [base, mine, theirs].map((ids) => ids.filter((id) => shared.has(id)));
  const picked = pick(before, here, there);
  if (!picked) return null;
  const [order, other] = isSame(picked.value, there) ? [[...theirs], mine] : [[...mine], theirs];
  other.forEach((id, index) => {
    if (!order.includes(id)) order.splice(order.indexOf(other[index - 1] ?? '') + 1, 0, id);
  });
  return order;
}

function byId(blocks: Blocks): Map<string, Property> {
  return new Map(blocks.map((block) => [block.id, block]));
}
