import type { FastifyInstance, preValidationHookHandler } from 'fastify';
import {
  addError,
  type ErrorBag,
  emptyErrorBag,
  isJsonObject,
  type JsonObject,
} from '../../fields/property.ts';
import { storageProblem } from '../../fields/storable.ts';
import { type HttpError, invalid } from './errors.ts';
import { withFirst } from './route-hooks.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is another one's envelope: what is in it is checked by whoever opens it. */
    checksOwnBody?: boolean;
  }
}

/**
 * Refuses bodies that could not be stored exactly as they came: U+0000, lone surrogates, numbers a double does not
 * hold, nesting beyond 32, objects beyond 2,000 members.
 */
export function installBodyCheck(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET' || route.config?.checksOwnBody) return;
    const isPublic = route.config?.access?.kind === 'public';
    route.preValidation = withFirst(checkBody(isPublic), route.preValidation);
  });
}

function checkBody(isPublic: boolean): preValidationHookHandler {
  return ({ body }, _reply, done) => done(bodyProblem(body, isPublic) ?? undefined);
}

function bodyProblem(body: unknown, isPublic: boolean): HttpError | null {
  if (body === undefined || body === null) return null;
  if (!isJsonObject(body)) return noObject();
  const errors = bodyProblems(body, isPublic);
  return errors && invalid(errors);
}

/** For routes that cannot do without a body. @throws HttpError 422 on `body` */
export function requireObject(body: unknown): JsonObject {
  if (!isJsonObject(body)) throw noObject();
  return body;
}

function noObject(): HttpError {
  return invalid({ body: ['The body must be a JSON object.'] });
}

/** What could not be stored exactly as it came, by member; null when all could. */
export function bodyProblems(body: object, isPublic: boolean): ErrorBag | null {
  if (storageProblem(body) === null) return null;
  const errors = emptyErrorBag();
  for (const [key, value] of Object.entries(body)) {
    // Of an integration's `data` the members are named, as its other errors name them; of answers it is a field's id.
    if (key === 'data' && !isPublic && isJsonObject(value)) addProblems(errors, 'data.', value, 3);
    else addProblems(errors, '', { [key]: value }, 2);
  }
  // Too many members, each of them harmless.
  if (Object.keys(errors).length === 0) addError(errors, 'body', storageProblem(body) ?? '');
  return errors;
}

/** @param depth of the values in the body, which itself counts as 1 */
function addProblems(errors: ErrorBag, prefix: string, members: object, depth: number): void {
  for (const [key, value] of Object.entries(members)) {
    const isNameable = storageProblem(key) === null;
    const problem =
      storageProblem(value, depth) ?? (isNameable ? null : 'A key of the body cannot be stored.');
    if (problem !== null) addError(errors, isNameable ? prefix + key : 'body', problem);
  }
}
