import type { FastifyInstance, preValidationHookHandler } from 'fastify';
import {
  addError,
  type ErrorBag,
  emptyErrorBag,
  isJsonObject,
  type JsonObject,
} from '../../../fields/property.ts';
import { storageProblem } from '../../../fields/storable.ts';
import { type HttpError, invalid } from '../errors.ts';
import { withFirst } from '../route-hooks.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body only wraps another one, which is checked where it is unwrapped. */
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
    route.preValidation = withFirst(checkBody({ holdsAnswers: isPublic }), route.preValidation);
  });
}

interface BodyKind {
  /** Its members are answers, by the ids of their fields. */
  holdsAnswers: boolean;
}

function checkBody(kind: BodyKind): preValidationHookHandler {
  return ({ body }, _reply, done) => done(bodyProblem(body, kind) ?? undefined);
}

function bodyProblem(body: unknown, kind: BodyKind): HttpError | null {
  if (body === undefined || body === null) return null;
  if (!isJsonObject(body)) return noObject();
  const errors = bodyProblems(body, kind);
  return errors && invalid(errors);
}

/** For routes that need a body. @throws HttpError 422 on `body` */
export function requireObject(body: unknown): JsonObject {
  if (!isJsonObject(body)) throw noObject();
  return body;
}

function noObject(): HttpError {
  return invalid({ body: ['The body must be a JSON object.'] });
}

/** Why members could not be stored exactly as they came; null when all could. */
export function bodyProblems(body: object, { holdsAnswers }: BodyKind): ErrorBag | null {
  if (storageProblem(body) === null) return null;
  const errors = emptyErrorBag();
  for (const [key, value] of Object.entries(body)) {
    // Errors name the members of an integration's `data`, as its other errors do. Among answers `data` is the id of a field.
    if (key === 'data' && !holdsAnswers && isJsonObject(value)) addProblems(errors, 'data.', value, 3);
    else addProblems(errors, '', { [key]: value }, 2);
  }
  // No single member is wrong: there are too many of them.
  if (Object.keys(errors).length === 0) addError(errors, 'body', storageProblem(body) ?? '');
  return errors;
}

/** @param depth how deep the values are nested; the body itself is at 1 */
function addProblems(errors: ErrorBag, prefix: string, members: object, depth: number): void {
  for (const [key, value] of Object.entries(members)) {
    const isNameable = storageProblem(key) === null;
    const problem =
      storageProblem(value, depth) ?? (isNameable ? null : 'A key of the body cannot be stored.');
    if (problem !== null) addError(errors, isNameable ? prefix + key : 'body', problem);
  }
}
