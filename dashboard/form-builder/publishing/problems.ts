import { isBlank, isOn } from '../../../fields/block-options/options.ts';
import { checkProperties } from '../../../fields/check-properties.ts';
import { fieldTypeOf } from '../../../fields/field-types.ts';
import { namedAnswers } from '../../../fields/formulas/named-answers.ts';
import { allowedActions } from '../../../fields/logic/check-logic.ts';
import type { Ending } from '../../../fields/logic/endings.ts';
import type { Property } from '../../../fields/property.ts';
import { MAX_REPEATED_QUESTIONS } from '../../../fields/repeated-questions.ts';
import { canonicalTypeName, isLayoutBlock, OPTION_TYPES } from '../../../fields/type-names.ts';
import { asFields, type Calculation, kindOfGone } from '../../calculations/fields.ts';
import { namedIn } from '../../calculations/formula-names.ts';
import { optionsGone } from '../../calculations/options-gone.ts';
import { integrationName } from '../../integrations/providers.ts';
import type { Integration } from '../../integrations/queries.ts';
import { listedQuestions } from '../blocks/questions.ts';
import type { Definition } from '../definition.ts';
import { optionName, optionsOf } from '../lists/choice-list.ts';
import { readGroup } from '../logic/condition-tree.ts';
import { actionsOf, isShownByLogic, makesDifference } from '../logic/logic-actions.ts';
import { missingIn } from '../logic/missing-names.ts';
import { neverMetReason } from '../logic/never-met.ts';
import { neverReason, type Place } from '../logic/reachable.ts';
import { WRONG_RETENTION } from '../options/retention-words.ts';
import { idsIn } from '../references.ts';
import { amountProblems } from './amount-problems.ts';
import { checkEngines } from './check-engines.ts';

const BAD_PATTERN = /invalid regex/;
const UNREADABLE = 'is not complete: the pattern cannot be read.';

/** Something to check before a form is published. */
export interface Problem {
  /** Null if it concerns the form. */
  blockId: string | null;
  text: string;
  /** Whether the service would refuse the form. */
  isBlocking: boolean;
}

/** What else of a form asks for answers. */
interface Users {
  calculations?: readonly Calculation[];
  endings?: readonly Pick<Ending, 'name' | 'conditions'>[];
  integrations?: readonly Pick<Integration, 'integration_id' | 'logic' | 'data'>[];
  /** Id of the field whose address senders confirm; null for none. */
  confirmed?: string | null;
}

/** All errors and oddities of a form, in its order. */
export function problemsOf(
  { title, properties }: Definition,
  { calculations = [], endings = [], integrations = [], confirmed = null }: Users = {},
): Problem[] {
  const problems: Problem[] = [];
  const add = (blockId: string | null, text: string, { isBlocking = false } = {}) => {
    problems.push({ blockId, text, isBlocking });
  };
  if (title.trim() === '') add(null, 'The form has no title.', { isBlocking: true });
  if (!properties.some(({ type }) => !isLayoutBlock(type))) add(null, 'The form asks nothing yet.');
  const refused = refusalsByBlock(properties);
  const known = new Set([...properties, ...calculations].map(({ id }) => id));
  const computed = new Set(calculations.map(({ id }) => id));
  properties.forEach((block, index) => {
    for (const text of refused.get(index) ?? []) add(block.id, text, { isBlocking: true });
    for (const text of oddities(block, index, properties, { known, computed })) add(block.id, text);
  });
  for (const { blockId, text } of amountProblems(properties, calculations)) add(blockId, text);
  for (const text of emptyPages(properties)) add(null, text);
  const countable = new Set([...namedAnswers(properties), ...calculations].map(({ id }) => id));
  for (const { name, formula } of calculations) {
    if ([...namedIn(formula)].some((id) => !countable.has(id)))
      add(
        null,
        `The calculation “${name}” counts with a question that was deleted, as if nobody answered it.`,
      );
    for (const { id, text } of optionsGone(formula, properties))
      add(id, `The calculation “${name}” asks for “${text}”, which is none of its options.`);
  }
  const fields = [...properties, ...asFields(calculations)];
  for (const { name, conditions } of endings) {
    const reason = neverMetReason(conditions, fields);
    if (reason !== null) add(null, `The ending “${name}” is not reached any more: ${reason}`);
  }
  if (confirmed !== null && !isEmailField(confirmed, properties))
    add(null, 'Nobody is asked to confirm an address any more: the e-mail field in the settings is gone.');
  const unsent = integrations.flatMap((integration) => {
    const reason = neverMetReason(integration.logic, fields) ?? unaddressedReason(integration, properties);
    return reason === null
      ? []
      : [`The integration “${integrationName(integration)}” sends nothing any more: ${reason}`];
  });
  for (const text of new Set(unsent)) add(null, text);
  return problems;
}

