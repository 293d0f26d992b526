import type { FastifySchemaValidationError } from 'fastify';
import type { ErrorBag } from '../../../fields/property.ts';
import { invalid } from '../../http/errors.ts';
import { requireObject } from '../../http/request/check-body.ts';
import { createValidatorCompiler } from '../../http/schemas/validators.ts';
import { type CurrentForm, formProblems } from '../checks/check-form-input.ts';
import { hashFormPassword, PASSWORD_MASK } from '../form-password.ts';
import { FORM_FIELDS, type FormInput, UpdateFormBody } from '../schemas.ts';

/** Members of a form that may be half finished: of wrong types, empty, contradicting each other. */
export type DraftDefinition = { [key: string]: unknown };

type Validated = { errors?: FastifySchemaValidationError[] };

/** Compiled when the first definition is checked. */
let validate: ReturnType<ReturnType<typeof createValidatorCompiler>> | undefined;

/** All problems that keep the definition from being published, by the key of what is wrong. */
export function definitionProblems(definition: DraftDefinition, current: CurrentForm | null): ErrorBag {
  validate ??= createValidatorCompiler()({
    schema: UpdateFormBody,
    httpPart: 'body',
    method: 'PUT',
    url: '',
  });
  // Ajv stores its errors as a property of the function.
  const { errors = [] } = validate(definition) ? {} : (validate as Validated);
  return formProblems(definition as FormInput, errors, current);
}

/** The members of a body that a form can have; all others are ignored. */
export function knownMembers(body: unknown): DraftDefinition {
  return Object.fromEntries(
    Object.entries(requireObject(body)).filter(([key]) => Object.hasOwn(FORM_FIELDS, key)),
  );
}

/**
 * Hashes the password that a definition sets.
 * @returns null when it sets none
 * @throws HttpError 422 for an invalid password, which a draft cannot keep, as only hashes are stored
 */
export async function hashNewPassword({ password }: DraftDefinition): Promise<string | null> {
  if (password === undefined || password === null || password === PASSWORD_MASK) return null;
  const { password: problems } = definitionProblems({ password }, null);
  if (problems) throw invalid({ password: problems });
  return hashFormPassword(String(password));
}

/**
 * Takes the password out of a definition, as only hashes are ever stored.
 * @param set hash of the password that it sets
 * @param before hash that a mask stands for; null for the form's own password
 */
export function withoutPassword(
  definition: DraftDefinition,
  set: string | null,
  before: string | null,
): { definition: DraftDefinition; passwordHash: string | null } {
  const { password, ...rest } = definition;
  const passwordHash = password === PASSWORD_MASK ? before : set;
  if (passwordHash !== null) return { definition: { ...rest, password: PASSWORD_MASK }, passwordHash };
  return { definition: password === null ? definition : rest, passwordHash };
}
