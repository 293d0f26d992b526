import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import { isJsonObject } from '../../fields/property.ts';
import { parseEmail } from '../accounts/email.ts';

const COMMON = { allErrors: true, removeAdditional: false, useDefaults: true, strict: false } as const;

/** Bodies are taken as they come; only path and query, which are text by nature, are coerced. */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  const forBodies = addFormats.default(new Ajv({ ...COMMON, coerceTypes: false }));
  // International letters too, and white space around it: what mail can be sent to.
  forBodies.addFormat('email', (text: string) => parseEmail(text) !== null);
  const forText = addFormats.default(new Ajv({ ...COMMON, coerceTypes: 'array' }));
  return ({ schema, httpPart, method }) => {
    if (httpPart === 'body') return forBodies.compile(schema);
    const isOfRead = httpPart === 'querystring' && ['GET', 'HEAD'].includes(method);
    return isOfRead ? compileQuery(forText, schema) : forText.compile(schema);
  };
}

/**
 * `?page=&per_page=` is what a client sends that was given neither: what is to be a number or one of a few words is absent when it
 * is empty. Of reads alone: whoever writes says there what must not have changed meanwhile.
 */
function compileQuery(ajv: Ajv, schema: object): ReturnType<FastifySchemaCompiler<object>> {
  const validate = ajv.compile(schema);
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> };
  const neverEmpty = Object.keys(properties).filter((name) => properties[name]?.type !== 'string');
  const validateQuery = (query: unknown) => {
    if (isJsonObject(query)) for (const name of neverEmpty) if (query[name] === '') delete query[name];
    const isValid = validate(query);
    validateQuery.errors = validate.errors ?? null;
    return isValid;
  };
  validateQuery.errors = null as ErrorObject[] | null;
  return validateQuery;
}
