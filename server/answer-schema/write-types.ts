import type { AnswerSchema } from '../../fields/answer-schema.ts';
import { MAX_TEXT_CHARACTERS } from '../../fields/texts/characters.ts';
import { cut } from '../../fields/texts/cut.ts';
import type { AnswerDocument } from './describe-answers.ts';

/** Characters of a text in a comment. */
const MAX_COMMENT = 300;

/** The same as a TypeScript module of types; what types cannot say stands in their comments. */
export function writeTypes({ title = '', description = '', $defs }: AnswerDocument): string {
  const types = Object.entries($defs).map(([name, schema]) => {
    const type = typeOf(schema, '');
    const declared = schema.type === 'object' ? `interface ${name} ${type}` : `type ${name} = ${type};`;
    return `${comment(schema, '')}export ${declared}\n`;
  });
  const head = [title, ...description.split(/(?<=\.) /)].map((line) => `// ${oneLine(line)}\n`);
  return [head.join(''), ...types].join('\n');
}

function typeOf(schema: AnswerSchema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.slice('#/$defs/'.length);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return unionOf(schema.anyOf, indent);
  if (schema.allOf) return schema.allOf.map((part) => typeOf(part, indent)).join(' & ');
  if (schema.not) return 'never';
  switch (schema.type) {
    case 'array':
      return arrayOf(schema, indent);
    case 'object':
      return objectOf(schema, indent);
    case 'integer':
      return 'number';
    default:
      return schema.type ?? 'unknown';
  }
}

/** Beside names, `string` alone would swallow them; editors suggest them with this one. */
function unionOf(parts: readonly AnswerSchema[], indent: string): string {
  const hasNames = parts.some((part) => part.enum);
  const types = parts.map((part) => {
    const type = typeOf(part, indent);
    return hasNames && type === 'string' ? '(string & {})' : type;
  });
  return [...new Set(types)].join(' | ');
}

function arrayOf({ items = {}, minItems, maxItems }: AnswerSchema, indent: string): string {
  const item = typeOf(items, indent);
  return minItems === 2 && maxItems === 2 ? `[${item}, ${item}]` : `Array<${item}>`;
}

function objectOf(
  { properties = {}, required = [], additionalProperties }: AnswerSchema,
  indent: string,
): string {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, schema]) => {
    const isOptional = !required.includes(name);
    // Every object has inherited a `constructor`: reading one that may be missing gives no answer.
    const type = isOptional && name in Object.prototype ? 'unknown' : typeOf(schema, inner);
    return `${comment(schema, inner)}${inner}${key(name)}${isOptional ? '?' : ''}: ${type};\n`;
  });
  if (additionalProperties) members.push(`${inner}[name: string]: ${typeOf(additionalProperties, inner)};\n`);
  return members.length > 0 ? `{\n${members.join('')}${indent}}` : 'Record<string, unknown>';
}

function key(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

/** What people wrote cannot end the comment. */
function comment({ title, description, deprecated, ...schema }: AnswerSchema, indent: string): string {
  const words = [title, description, limits(schema)].flatMap((text) => (text ? sentence(text) : []));
  const text = `${words.join(' ')}${deprecated ? ' @deprecated' : ''}`.trim().replaceAll('*/', '* /');
  return text === '' ? '' : `${indent}/** ${text} */\n`;
}

function limits({ type, minimum, maximum, maxLength = MAX_TEXT_CHARACTERS }: AnswerSchema): string {
  const parts = [
    type === 'integer' && minimum !== undefined ? 'Whole' : '',
    minimum === undefined ? '' : `at least ${minimum}`,
    maximum === undefined ? '' : `at most ${maximum}`,
    maxLength < MAX_TEXT_CHARACTERS ? `at most ${maxLength} characters` : '',
  ].filter((part) => part !== '');
  const text = parts.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function sentence(text: string): string {
  const line = oneLine(text);
  if (line === '') return '';
  return /[.!?:…]$/.test(line) ? line : `${line}.`;
}

function oneLine(text: string): string {
  return cut(text.replace(/\s+/g, ' ').trim(), MAX_COMMENT);
}
