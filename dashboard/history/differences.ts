import type { Property } from '../../fields/property.ts';
import { isSame } from '../lib/is-same.ts';

type Members = { readonly [member: string]: unknown };

/** Differences of two versions: names of blocks (or the type of a block without a name), and names of other members. */
export interface Differences {
  added: string[];
  removed: string[];
  changed: string[];
  /** The common blocks have another order. */
  isReordered: boolean;
  others: string[];
}

export function differences(before: Members, after: Members): Differences {
  const others = Object.keys(after).filter(
    (member) => member !== 'properties' && !isSame(before[member], after[member]),
  );
  return { ...blockDifferences(blocksOf(before), blocksOf(after)), others };
}

function blockDifferences(before: readonly Property[], after: readonly Property[]) {
  const former = new Map(before.map((block) => [block.id, block]));
  const present = new Set(after.map(({ id }) => id));
  const stayed = after.filter(({ id }) => former.has(id));
  const inFormerOrder = before.filter(({ id }) => present.has(id));
  return {
    added: after.filter(({ id }) => !former.has(id)).map(nameOf),
    removed: before.filter(({ id }) => !present.has(id)).map(nameOf),
    changed: stayed.filter((block) => !isSame(block, former.get(block.id))).map(nameOf),
    isReordered: stayed.some(({ id }, index) => id !== inFormerOrder[index]?.id),
  };
}

function blocksOf({ properties }: Members): readonly Property[] {
  return properties as Property[];
}

function nameOf({ name, type }: Property): string {
  return name.trim() || type.replaceAll(/[_-]/g, ' ');
}
