import type { Schema } from './openapi-operations.ts';

/** One member of a body, for a table. */
export interface SchemaRow {
  /** Dotted path from the body: `data.webhook_url`. */
  name: string;
  type: string;
  required: boolean;
  description: string;
}

/** Deeper members are not listed; their parent's description tells of them. */
const MAX_DEPTH = 3;

/** The members of an object schema, or of the items of a list, parents before children. */
export function schemaRows(schema: Schema | undefined, prefix = '', depth = 1): SchemaRow[] {
  if (schema === undefined || depth > MAX_DEPTH) return [];
  const rows: SchemaRow[] = [];
  for (const [key, member] of Object.entries(membersOf(schema))) {
    const name = prefix + key;
    const required = objectOf(schema)?.required?.includes(key) ?? false;
    rows.push({ name, type: typeText(member), required, description: descriptionText(member) });
    rows.push(...schemaRows(member, `${name}${isList(member) ? '[]' : ''}.`, depth + 1));
  }
  return rows;
}

/** The type in words: `text`, `list of number`, `"active" or "inactive"`. */
export function typeText(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeText))].join(' or ');
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeText({ ...schema, type })).join(' or ');
  if (schema.type === 'array') return schema.items ? `list of ${typeText(schema.items)}` : 'list';
  if (schema.type === undefined) return schema.properties ? 'object' : 'anything';
  if (schema.format === 'date-time') return 'time (ISO 8601)';
  return schema.format === undefined ? schema.type : `${schema.type} (${schema.format})`;
}

/** A small value that fits: required members only or, when none is required, the first three. */
export function exampleOf(schema: Schema, depth = 1): unknown {
  const [example = schema.default ?? schema.const ?? schema.enum?.[0]] = schema.examples ?? [];
  if (example !== undefined) return example;
  const [choice] = schema.anyOf ?? [];
  if (choice) return exampleOf(choice, depth);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return true;
    case 'array':
      return schema.items && depth < MAX_DEPTH ? [exampleOf(schema.items, depth + 1)] : [];
    case 'object':
      return exampleObject(schema, depth);
    default:
      return exampleText(schema);
  }
}

function exampleObject(schema: Schema, depth: number): unknown {
  const { properties = {}, required = [] } = schema;
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 3);
  const members = names.map((name) => [
    name,
    depth < MAX_DEPTH ? exampleOf(properties[name] ?? {}, depth + 1) : {},
  ]);
  return Object.fromEntries(members);
}

function exampleText({ format, minLength = 0 }: Schema): string {
  if (format === 'date-time') return '2026-12-31T23:59:59Z';
  if (format === 'email') return 'ada@example.com';
  return 'text'.padEnd(minLength, '.');
}

function membersOf(schema: Schema): Record<string, Schema> {
  return objectOf(schema)?.properties ?? {};
}

/** The object schema itself, or the one of a list's items or of a choice. */
function objectOf(schema: Schema): Schema | undefined {
  if (schema.properties) return schema;
  if (schema.items) return objectOf(schema.items);
  return schema.anyOf?.map(objectOf).find((found) => found !== undefined);
}

function isList(schema: Schema): boolean {
  return schema.type === 'array';
}

function descriptionText({
  description = '',
  minLength,
  maxLength,
  minimum,
  maximum,
  default: preset,
}: Schema): string {
  const limits = [
    rangeText(minLength, maxLength, ' characters'),
    rangeText(minimum, maximum, ''),
    preset === undefined ? '' : `Default ${JSON.stringify(preset)}.`,
  ];
  return [description, ...limits].filter(Boolean).join(' ');
}

function rangeText(min: number | undefined, max: number | undefined, unit: string): string {
  if (min === undefined && max === undefined) return '';
  if (min === undefined) return `At most ${max}${unit}.`;
  return max === undefined ? `At least ${min}${unit}.` : `${min} to ${max}${unit}.`;
}
