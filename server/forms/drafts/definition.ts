import type { FastifySchemaValidationError } from 'fastify';
import type { ErrorBag } from '../../../fields/property.ts';
import { requireObject } from '../../http/check-body.ts';
import { invalid } from '../../http/errors.ts';
import { createValidatorCompiler } from '../../http/validators.ts';
import { type CurrentForm, formProblems } from '../check-form-input.ts';
import { hashFormPassword, PASSWORD_MASK } from '../form-password.ts';
import { FORM_FIELDS, type FormInput, UpdateFormBody } from '../schemas.ts';

/** Members of a form's request body that may be half finished: of wrong types, empty, contradicting each other. */
export type DraftDefinition = { [key: string]: unknown };

type Validated = { errors?: FastifySchemaValidationError[] };

/** Compiled with the first definition that is judged. */
let validate: ReturnType<ReturnType<typeof createValidatorCompiler>> | undefined;

/** Everything that would keep the definition from being published, by the key of what is wrong. */
export function definitionProblems(definition: DraftDefinition, current: CurrentForm | null): ErrorBag {
  validate ??= createValidatorCompiler()({
    schema: UpdateFormBody,
    httpPart: 'body',
    method: 'PUT',
    url: '',
  });
  // Ajv keeps what it found on the function, as Fastify reads it.
  const { errors = [] } = validate(definition) ? {} : (validate as Validated);
  return formProblems(definition as FormInput, errors, current);
}

/** The members of a body that a form has; everything else is ignored. */
export function knownMembers(body: unknown): DraftDefinition {
  return Object.fromEntries(
    Object.entries(requireObject(body)).filter(([key]) => Object.hasOwn(FORM_FIELDS, key)),
  );
}

/**
 * The hash of a password that a definition sets.
 * @returns null where it sets none
 * @throws HttpError 422 for a password that is none, which cannot be kept for later.
 */
export async function hashNewPassword({ password }: DraftDefinition): Promise<string | null> {
  if (password === undefined || password === null || password === PASSWORD_MASK) return null;
  const { password: problems } = definitionProblems({ password }, null);
  if (problems) throw invalid({ password: problems });
  return hashFormPassword(String(password));
}

/**
 * Takes the password out of a definition: of passwords only a hash is ever stored.
 * @param set the hash of the one that it sets.
 * @param before the hash that a mask stands for, null for the form's own password.
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