/** Why a mail to senders has no address to go to; null if it has one. */
function unaddressedReason(
  { integration_id: id, data }: Pick<Integration, 'integration_id' | 'data'>,
  properties: readonly Property[],
): string | null {
  if (id !== 'email_confirmation' || isEmailField(String(data.recipient_field), properties)) return null;
  return 'the e-mail field with the address is gone.';
}

function isEmailField(id: string, properties: readonly Property[]): boolean {
  return properties.some((block) => block.id === id && canonicalTypeName(block.type) === 'email');
}

/** What the service would refuse, in its words unless we have better ones. */
function refusalsByBlock(properties: readonly Property[]): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const [key, messages] of Object.entries(checkProperties([...properties], checkEngines))) {
    const [, index, path = ''] = /^properties\.(\d+)\.?(.*)$/.exec(key) ?? [];
    if (index === undefined) continue;
    const texts = found.get(Number(index)) ?? [];
    for (const message of messages) {
      const text = plainWords(path, message);
      if (!texts.includes(text)) texts.push(text);
    }
    found.set(Number(index), texts);
  }
  return found;
}

interface Wording {
  path: RegExp;
  /** Which of the messages at the path are meant; all if it is missing. */
  message?: RegExp;
  /** null for the service's own words. */
  words: string | null;
}

/** Words for what the service says, by the path below the block; the first that fits is taken. */
const WORDINGS: readonly Wording[] = [
  { path: /^questions$/, words: `It needs 1 to ${MAX_REPEATED_QUESTIONS} questions.` },
  { path: /^name$/, words: 'It has no name.' },
  { path: /^retention_days$/, message: /^(?!Questions)/, words: WRONG_RETENTION },
  { path: /options(\.\d+)?\.name$/, words: 'An option has no name.' },
  { path: /options(\.\d+)?\.image$/, words: 'An option has no picture.' },
  {
    path: /\.max_submissions_count$/,
    message: /field/,
    words: 'The places of an option are not a whole number from 0 on.',
  },
  { path: /options$/, message: /^At most/, words: null },
  { path: /options$/, words: 'It has no options to choose from.' },
  { path: /^rows$/, words: 'Some of its rows have no name.' },
  { path: /^columns$/, words: 'Some of its columns have no name.' },
  { path: /^logic$/, message: /actions/, words: 'Its logic does nothing: choose what happens.' },
  { path: /^logic$/, message: BAD_PATTERN, words: `A condition of its logic ${UNREADABLE}` },
  { path: /^logic$/, words: 'A condition of its logic is not complete.' },
  { path: /^validation$/, message: BAD_PATTERN, words: `A condition of its validation ${UNREADABLE}` },
  { path: /^validation$/, words: 'A condition of its validation is not complete.' },
  { path: /^image\.url$/, words: 'The address of its picture is none.' },
  {
    path: /^input_mask$/,
    words: 'Its pattern to fill in may hold only 9, a, *, ? and ( ) . - and spaces.',
  },
  { path: /^allowed_file_types$/, words: 'Its kinds of files are not a list of endings.' },
];

function plainWords(path: string, message: string): string {
  const [, question, inner = ''] = /^questions\.(\d+)\.?(.*)$/.exec(path) ?? [];
  if (question !== undefined) return `Question ${Number(question) + 1}: ${plainWords(inner, message)}`;
  const found = WORDINGS.find((one) => one.path.test(path) && (one.message?.test(message) ?? true));
  return found?.words ?? message;
}

function* oddities(
  block: Property,
  index: number,
  properties: readonly Property[],
  { known, computed }: { known: ReadonlySet<string>; computed: ReadonlySet<string> },
): Generator<string> {
  const { logic, validation } = block;
  for (const kind of kindsGone(idsIn(logic), known)) yield `Its logic asks about a ${kind} that was deleted.`;
  for (const kind of kindsGone(idsIn(validation), known))
    yield `Its validation asks about a ${kind} that was deleted.`;
  const type = canonicalTypeName(block.type);
  yield* oddOptions(block);
  for (const { kind, name } of missingIn(block, block.prefill))
    yield `It is filled in with “${name}”, which is none of its ${kind}s.`;
  if (type === 'repeat') yield* oddQuestions(listedQuestions(block));
  if (type === 'matrix' && (isBlank(block.rows) || isBlank(block.columns)))
    yield 'It has no rows or no columns.';
  if (type === 'nf-text' && isEmptyText(block.content)) yield 'It has no text yet, so nobody sees it.';
  if (/^nf-(image|video|audio)$/.test(type) && isBlank(block[`${type.slice(3)}_block`]))
    yield 'It has no address yet.';
  if (type === 'nf-image' && !isBlank(block.image_block) && isBlank(block.alt)) {
    yield 'It does not say what the image shows, for people who cannot see it.';
  }
  yield* oddLogic(block, { properties, calculations: computed, index });
}

