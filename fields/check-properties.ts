import { ATTRIBUTION_PREFIX } from './attribution-keys.ts';
import { retentionProblems } from './block-options/answer-retention.ts';
import { autofillProblems } from './block-options/autofill.ts';
import { imageProblems } from './block-options/check-image.ts';
import { enumProblems, flagProblems } from './block-options/option-checks.ts';
import { isBlankText, isUnset } from './block-options/options.ts';
import { CAPTCHA_TOKEN_NAMES } from './captcha-tokens.ts';
import { cellsProblem } from './cells.ts';
import { limitPaths } from './choices/choices.ts';
import type { FieldEngines } from './engines.ts';
import type { OptionProblem } from './field-type.ts';
import { fieldTypeOf } from './field-types.ts';
import { checkConditions, checkPropertyLogic, incompleteConditions } from './logic/check-logic.ts';
import { hasConditions } from './logic/logic.ts';
import {
  addError,
  type ErrorBag,
  emptyErrorBag,
  isJsonObject,
  type JsonObject,
  type Property,
} from './property.ts';
import { MAX_REPEATED_QUESTIONS, REPEATABLE_TYPES } from './repeated-questions.ts';
import { canonicalTypeName } from './type-names.ts';

/** Blocks of a form. */
export const MAX_PROPERTIES = 500;
/** Patterns of a form; compiling a large one takes some 20 ms. */
const MAX_PATTERNS = 100;
/** Conditions of a form: every submission may be compared with all of them, with answers of 100,000 characters. */
const MAX_CONDITIONS = 1000;

/**
 * Members of a submission's body that are no answers; members and export columns of every submission, which would hide an answer of the
 * same name; and a key that is special in JavaScript objects.
 */
export const RESERVED_IDS: ReadonlySet<string> = new Set([
  'completion_time',
  'is_partial',
  'submission_hash',
  'submission_id',
  'tracking_parameters',
  'captcha',
  ...CAPTCHA_TOKEN_NAMES,
  'id',
  'status',
  'created_at',
  'updated_at',
  '__proto__',
]);
const ID = /^[!-~]{1,64}$/;

const REQUIRED_TEXTS = ['name', 'type'];
const TEXTS = ['help', 'placeholder'];
/** Checked on every block, whatever its type. */
const FLAGS = [
  'hidden',
  'required',
  'disabled',
  'multiple',
  'use_toggle_switch',
  'generates_uuid',
  'generates_auto_increment_id',
];
const ENUMS = {
  help_position: ['below_input', 'above_input'],
  width: ['full', '1/2', '1/3', '2/3', '3/4', '1/4'],
  align: ['left', 'center', 'right', 'justify'],
};

/**
 * Checks the blocks of a form that is about to be saved. Accepts any JSON, and reports every error under `properties.<index>.<field>`
 * and `properties`. Ids must be unique; a block without an id gets a UUID from the caller.
 */
export function checkProperties(properties: unknown, engines: FieldEngines): ErrorBag {
  const errors = emptyErrorBag();
  if (!Array.isArray(properties)) {
    addError(errors, 'properties', 'The properties must be an array.');
    return errors;
  }
  if (properties.length > MAX_PROPERTIES) {
    addError(errors, 'properties', `The properties may not have more than ${MAX_PROPERTIES} items.`);
    return errors;
  }
  if (countConditions(properties) > MAX_CONDITIONS) {
    addError(errors, 'properties', `A form may not have more than ${MAX_CONDITIONS} conditions.`);
    return errors;
  }
  const blocks = properties.filter(isNamedBlock);
  const tooLarge = cellsProblem(properties);
  if (tooLarge !== null) {
    addError(errors, 'properties', tooLarge);
    return errors;
  }
  const limited = withPatternLimit(engines, MAX_PATTERNS);
  const ids = new Set<string>();
  properties.forEach((block: unknown, index) => {
    for (const { path, message } of blockProblems(block, index + 1, { ids, blocks, engines: limited })) {
      addError(errors, path === '' ? `properties.${index}` : `properties.${index}.${path}`, message);
    }
  });
  if (Object.keys(errors).length > 0) {
    addError(errors, 'properties', 'One or more properties have validation errors.');
  }
  return errors;
}

/** What a block is checked against. */
interface Surroundings {
  /** Ids of the blocks before it, to which its own is added. */
  ids: Set<string>;
  /** Whose answers its conditions may be about. */
  blocks: readonly Property[];
  engines: FieldEngines;
}

function blockProblems(block: unknown, number: number, surroundings: Surroundings): OptionProblem[] {
  const { ids, blocks, engines } = surroundings;
  if (!isJsonObject(block))
    return [{ path: '', message: `The form block number ${number} must be an object.` }];
  const problems = [...idProblems(block, number, ids), ...textProblems(block, number)];
  if (typeof block.type !== 'string' || block.type === '') return problems;
  const property = block as Property; // its options are still anything; every check below reads them as such
  return [
    ...problems,
    ...flagProblems(property, FLAGS),
    ...Object.entries(ENUMS).flatMap(([key, values]) => enumProblems(property, key, values)),
    ...imageProblems(block.image),
    ...retentionProblems(block),
    ...autofillProblems(property),
    ...fieldTypeOf(block.type).checkOptions(property),
    ...questionProblems(property, engines),
    ...checkPropertyLogic(property, blocks, engines).map((message) => ({ path: 'logic', message })),
    ...validationProblems(property, blocks, engines),
  ];
}

