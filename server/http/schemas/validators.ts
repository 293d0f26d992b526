import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import { isJsonObject } from '../../../fields/property.ts';
import { accountAddress } from '../../accounts/email.ts';
import type { Schema } from '../openapi/openapi-operations.ts';
import { dropMissing } from '../request/missing-members.ts';

const COMMON = { allErrors: true, removeAdditional: false, useDefaults: true, strict: false } as const;

let engines: ReturnType<typeof createEngines> | undefined;

/** Only path and query are coerced, as everything in them is text; bodies are taken as they come. */
function createEngines() {
  const forBodies = addFormats.default(new Ajv({ ...COMMON, coerceTypes: false }));
  // Every address that mail can be sent to: with international letters, and white space around it.
  forBodies.addFormat('email', (text: string) => accountAddress(text) !== null);
  const forText = addFormats.default(new Ajv({ ...COMMON, coerceTypes: 'array' }));
  return { forBodies, forText };
}

/** All compilers of a process share what they have compiled: it depends on the schema alone. */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  engines ??= createEngines();
  const { forBodies, forText } = engines;
  return ({ schema, httpPart, method }) => {
    if (httpPart === 'body') return compileBody(forBodies, schema);
    const isOfRead = httpPart === 'querystring' && ['GET', 'HEAD'].includes(method);
    return isOfRead ? compileQuery(forText, schema) : forText.compile(schema);
  };
}

function compileBody(ajv: Ajv, schema: object): ReturnType<FastifySchemaCompiler<object>> {
  const validate = ajv.compile(schema);
  const validateBody = (body: unknown) => {
    const isValid = validate(body);
    if (!isValid) {
      dropMissing(body, schema as Schema);
      validate(body);
    }
    validateBody.errors = validate.errors ?? null;
    return isValid;
  };
  validateBody.errors = null as ErrorObject[] | null;
  return validateBody;
}

/** Empty parameters count as absent only in reads: a write may name there what must not have changed meanwhile, and must not go on without it. */
function compileQuery(ajv: Ajv, schema: object): ReturnType<FastifySchemaCompiler<object>> {
  const validate = ajv.compile(schema);
  const dropEmpty = compileDropEmpty(schema);
  const validateQuery = (query: unknown) => {
    dropEmpty(query);
    const isValid = validate(query);
    validateQuery.errors = validate.errors ?? null;
    return isValid;
  };
  validateQuery.errors = null as ErrorObject[] | null;
  return validateQuery;
}

/** Some clients send parameters without a value, as in `?page=&per_page=`: removes those that are numbers, choices or lists of members. */
export function compileDropEmpty(schema: object): (query: unknown) => void {
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> };
  const neverEmpty = Object.keys(properties).filter((name) => properties[name]?.type !== 'string');
  return (query) => {
    if (isJsonObject(query)) for (const name of neverEmpty) if (query[name] === '') delete query[name];
  };
}
