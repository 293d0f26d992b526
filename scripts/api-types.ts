import type { ApiDocument } from '../server/http/openapi/openapi-operations.ts';

/** The parts of JSON Schema that the description of our API uses. */
interface Schema {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
}

interface Described {
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
  responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

const HEAD = `// Written by \`npm run generate\` from the API description. Never edit it.

`;

/** TypeScript types of all calls: `Api['/path/{id}']['get']` has \`path\`, \`query\`, \`body\` and \`answer\`. */
export function apiTypes({ paths }: ApiDocument): string {
  const calls = Object.entries(paths).map(([path, methods]) => {
    const members = Object.entries(methods).map(
      ([method, operation]) => `    ${method}: ${callType(operation as unknown as Described)};\n`,
    );
    return `  '${path}': {\n${members.join('')}  };\n`;
  });
  return `${HEAD}export interface Api {\n${calls.join('')}}\n`;
}

function callType({ parameters = [], requestBody, responses = {} }: Described): string {
  const inPlace = (place: string) => parameters.filter((one) => one.in === place);
  const members = [
    `path: ${parametersType(inPlace('path'))}`,
    `query: ${parametersType(inPlace('query'))}`,
    `body: ${isFile(requestBody?.content) ? 'Blob' : contentType(requestBody?.content, false)}`,
    `answer: ${answersType(responses)}`,
  ];
  return `{ ${members.join('; ')} }`;
}

function parametersType(parameters: NonNullable<Described['parameters']>): string {
  if (parameters.length === 0) return 'null';
  const members = parameters.map(({ name, in: place, schema = {} }) =>
    place === 'path' ? `${key(name)}: string | number` : `${key(name)}?: ${typeOf(schema, false)}`,
  );
  return `{ ${members.join('; ')} }`;
}

/** The union of all successful responses. */
function answersType(responses: NonNullable<Described['responses']>): string {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const types = good.map(([, { content }]) => contentType(content, true));
  return [...new Set(types)].join(' | ') || 'null';
}

/** Whether the content is a file, not JSON. */
function isFile(content: Record<string, { schema?: Schema }> = {}): boolean {
  return Object.values(content).some(({ schema }) => schema?.format === 'binary');
}

function contentType(content: Record<string, { schema?: Schema }> | undefined, isAnswer: boolean): string {
  const schema = content?.['application/json']?.schema;
  return schema ? typeOf(schema, isAnswer) : 'null';
}

function typeOf(schema: Schema, isAnswer: boolean): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, isAnswer)).join(' | ');
  const types = [schema.type ?? []].flat();
  return types.map((type) => plainType(type, schema, isAnswer)).join(' | ') || 'unknown';
}

function plainType(type: string, schema: Schema, isAnswer: boolean): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `(${typeOf(schema.items ?? {}, isAnswer)})[]`;
    case 'object':
      return objectType(schema, isAnswer);
    default:
      return type;
  }
}

function objectType({ properties = {}, required, additionalProperties }: Schema, isAnswer: boolean): string {
  // An object with an id is always returned whole, even if the description does not require each member.
  const isWhole = isAnswer && required === undefined && 'id' in properties;
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      `${key(name)}${isWhole || required?.includes(name) ? '' : '?'}: ${typeOf(schema, isAnswer)}`,
  );
  if (additionalProperties === true || members.length === 0) members.push('[key: string]: unknown');
  else if (typeof additionalProperties === 'object')
    members.push(`[key: string]: ${typeOf(additionalProperties, isAnswer)}`);
  return `{ ${members.join('; ')} }`;
}

function key(name: string): string {
  return /^\w+$/.test(name) ? name : JSON.stringify(name);
}
