import type { FastifySchemaValidationError } from 'fastify';
import { cellsProblem } from '../../../fields/cells.ts';
import { checkProperties, isNamedBlock } from '../../../fields/check-properties.ts';
import { namedAnswers } from '../../../fields/formulas/named-answers.ts';
import { variableProblems } from '../../../fields/formulas/variables.ts';
import { addError, type ErrorBag, isJsonObject, type Property } from '../../../fields/property.ts';
import { serverEngines } from '../../../fields/server-engines.ts';
import { hasTranslation, translated } from '../../../fields/texts/translations.ts';
import { canonicalTypeName } from '../../../fields/type-names.ts';
import { invalid } from '../../http/errors.ts';
import { readMoment } from '../../http/schemas/moments.ts';
import { isClearOf, validationMessages } from '../../http/schemas/validation-messages.ts';
import { slugProblem } from '../address/slug.ts';
import { PASSWORD_MASK } from '../form-password.ts';
import { FORM_LANGUAGES, type FormInput, type Presentation } from '../schemas.ts';
import { endingProblems } from './check-endings.ts';
import { paymentProblems } from './check-payment.ts';
import { cssProblem } from './custom-css.ts';

/** Characters of all formulas of a form. */
const MAX_FORMULAS = 50_000;
const IS_BLOCK = /^\/properties\/\d+$/;

/** The form that an update is checked against. */
export interface CurrentForm {
  slug: string;
  submission_retention_value: number | null;
  properties: readonly Property[];
  presentation: Partial<Presentation>;
}

/**
 * Checks the rules that a schema cannot state, and reports all problems together with those of the schema.
 * @param problems found by the schema
 * @param current null for a form that is about to be created
 * @throws HttpError 422
 */
