import type { FastifyInstance, preValidationAsyncHookHandler } from 'fastify';
import type { ErrorBag } from '../../fields/property.ts';
import { storageProblem } from '../../fields/storable.ts';
import { invalid } from './errors.ts';

/**
 * Refuses bodies that could not be stored exactly as they came: U+0000, lone surrogates, numbers a double does not
 * hold, nesting beyond 32, objects beyond 2,000 members.
 */
export function installBodyCheck(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET') return;
    // Behind the guard, which comes first in the list: a refused caller learns nothing about his body.
    const [first, ...others] = [route.preValidation ?? []].flat();
    route.preValidation = first ? [first, checkBody, ...others] : [checkBody];
  });
}

const checkBody: preValidationAsyncHookHandler = async ({ body }) => {
  if (body === undefined || body === null) return;
  if (typeof body !== 'object' || Array.isArray(body))
    throw invalid({ body: ['The body must be a JSON object.'] });
  const errors = bodyProblems(body);
  if (errors) throw invalid(errors);
};

function bodyProblems(body: object): ErrorBag | null {
  if (storageProblem(body) === null) return null;
  const errors: ErrorBag = Object.create(null);
  for (const [key, value] of Object.entries(body)) {
    if (storageProblem(key) !== null) errors.body = ['A key of the body cannot be stored.'];
    const problem = storageProblem(value);
    if (problem !== null) errors[storageProblem(key) === null ? key : 'body'] = [problem];
  }
  if (Object.keys(errors).length === 0) errors.body = [storageProblem(body) ?? ''];
  return errors;
}
