import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import { parseEmail } from '../accounts/email.ts';

const COMMON = { allErrors: true, removeAdditional: false, useDefaults: true, strict: false } as const;

/** Bodies are taken as they come; only path and query, which are text by nature, are coerced. */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  const forBodies = addFormats.default(new Ajv({ ...COMMON, coerceTypes: false }));
  // International letters too, and white space around it: what mail can be sent to.
  forBodies.addFormat('email', (text: string) => parseEmail(text) !== null);
  const forText = addFormats.default(new Ajv({ ...COMMON, coerceTypes: 'array' }));
  return ({ schema, httpPart }) => (httpPart === 'body' ? forBodies : forText).compile(schema);
}
