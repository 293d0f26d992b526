import { MAX_PROPERTIES } from '../../../fields/check-properties.ts';
import type { JsonValue, Property } from '../../../fields/property.ts';
import { type Choices, choicesOf } from '../choices.ts';
import { countOf, numberOf } from '../json.ts';
import { type Maker, makeForm } from '../maker.ts';
import { numberLimits } from '../number-limits.ts';
import { asName, inOneLanguage, mapWords, type Words } from '../words.ts';
import { type LimeNames, limeNames } from './expressions.ts';
import { attribute, type LimeOption, type LimeQuestion, type LimeSurvey } from './survey.ts';
import { cleanWords, hasMedia, LIME_PIPE } from './texts.ts';
import { type FixedWord, fixedWord } from './words.ts';

/** Types with a question for each row or cell, which texts can mention. */
const OF_INPUTS = /^[QK:;]$/;
/** The present day as a default value. */
const IS_TODAY = /^(?:today|now|\{\s*date\(["']Y-m-d["']\)\s*\})$/i;

export interface LimeContext {
  maker: Maker;
  names: LimeNames;
  survey: LimeSurvey;
  /** Those of all groups. */
  questions: readonly LimeQuestion[];
  /** Whether a question for each cell of its tables would be too many. */
  isLarge: boolean;
  /** A text without scripts, whose expressions are mentions. */
  clean(words: Words, about: string): Words;
  /** Rows and cells that became questions, by the ids of these. */
  inputs: Map<string, LimeInput>;
}

export interface LimeInput {
  /** Its name in expressions. */
  source: string;
  relevance: string;
}

/** Adds a question's block. */
export type Ask = (type: string, options?: Record<string, JsonValue>, choices?: Choices) => Property;

export interface LimeTexts {
  name: Words;
  help: Words;
}

/** An empty form for a survey. */
export function limeContext(survey: LimeSurvey): LimeContext {
  const maker = makeForm(LIME_PIPE);
  const questions = survey.groups.flatMap((group) => group.questions);
  const names = limeNames(maker, new Map(questions.map(({ number, code }) => [number, code])));
  const mentionable = mentionableIn(questions);
  // Before any text mentions one: a mention would take its name for a question.
  for (const { code, type } of questions) if (type === '*') maker.calculationId(code);
  const blocks = questions.reduce((sum, question) => sum + blocksOf(question), 2 * survey.groups.length);
  return {
    maker,
    names,
    survey,
    questions,
    isLarge: blocks > MAX_PROPERTIES,
    inputs: new Map(),
    clean: (words, about) =>
      cleanWords(words, {
        mentionable: (name) => {
          const code = names.codeOf(name);
          return mentionable.has(code) ? code : undefined;
        },
        note: (text) => maker.note(about, text),
      }),
  };
}

/** How many blocks a question takes, or more. */
function blocksOf({ type, parts: [rows = [], columns = []] }: LimeQuestion): number {
  if (type === 'Q' || type === 'K') return rows.length + 2;
  if (type === 'P') return rows.length + 1;
  return type === ':' || type === ';' ? rows.length * columns.length + 2 : 2;
}

/** The names that texts can mention: questions, and rows and cells that become questions. */
function mentionableIn(questions: readonly LimeQuestion[]): ReadonlySet<string> {
  return new Set(
    questions.flatMap(({ code, type, parts: [rows = [], columns = []] }) => {
      if (type === 'X' || type === 'I') return [];
      if (!OF_INPUTS.test(type)) return [code, ...(type === 'O' ? [`${code}_comment`] : [])];
      const named = rows.map((row) => `${code}_${row.code}`);
      return columns.length === 0
        ? named
        : named.flatMap((name) => columns.map((column) => `${name}_${column.code}`));
    }),
  );
}

/** A text of the survey itself, by its name without `surveyls_`. */
export function surveyText(name: string, { survey, clean }: LimeContext): Words {
  return clean(survey.text(name), '');
}

export function textsOf({ type, code, about, text, help }: LimeQuestion, context: LimeContext): LimeTexts {
  const name = context.clean(text, about);
  if (hasMedia(text) && type !== 'X')
    context.maker.note(about, 'Its name cannot have pictures or films: they are left out.');
  return {
    name: asName(name.text) === '' && type !== 'X' ? inOneLanguage(code) : name,
    help: context.clean(help, about),
  };
}

export function isRequired({ mandatory }: LimeQuestion): boolean {
  return mandatory === 'Y';
}

/** A word of LimeSurvey in the form's languages. */
export function wordIn(key: FixedWord, { survey: { languages } }: LimeContext): Words {
  return fixedWord(key, languages.code, languages.others.values());
}

/** What stands before and behind an input. */
export function aroundAnswer({ attributes }: LimeQuestion): Words {
  const [given, before, behind] = ['placeholder', 'prefix', 'suffix'].map((name) => attributes.get(name));
  if (given?.text) return given;
  if (!before?.text || !behind?.text) return before?.text ? before : (behind ?? inOneLanguage(''));
  return mapWords(before, (text) => `${text} … ${behind.text}`);
}

/** The options of a number; limits that depend on other answers are checks. */
export function numberOptions(question: LimeQuestion): Record<string, JsonValue> {
  const limit = (name: string) => decimalOf(attribute(question, name));
  return {
    ...numberLimits(limit('min_num_value_n'), limit('max_num_value_n')),
    ...(attribute(question, 'num_value_int_only') === '1' && { whole_number: true }),
  };
}

/** A number, which may begin with its point. */
export function decimalOf(text: string): number | undefined {
  return numberOf(text.trim().replace(/^\./, '0.'));
}

/** The most characters of a text. */
export function textOptions(question: LimeQuestion): Record<string, JsonValue> {
  const most = countOf(attribute(question, 'maximum_chars'));
  return most === undefined ? {} : { max_char_limit: most };
}

export function prefillOf(
  type: string,
  said: string,
  choices: Choices | undefined,
): Record<string, JsonValue> | undefined {
  if (type === 'date' && IS_TODAY.test(said)) return { prefill_today: true };
  if (/\{/.test(said)) return undefined;
  if (type === 'select') {
    const name = choices?.bySource.get(said);
    return name === undefined ? undefined : { prefill: name };
  }
  if (['number', 'scale', 'rating', 'slider'].includes(type)) {
    const number = numberOf(said);
    return number === undefined ? undefined : { prefill: number };
  }
  if (type === 'date') return /^\d{4}-\d\d-\d\d$/.test(said) ? { prefill: said } : undefined;
  return type === 'text' ? { prefill: said } : undefined;
}

/** Options with their codes; the code stands for an option without words, such as a picture. */
export function limeChoices(options: readonly LimeOption[], about: string, context: LimeContext): Choices {
  return choicesOf(
    options.map(({ code, words }) => {
      const clean = mapWords(context.clean(words, about), (text) => text.replace(LIME_PIPE, '…'));
      return asName(clean.text) === '' ? { ...clean, text: code } : clean;
    }),
    options.map(({ code }) => [code]),
  );
}

/** `Question [Row][Column]`, as exports name their columns. */
export function partOf(question: Words, ...parts: readonly Words[]): Words {
  const codes = [question, ...parts].flatMap(({ others }) => Object.keys(others));
  const joined = (textIn: (words: Words) => string) =>
    `${asName(textIn(question))} ${parts.map((part) => `[${asName(textIn(part))}]`).join('')}`;
  return {
    text: joined(({ text }) => text),
    others: Object.fromEntries(
      codes.map((code) => [code, joined(({ text, others }) => others[code] ?? text)]),
    ),
  };
}

/** Tells what is asked above several questions. */
export function tellQuestion({ name, help }: LimeTexts, { maker }: LimeContext): void {
  maker.tell(name);
  maker.tell(help);
}

export function rowsOf(
  rows: readonly LimeQuestion[],
  { about }: LimeQuestion,
  context: LimeContext,
): Choices {
  return limeChoices(
    rows.map(({ code, text }) => ({ code, words: text })),
    about,
    context,
  );
}