/** Problems of repeated questions. Each is like a block, but without logic. */
function questionProblems({ type, questions }: Property, engines: FieldEngines): OptionProblem[] {
  if (canonicalTypeName(type) !== 'repeat') return [];
  if (!Array.isArray(questions) || questions.length === 0 || questions.length > MAX_REPEATED_QUESTIONS) {
    const message = `The questions field must be an array of 1 to ${MAX_REPEATED_QUESTIONS} questions.`;
    return [{ path: 'questions', message }];
  }
  const among = { ids: new Set<string>(), blocks: [], engines };
  return questions.flatMap((question, index) =>
    repeatedProblems(question, index + 1, among).map(({ path, message }) => ({
      path: ['questions', index, ...(path === '' ? [] : [path])].join('.'),
      message,
    })),
  );
}

function repeatedProblems(question: unknown, number: number, among: Surroundings): OptionProblem[] {
  if (!isJsonObject(question) || typeof question.type !== 'string' || question.type === '')
    return blockProblems(question, number, among);
  if (!REPEATABLE_TYPES.includes(canonicalTypeName(question.type))) {
    return [{ path: 'type', message: `The type must be one of: ${REPEATABLE_TYPES.join(', ')}` }];
  }
  const ruled = ['logic', 'validation'].filter((key) => hasConditions(question[key]));
  return [
    ...ruled.map((path) => ({ path, message: 'Questions that are repeated have no conditions.' })),
    ...limitProblems(question as Property),
    ...keptProblems(question),
    ...blockProblems({ ...question, logic: null, validation: null }, number, among),
  ];
}

/** Repeated questions cannot have options with a limit, as places are counted per submission. */
function limitProblems(question: Property): OptionProblem[] {
  const message = 'Options of questions that are repeated have no limit.';
  return limitPaths(question, canonicalTypeName(question.type)).map((path) => ({ path, message }));
}

/** Entries are kept and removed as a whole. */
function keptProblems({ retention_days: days }: JsonObject): OptionProblem[] {
  if (isUnset(days) || days === '') return [];
  return [{ path: 'retention_days', message: 'Questions that are repeated have no retention of their own.' }];
}

/** Counts the comparisons in a tree of conditions, or in all conditions of blocks. */
export function countConditions(node: unknown): number {
  if (Array.isArray(node)) return node.reduce((count: number, item) => count + countConditions(item), 0);
  if (!isJsonObject(node)) return 0;
  const { logic, validation, conditions, error_conditions, children, operator } = node;
  const inner = [logic, validation, conditions, error_conditions, children, node.value];
  return inner.reduce((count: number, item) => count + countConditions(item), operator === undefined ? 0 : 1);
}

/** Engines for which patterns beyond the limit are invalid. */
export function withPatternLimit(engines: FieldEngines, limit: number): FieldEngines {
  let patterns = 0;
  const isValidPattern = (pattern: string) => {
    patterns += 1;
    return patterns <= limit && engines.isValidPattern(pattern);
  };
  return { ...engines, isValidPattern };
}

function idProblems(block: JsonObject, number: number, ids: Set<string>): OptionProblem[] {
  const { id } = block;
  if (id === undefined) return [];
  if (id === null || id === '')
    return [{ path: 'id', message: `The form block number ${number} is missing an id.` }];
  if (typeof id !== 'string' || !ID.test(id)) {
    return [{ path: 'id', message: 'The id must be 1 to 64 visible ASCII characters.' }];
  }
  if (RESERVED_IDS.has(id)) return [{ path: 'id', message: 'The id is reserved for another purpose.' }];
  if (id.startsWith(ATTRIBUTION_PREFIX)) {
    return [
      { path: 'id', message: `The id may not begin with "${ATTRIBUTION_PREFIX}": columns of exports do.` },
    ];
  }
  if (ids.has(id)) return [{ path: 'id', message: 'The id has already been taken by another block.' }];
  ids.add(id);
  return [];
}

function textProblems(block: JsonObject, number: number): OptionProblem[] {
  const missing = REQUIRED_TEXTS.filter((path) => isUnset(block[path]) || isBlankText(block[path]));
  const wrong = [...REQUIRED_TEXTS, ...TEXTS].filter(
    (path) => !isUnset(block[path]) && typeof block[path] !== 'string',
  );
  return [
    ...missing.map((path) => ({ path, message: `The form block number ${number} is missing a ${path}.` })),
    ...wrong.map((path) => ({ path, message: `The ${path} must be a valid text.` })),
  ];
}

function validationProblems(
  property: Property,
  blocks: readonly Property[],
  engines: FieldEngines,
): OptionProblem[] {
  const validation: unknown = property.validation;
  if (!hasConditions(validation)) return [];
  if (!isJsonObject(validation))
    return [{ path: 'validation', message: 'The validation must be an object.' }];
  const { error_conditions: rule, error_message: text } = validation;
  const problems: OptionProblem[] = [];
  if (!isUnset(text) && typeof text !== 'string') {
    problems.push({ path: 'validation.error_message', message: 'The error_message must be a valid text.' });
  }
  const conditions = isJsonObject(rule) ? rule.conditions : rule;
  const details = checkConditions(conditions, blocks, engines);
  if (details.length > 0) {
    problems.push({ path: 'validation', message: incompleteConditions('validation', property, details) });
  }
  return problems;
}

/** Whether this has what conditions need to know of a block. */
export function isNamedBlock(block: unknown): block is Property {
  return isJsonObject(block) && typeof block.id === 'string' && typeof block.type === 'string';
}