export function checkFormInput(
  input: FormInput,
  problems: readonly FastifySchemaValidationError[],
  current: CurrentForm | null,
): void {
  const errors = formProblems(input, problems, current);
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** The problems that `checkFormInput` reports, by the key of what is wrong; empty when there are none. */
export function formProblems(
  input: FormInput,
  problems: readonly FastifySchemaValidationError[],
  current: CurrentForm | null,
): ErrorBag {
  // Items that are no blocks are left to `checkProperties`, which reports them with a number.
  const errors = validationMessages(problems.filter(({ instancePath }) => !IS_BLOCK.test(instancePath)));
  if (errors.body) return errors;
  const check = <Key extends keyof FormInput>(
    key: Key,
    rule: (value: NonNullable<FormInput[Key]>) => void,
  ) => {
    const value = input[key];
    if (value !== undefined && value !== null && isClearOf(errors, key)) rule(value);
  };
  const refuse = (key: string, message: string | null) => message && addError(errors, key, message);

  check('slug', (slug) => refuse('slug', slug === current?.slug ? null : slugProblem(slug)));
  for (const key of ['opens_at', 'closes_at'] as const)
    check(key, (text) =>
      refuse(key, readMoment(text) ? null : `The ${key.replace('_', ' ')} is not a valid date.`),
    );
  check('submission_retention_unit', () =>
    refuse('submission_retention_value', retentionProblem(input, current)),
  );
  check('password', (text) => refuse('password', current ? null : maskProblem(text)));
  check('custom_css', (css) => refuse('custom_css', cssProblem(css)));
  check('analytics', ({ provider, tracking_id: id }) =>
    refuse('analytics.tracking_id', provider && !id ? 'The Tracking Id field is required.' : null),
  );
  check('computed_variables', (variables) => {
    checkVariables(variables, errors);
    refuse('computed_variables', formulasProblem(variables));
    const sent: unknown = input.properties;
    const blocks: readonly unknown[] = Array.isArray(sent) ? sent : (current?.properties ?? []);
    // A stored formula may be sent back as it was read, even if it names a field that is gone.
    const stored = new Map(current?.presentation.computed_variables?.map(({ id, formula }) => [id, formula]));
    variableProblems(variables, idsOf(blocks)).forEach((problem, index) => {
      const { id, formula } = variables[index] ?? {};
      if (formula !== stored.get(id ?? '')) refuse(`computed_variables.${index}.formula`, problem);
    });
  });
  check('endings', (endings) => {
    const blocks = (Array.isArray(input.properties) ? input.properties : current?.properties) ?? [];
    const stored = current?.presentation.endings ?? [];
    for (const [key, message] of endingProblems(endings, blocks.filter(isNamedBlock), stored))
      refuse(key, message);
  });
  check('settings', ({ confirms_email: field }) => {
    const blocks = (Array.isArray(input.properties) ? input.properties : current?.properties) ?? [];
    const stored = current?.presentation.settings?.confirms_email;
    // A stored one may be sent back as it was read, even if the field is gone.
    if (typeof field === 'string' && field !== stored)
      refuse('settings.confirms_email', confirmedFieldProblem(field, blocks.filter(isNamedBlock)));
  });
  check('properties', (properties) => {
    for (const [key, messages] of Object.entries(checkProperties(properties, serverEngines)))
      for (const message of messages) addError(errors, key, message);
  });
  if (Object.keys(errors).length === 0)
    for (const [key, message] of paymentProblems(chargingForm(input, current))) refuse(key, message);
  if (Object.keys(errors).length === 0) refuse('translations', cellsOfTranslationsProblem(input, current));
  return errors;
}

/** The parts of the form as it will be that decide what is paid. */
function chargingForm(
  { properties, computed_variables: variables, settings }: FormInput,
  current: CurrentForm | null,
) {
  const { computed_variables: known = [], settings: stored } = current?.presentation ?? {};
  const confirmed = (settings ?? stored)?.confirms_email;
  return {
    properties: (properties ?? current?.properties ?? []) as Property[],
    variables: variables ?? known,
    confirmsEmail: typeof confirmed === 'string' ? confirmed : null,
  };
}

/** Labels of rows and columns may be longer than their names. */
function cellsOfTranslationsProblem(
  { properties: blocks, translations: texts }: FormInput,
  current: CurrentForm | null,
): string | null {
  if (blocks === undefined && texts === undefined) return null;
  const properties = (blocks ?? current?.properties ?? []) as Property[];
  const presentation = { translations: texts ?? current?.presentation.translations };
  const problems = FORM_LANGUAGES.filter((code) => hasTranslation(presentation.translations, code)).map(
    (code) => cellsProblem(translated({ title: '', presentation, properties }, code).properties),
  );
  return problems.find((problem) => problem !== null) ?? null;
}

function confirmedFieldProblem(id: string, properties: readonly Property[]): string | null {
  const field = properties.find((property) => property.id === id);
  if (field === undefined) return 'The form has no field with this id.';
  return canonicalTypeName(field.type) === 'email' ? null : 'Only an e-mail field has an address to confirm.';
}

/** A form as it is returned names a unit even if it keeps everything, so one beside `null` is fine. */
function retentionProblem(input: FormInput, current: CurrentForm | null): string | null {
  const hasValue = input.submission_retention_value !== undefined || current?.submission_retention_value;
  if (hasValue) return null;
  return 'The submission retention value field is required when submission retention unit is present.';
}

function maskProblem(password: string): string | null {
  return password === PASSWORD_MASK ? 'The password cannot be a mask.' : null;
}

function idsOf(blocks: readonly unknown[]): Set<string> {
  const fields = blocks.filter((block) => isJsonObject(block) && typeof block.id === 'string');
  return new Set(namedAnswers(fields as Property[]).map(({ id }) => id));
}

/** Limits the length of all formulas: parsed ones take a hundred times as much memory, and forms answered lately are cached. */
function formulasProblem(variables: FormInput['computed_variables'] & object): string | null {
  const length = variables.reduce((sum, { formula }) => sum + formula.length, 0);
  if (length <= MAX_FORMULAS) return null;
  return `The formulas must not have more than ${MAX_FORMULAS} characters together.`;
}

function checkVariables(variables: FormInput['computed_variables'] & object, errors: ErrorBag): void {
  for (const [key, textOf] of [
    ['id', (variable: { id: string }) => variable.id],
    ['name', (variable: { name: string }) => variable.name.toLowerCase()],
  ] as const) {
    const seen = new Set<string>();
    variables.forEach((variable, index) => {
      const text = textOf(variable);
      if (seen.has(text))
        addError(errors, `computed_variables.${index}.${key}`, `The ${key} has already been taken.`);
      seen.add(text);
    });
  }
}
