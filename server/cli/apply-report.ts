import { isDeepStrictEqual } from 'node:util';
import type { Property } from '../../fields/property.ts';
import { withWidth } from '../forms/present-form.ts';
import { type AppliedForm, definitionOf, isChange } from '../forms/saving/apply-definition.ts';
import type { ScenarioChanges } from '../scenarios/file-scenarios.ts';

/** Longest value shown beside its name, in characters. */
const MAX_VALUE = 60;

/**
 * The outcome for a form, done or planned: `+ contact: new, 5 blocks`, `= contact`, or `~ contact` with a line for each
 * change.
 */
export function linesOf(form: AppliedForm): string[] {
  const { slug, before, after, definition, fields, scenarios } = form;
  if (before === null) return [`+ ${slug}: new, ${newParts(definition.properties?.length ?? 0, scenarios)}`];
  if (after === null || !isChange(form)) return [`= ${slug}`];
  const [from, to] = [definitionOf(before), definitionOf(after)];
  const changes = fields.flatMap((name) =>
    name === 'properties' ? blockLines(before.properties, after.properties) : [memberLine(name, from, to)],
  );
  return [`~ ${slug}`, ...[...changes, ...scenarioLines(scenarios)].map((change) => `    ${change}`)];
}

function newParts(blocks: number, { added }: ScenarioChanges): string {
  const parts = [inBlocks(blocks)];
  if (added.length > 0) parts.push(added.length === 1 ? '1 scenario' : `${added.length} scenarios`);
  return parts.join(', ');
}

function scenarioLines({ added, changed, removed }: ScenarioChanges): string[] {
  return [
    ...added.map((name) => `+ scenario ${name}`),
    ...changed.map((name) => `~ scenario ${name}`),
    ...removed.map((name) => `- scenario ${name}`),
  ];
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
