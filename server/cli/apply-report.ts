import { isDeepStrictEqual } from 'node:util';
import type { Property } from '../../fields/property.ts';
import { type AppliedForm, definitionOf } from '../forms/apply-definition.ts';
import { withWidth } from '../forms/present-form.ts';

/** Longest value shown beside its name, in characters. */
const MAX_VALUE = 60;

/**
 * The outcome for a form, done or planned: `+ contact: new, 5 blocks`, `= contact`, or `~ contact` with a line for each
 * change.
 */
export function linesOf({ slug, before, after, definition, fields }: AppliedForm): string[] {
  if (before === null) return [`+ ${slug}: new, ${inBlocks(definition.properties?.length ?? 0)}`];
  if (after === null || fields.length === 0) return [`= ${slug}`];
  const [from, to] = [definitionOf(before), definitionOf(after)];
  const changes = fields.flatMap((name) =>
    name === 'properties' ? blockLines(before.properties, after.properties) : [memberLine(name, from, to)],
  );
  return [`~ ${slug}`, ...changes.map((change) => `    ${change}`)];
}

function inBlocks(count: number): string {
  return count === 1 ? '1 block' : `${count} blocks`;
}

function memberLine(name: string, from: Record<string, unknown>, to: Record<string, unknown>): string {
  const values = [from[name], to[name]].map((value) => JSON.stringify(value) ?? 'null');
  const isShown = name !== 'password' && values.every((value) => value.length <= MAX_VALUE);
  return isShown ? `${name}: ${values.join(' → ')}` : name;
}

function blockLines(before: Property[], after: Property[]): string[] {
  const [was, is] = [byId(before), byId(after)];
  const lines = [
    ...after.filter(({ id }) => !was.has(id)).map((block) => `+ ${nameOf(block)}`),
    ...after.flatMap((block) => changedLine(was.get(block.id), block)),
    ...before.filter(({ id }) => !is.has(id)).map((block) => `- ${nameOf(block)}`),
  ];
  const stayed = (blocks: Property[]) => blocks.map(({ id }) => id).filter((id) => was.has(id) && is.has(id));
  return isDeepStrictEqual(stayed(before), stayed(after)) ? lines : [...lines, 'order of the blocks'];
}

function changedLine(before: Property | undefined, after: Property): string[] {
  if (before === undefined) return [];
  const [from, to]: Record<string, unknown>[] = [withWidth(before), withWidth(after)];
  const names = Object.keys({ ...from, ...to }).filter(
    (name) => !isDeepStrictEqual(from?.[name], to?.[name]),
  );
  return names.length > 0 ? [`~ ${nameOf(after)}: ${names.join(', ')}`] : [];
}

function byId(blocks: Property[]): Map<string, Property> {
  return new Map(blocks.map((block) => [block.id, block]));
}

function nameOf({ name, type }: Property): string {
  return `${name} (${type})`;
}
