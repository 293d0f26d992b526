import { randomUUID } from 'node:crypto';
import { fieldTypeOf } from '../../../fields/field-types.ts';
import type { JsonObject, JsonValue, Property } from '../../../fields/property.ts';
import { serverEngines } from '../../../fields/server-engines.ts';
import { canonicalTypeName, isLayoutBlock } from '../../../fields/type-names.ts';

/** Deleted fields that are remembered; beyond that the oldest are forgotten. */
const MAX_REMOVED = 1_000;

/** Blocks as they are stored: with ids, and HTML without scripts. Everything else stays as it was sent. */
export function prepareProperties(properties: unknown[]): Property[] {
  return properties.map((block) => {
    const property = { ...(block as Property) };
    property.id ??= randomUUID();
    if (canonicalTypeName(property.type) === 'repeat' && Array.isArray(property.questions))
      property.questions = property.questions.map((question) => ({
        id: randomUUID(),
        ...(question as JsonObject),
      })) as JsonValue;
    if (typeof property.help === 'string') property.help = serverEngines.sanitiseHtml(property.help).trim();
    if (typeof property.content === 'string' && fieldTypeOf(property.type).name === 'nf-text')
      property.content = serverEngines.sanitiseHtml(property.content);
    return property;
  });
}

/**
 * The deleted fields, whose past answers stay exportable: those deleted before and by this change, without those that are back. Layout
 * blocks are left out, as they have no answers.
 */
export function removedAfter(before: Property[], removedBefore: Property[], after: Property[]): Property[] {
  const present = new Set(after.map((property) => property.id));
  const inputs = before.filter((property) => !isLayoutBlock(property.type));
  const removed = [...removedBefore, ...inputs].filter((property) => !present.has(property.id));
  const byId = new Map(removed.map((property) => [property.id, property]));
  return [...byId.values()].slice(-MAX_REMOVED);
}
