import type { JsonValue } from '../../../fields/property.ts';
import { numberOf } from '../json.ts';
import { scaleHelp } from '../scale-help.ts';
import { asName, inOneLanguage, mapWords, type Words } from '../words.ts';
import { askCells, askTicks } from './cells.ts';
import {
  aroundAnswer,
  isRequired,
  type LimeContext,
  type LimeTexts,
  limeChoices,
  numberOptions,
  partOf,
  prefillOf,
  rowsOf,
  tellQuestion,
  textOptions,
  wordIn,
} from './context.ts';
import { attribute, type LimeOption, type LimeQuestion } from './survey.ts';

/** Adds a question with rows: a matrix, or a question for each row or cell. */
export function askLimeArray(question: LimeQuestion, texts: LimeTexts, context: LimeContext): void {
  const { maker } = context;
  const [rows = []] = question.parts;
  if (rows.length === 0) maker.note(question.about, 'It is left out: it has no rows.');
  else if (question.type === 'Q' || question.type === 'K') askInputs(question, texts, context);
  else if (question.type === '1') askDualScale(question, texts, context);
  else if (question.type === ':' && attribute(question, 'multiflexible_checkbox') === '1')
    askTicks(question, texts, context);
  else if (question.type === ':' || question.type === ';') askCells(question, texts, context);
  else {
    if (question.type === 'H') maker.note(question.about, 'Its rows and columns have changed places.');
    const columns = columnsOf(question, context);
    askMatrix(question, { code: question.code, part: '', texts, columns }, context);
  }
}

/** The columns of an array; those of some types are fixed. */
function columnsOf(
  { type, options: [listed = []] }: LimeQuestion,
  context: LimeContext,
): readonly LimeOption[] {
  const word = (code: string, key: Parameters<typeof wordIn>[0]) => ({ code, words: wordIn(key, context) });
  const points = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ code: `${at + 1}`, words: inOneLanguage(`${at + 1}`) }));
  switch (type) {
    case 'A':
      return points(5);
    case 'B':
      return points(10);
    case 'C':
      return [word('Y', 'yes'), word('U', 'uncertain'), word('N', 'no')];
    case 'E':
      return [word('I', 'increase'), word('S', 'same'), word('D', 'decrease')];
    default:
      return listed;
  }
}

interface Scale {
  code: string;
  /** What follows the code of a row in expressions. */
  part: string;
  texts: LimeTexts;
  columns: readonly LimeOption[];
}

/** Asks for one answer in each row on one scale. */
function askMatrix(
  question: LimeQuestion,
  { code, part, texts, columns }: Scale,
  context: LimeContext,
): void {
  const { maker, names } = context;
  const [rows = []] = question.parts;
  const named = rowsOf(rows, question, context);
  const offered = limeChoices(columns, question.about, context);
  if (offered.names.length === 0) {
    maker.note(question.about, 'It has no columns. Here it takes any text in each row.');
    askInputs({ ...question, type: 'Q' }, texts, context);
    return;
  }
  const block = maker.ask(
    code,
    'matrix',
    { ...texts, labels: [...named.words, ...offered.words] },
    { required: isRequired(question), rows: named.names, columns: offered.names },
  );
  rows.forEach((row, at) => {
    names.addRow(`${question.code}_${row.code}${part}`, block, named.names[at] ?? '', offered.bySource);
    if (!/^1?$/.test(row.relevance.trim()))
      maker.note(
        block.name,
        `When “${named.names[at]}” is asked is left out. Here it always is: ${row.relevance}`,
      );
  });
  if (attribute(question, 'random_order') === '1')
    maker.note(block.name, 'Its rows were shuffled. Here they stand in their order.');
}

/** Two scales are two matrices. */
function askDualScale(question: LimeQuestion, texts: LimeTexts, context: LimeContext): void {
  ['A', 'B'].forEach((letter, index) => {
    const columns = question.options[index] ?? [];
    if (columns.length === 0) return;
    const given = question.attributes.get(`dualscale_header${letter}`);
    const header = given?.text
      ? context.clean(given, asName(texts.name.text))
      : inOneLanguage(`Scale ${index + 1}`);
    const name = partOf(texts.name, header);
    const help = index === 0 ? texts.help : inOneLanguage('');
    const scale = { code: `${question.code}_${index}`, part: `_${index}`, texts: { name, help }, columns };
    askMatrix(question, scale, context);
  });
}

/** Several short texts or numbers asked together are questions below a text. */
function askInputs(question: LimeQuestion, texts: LimeTexts, context: LimeContext): void {
  const [rows = []] = question.parts;
  tellQuestion(texts, context);
  const type = inputType(question);
  const options = INPUT_OPTIONS[type](question);
  const separator = attribute(question, 'slider_separator') || '|';
  for (const row of rows) {
    const said = context.clean(row.text, question.about);
    const name = type === 'slider' ? mapWords(said, (text) => text.split(separator)[0] ?? '') : said;
    const source = `${question.code}_${row.code}`;
    const block = context.maker.ask(
      source,
      type,
      {
        name: asName(name.text) === '' ? inOneLanguage(row.code) : name,
        ...(type === 'slider'
          ? { help: sliderHelp(said, separator, options) }
          : { placeholder: aroundAnswer(question) }),
      },
      { required: isRequired(question), ...options, ...defaultOf(question, row, type, context) },
    );
    context.inputs.set(block.id, { source, relevance: row.relevance });
  }
}

const INPUT_OPTIONS = { slider: sliderOptions, number: numberOptions, text: textOptions };

function inputType(question: LimeQuestion): keyof typeof INPUT_OPTIONS {
  const isNumber = question.type === 'K' || attribute(question, 'numbers_only') === '1';
  if (question.type === 'K' && attribute(question, 'slider_layout') === '1') return 'slider';
  return isNumber ? 'number' : 'text';
}

function defaultOf(
  question: LimeQuestion,
  { code }: LimeQuestion,
  type: string,
  { maker }: LimeContext,
): Record<string, JsonValue> {
  const said = question.defaults.get(code) ?? attribute(question, type === 'slider' ? 'slider_default' : '');
  if (said === '') return {};
  const prefill = prefillOf(type, said, undefined);
  if (prefill === undefined) maker.note(question.about, `What “${code}” began with is left out: ${said}`);
  return prefill ?? {};
}

function sliderOptions(question: LimeQuestion): Record<string, number> {
  const value = (name: string, usual: number) => numberOf(attribute(question, name)) ?? usual;
  return {
    slider_min_value: value('slider_min', 0),
    slider_max_value: value('slider_max', 100),
    slider_step_value: value('slider_accuracy', 1),
  };
}

/** The text of a slider may name its ends: `Effort|little|much`. */
function sliderHelp(said: Words, separator: string, options: Record<string, JsonValue>): Words {
  const part = (at: number) => mapWords(said, (text) => asName(text.split(separator)[at] ?? ''));
  return scaleHelp(inOneLanguage(''), [
    [Number(options.slider_min_value), part(1)],
    [Number(options.slider_max_value), part(2)],
  ]);
}
