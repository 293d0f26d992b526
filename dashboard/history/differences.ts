import { hashKey } from '@tanstack/react-query';
import type { Property } from '../../fields/property.ts';

/** What became of the blocks of a form, as their names; a block without one goes by its type. */
export interface BlockChanges {
  added: string[];
  removed: string[];
  changed: string[];
  /** Those that are in both stand in another order. */
  isReordered: boolean;
}

export function blockChanges(before: readonly Property[], after: readonly Property[]): BlockChanges {
  const former = new Map(before.map((block) => [block.id, block]));
  const present = new Set(after.map(({ id }) => id));
  const stayed = after.filter(({ id }) => former.has(id));
  const inFormerOrder = before.filter(({ id }) => present.has(id));
  return {
    added: after.filter(({ id }) => !former.has(id)).map(nameOf),
    removed: before.filter(({ id }) => !present.has(id)).map(nameOf),
    changed: stayed.filter((block) => hashKey([block]) !== hashKey([former.get(block.id)])).map(nameOf),
    isReordered: stayed.some(({ id }, index) => id !== inFormerOrder[index]?.id),
  };
}

function nameOf({ name, type }: Property): string {
  return name.trim() || type.replaceAll(/[_-]/g, ' ');
}
