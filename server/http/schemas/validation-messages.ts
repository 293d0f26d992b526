import type { FastifySchemaValidationError } from 'fastify';
import { type ErrorBag, emptyErrorBag } from '../../../fields/property.ts';
import { VISIBLE } from '../../../fields/texts/visible.ts';

/** Turns Ajv's errors into the API family's texts, keyed by dotted path (`data.webhook_url`). */
export function validationMessages(problems: readonly FastifySchemaValidationError[]): ErrorBag {
  const errors = emptyErrorBag();
  for (const problem of ofMeantBranches(problems)) {
    const key = errorKey(problem);
    // The first problem of a key says most: `anyOf` and `oneOf` only sum up what their branches have reported before.
    errors[key] ??= [messageFor(problem, isChosenKey(problem) ? key : attributeName(key))];
  }
  return errors;
}

/** Whether nothing is wrong with a member or anything in it. */
export function isClearOf(errors: ErrorBag, member: string): boolean {
  return !Object.keys(errors).some((key) => key === member || key.startsWith(`${member}.`));
}

/**
 * Drops misleading problems of choices such as "a list or null". If a branch complains about something inside the value, the value is
 * meant for that branch, and what other branches say of the value as a whole is dropped. Ajv reports the problems of the branches
 * right before that of the choice.
 */
function ofMeantBranches(problems: readonly FastifySchemaValidationError[]): FastifySchemaValidationError[] {
  const kept: FastifySchemaValidationError[] = [];
  for (const choice of problems) {
    kept.push(choice);
    if (choice.keyword !== 'anyOf' && choice.keyword !== 'oneOf') continue;
    const key = errorKey(choice);
    const isOutside = ({ schemaPath, instancePath }: FastifySchemaValidationError) =>
      !schemaPath.startsWith(choice.schemaPath) || !`${instancePath}/`.startsWith(`${choice.instancePath}/`);
    const said = kept.splice(kept.findLastIndex(isOutside) + 1);
    const inside = said.filter((problem) => errorKey(problem) !== key);
    for (const problem of inside.length > 0 ? inside : said) kept.push(problem);
  }
  return kept;
}

function errorKey({ keyword, instancePath, params }: FastifySchemaValidationError): string {
  const path = instancePath.split('/').slice(1).map(unescapePointer);
  if (keyword === 'required') path.push(String(params.missingProperty));
  if (keyword === 'additionalProperties') path.push(String(params.additionalProperty));
  return path.length > 0 ? path.join('.') : 'body';
}

/** Whether the caller chose the key, such as the id of a field, so that it is shown as it is. */
function isChosenKey({ schemaPath }: FastifySchemaValidationError): boolean {
  return schemaPath.includes('/patternProperties/');
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** `closes_at` becomes "closes at", a nested key its last part in capitals ("Webhook Secret"), an item of a list the list's name. */
function attributeName(key: string): string {
  const words = key.split('.').filter((part) => !/^\d+$/.test(part));
  const last = (words.at(-1) ?? key).replaceAll('_', ' ');
  return words.length < 2 ? last : last.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

function messageFor({ keyword, params, instancePath }: FastifySchemaValidationError, name: string): string {
  switch (keyword) {
    case 'required':
      return `The ${name} field is required.`;
    case 'type':
      return instancePath === ''
        ? 'The body must be a JSON object.'
        : typeMessage(params.type as string | string[], name);
    case 'enum':
    case 'const':
    case 'anyOf':
    case 'oneOf':
      return `The selected ${name} is invalid.`;
    case 'minLength':
      return params.limit === 1
        ? `The ${name} field is required.`
        : `The ${name} must be at least ${params.limit} characters.`;
    case 'maxLength':
      return `The ${name} may not be greater than ${params.limit} characters.`;
    case 'minimum':
      return `The ${name} must be at least ${params.limit}.`;
    case 'maximum':
      return `The ${name} may not be greater than ${params.limit}.`;
    case 'minItems':
    case 'minProperties':
      return params.limit === 1
        ? `The ${name} field is required.`
        : `The ${name} must have at least ${params.limit} items.`;
    case 'maxItems':
    case 'maxProperties':
      return `The ${name} may not have more than ${params.limit} items.`;
    case 'additionalProperties':
      return `The ${name} is not an allowed key.`;
    case 'pattern':
      return params.pattern === VISIBLE ? `The ${name} field is required.` : `The ${name} format is invalid.`;
    case 'format':
      return formatMessage(String(params.format), name);
    default:
      return `The ${name} format is invalid.`;
  }
}

function typeMessage(type: string | string[], name: string): string {
  const kinds = (Array.isArray(type) ? type : [type]).filter((kind) => kind !== 'null');
  switch (kinds[0]) {
    case 'string':
      return `The ${name} must be a valid text.`;
    case 'integer':
      return `The ${name} must be an integer.`;
    case 'number':
      return `The ${name} must be a number.`;
    case 'boolean':
      return `The ${name} field must be true or false.`;
    case 'object':
      return `The ${name} must be an object.`;
    default:
      return `The ${name} must be an array.`;
  }
}

function formatMessage(format: string, name: string): string {
  switch (format) {
    case 'email':
      return `The ${name} must be a valid email address.`;
    case 'date-time':
    case 'date':
      return `The ${name} is not a valid date.`;
    default:
      return `The ${name} format is invalid.`;
  }
}