function* oddOptions(block: Property): Generator<string> {
  const type = canonicalTypeName(block.type);
  if (!OPTION_TYPES.includes(type)) return;
  const names = optionsOf(block).map(optionName);
  if (new Set(names).size < names.length) yield 'Two of its options have the same name.';
  if (names.length > 0) return;
  const isRefused = block[type] !== undefined && !isOn(block.allow_creation);
  if (!isRefused) yield 'It has no options to choose from.';
}

/** Oddities of repeated questions. */
function* oddQuestions(questions: readonly Property[]): Generator<string> {
  const names = questions.map(({ name }) => name);
  if (new Set(names).size < names.length) yield 'Two of its questions have the same name.';
  for (const [index, question] of questions.entries())
    for (const text of oddOptions(question)) yield `Question ${index + 1}: ${text}`;
}

/** Facts about a block that make an action without effect, and how to solve that. */
const IDLE: Readonly<Record<string, string>> = {
  'show-block':
    'Its logic shows it, but it is shown anyway. Tick “Show it” under Logic, and it is hidden otherwise.',
  'hide-block':
    'Its logic hides it, but it is hidden anyway. Tick “Hide it” under Logic, and it is shown otherwise.',
  'require-answer': 'Its logic requires an answer, but one is required anyway.',
  'make-it-optional': 'Its logic makes it optional, but it is so anyway.',
  'enable-block': 'Its logic allows changes, but they are allowed anyway.',
  'disable-block': 'Its logic allows no changes, but none are allowed anyway.',
};

function* oddLogic(block: Property, place: Place): Generator<string> {
  const conditions = readGroup(block.logic?.conditions);
  const canBeShown = !isOn(block.hidden) || (conditions !== null && isShownByLogic(block));
  if (!canBeShown && fieldTypeOf(block.type).kind === 'input') {
    if (isOn(block.required))
      yield 'It is required but always hidden: nobody can answer it, so nothing is required.';
    else if (conditions !== null)
      yield 'It is always hidden, so nobody sees what its logic does. Tick “Show it” under Logic.';
  }
  if (conditions === null) return;
  yield* idleActions(block);
  const reason = canBeShown ? neverReason(conditions, place) : null;
  if (reason === null) return;
  yield isOn(block.hidden) ? `It can never be shown: ${reason}` : `Its logic never acts: ${reason}`;
}

/** Actions without effect. Those that are not allowed are refused, and reported as such. */
function* idleActions(block: Property): Generator<string> {
  const allowed = allowedActions(block);
  const chosen = actionsOf(block);
  for (const [action, text] of Object.entries(IDLE))
    if (allowed.includes(action) && chosen.includes(action) && !makesDifference(block, action)) yield text;
}

/** Whether it has only tags; a mention counts as text. */
function isEmptyText(content: Property[string]): boolean {
  if (typeof content !== 'string') return true;
  return !content.includes('mention') && content.replace(/<[^<>]*>|&nbsp;/g, '').trim() === '';
}

/** Empty pages are skipped when filling in, which may not be intended. */
function* emptyPages(properties: readonly Property[]): Generator<string> {
  let page = 1;
  let blocks = 0;
  const hasSeveral = properties.some(({ type }) => canonicalTypeName(type) === 'nf-page-break');
  for (const { type } of properties) {
    if (canonicalTypeName(type) !== 'nf-page-break') {
      blocks += 1;
      continue;
    }
    if (blocks === 0) yield `Page ${page} is empty, so it is skipped.`;
    page += 1;
    blocks = 0;
  }
  if (hasSeveral && blocks === 0) yield `Page ${page} is empty, so it is skipped.`;
}

function kindsGone(ids: ReadonlySet<string>, known: ReadonlySet<string>): Set<string> {
  return new Set([...ids].filter((id) => !known.has(id)).map(kindOfGone));
}
