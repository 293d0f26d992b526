import { isJsonObject } from '../../../fields/property.ts';
import type { Schema } from '../openapi/openapi-operations.ts';

/**
 * Removes required members that are null, or an empty text where no text is expected, so that they are reported as missing: in this
 * API family neither is a value. Members that may be null, and those with a default, stay.
 */
export function dropMissing(value: unknown, schema: Schema): void {
  if (Array.isArray(value)) for (const item of value) dropMissing(item, schema.items ?? {});
  if (!isJsonObject(value)) return;
  const { required = [], properties = {} } = schema;
  for (const [name, member] of Object.entries(properties)) {
    if (required.includes(name) && isMissing(value[name], member)) delete value[name];
    else dropMissing(value[name], member);
  }
}

function isMissing(value: unknown, schema: Schema): boolean {
  if (schema.default !== undefined) return false;
  return value === null ? !takesNull(schema) : value === '' && !takesText(schema);
}

function takesNull(schema: Schema): boolean {
  return isAny(schema) || takes(schema, 'null', (one) => one === null);
}

function takesText(schema: Schema): boolean {
  return isAny(schema) || takes(schema, 'string', () => false);
}

function takes(schema: Schema, type: string, isChoice: (one: unknown) => boolean): boolean {
  const { type: types = [], enum: choices = [], anyOf = [] } = schema;
  return (
    [types].flat().includes(type) || choices.some(isChoice) || anyOf.some((one) => takes(one, type, isChoice))
  );
}

function isAny({ type, enum: choices, anyOf }: Schema): boolean {
  return type === undefined && choices === undefined && anyOf === undefined;
}
