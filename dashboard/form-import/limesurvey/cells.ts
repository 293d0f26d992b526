import type { JsonValue } from '../../../fields/property.ts';
import { optionsOf } from '../choices.ts';
import { numberLimits } from '../number-limits.ts';
import { inOneLanguage } from '../words.ts';
import {
  decimalOf,
  isRequired,
  type LimeContext,
  type LimeTexts,
  partOf,
  rowsOf,
  tellQuestion,
  textOptions,
} from './context.ts';
import { attribute, type LimeQuestion } from './survey.ts';

/** Numbers that a table offers if it does not say which. */
const OFFERED = { min: 1, max: 10, step: 1 };

/** A table of boxes is a question with several options for each row. */
export function askTicks(question: LimeQuestion, { name, help }: LimeTexts, context: LimeContext): void {
  const { maker, names } = context;
  const [rows = [], columns = []] = question.parts;
  const named = rowsOf(rows, question, context);
  rows.forEach((row, at) => {
    const choices = rowsOf(columns, question, context);
    const source = `${question.code}_${row.code}`;
    const block = maker.ask(
      source,
      'multi_select',
      { name: partOf(name, named.words[at] ?? inOneLanguage(row.code)), help, labels: choices.words },
      { required: isRequired(question), ...optionsOf('multi_select', choices) },
      choices,
    );
    context.inputs.set(block.id, { source, relevance: row.relevance });
    for (const [code, option] of choices.bySource) names.addOption(`${source}_${code}`, block, option);
  });
}

/** A table of texts or numbers is a question for each cell. */
export function askCells(question: LimeQuestion, texts: LimeTexts, context: LimeContext): void {
  if (context.isLarge) {
    askLines(question, texts, context);
    return;
  }
  const [rows = [], columns = []] = question.parts;
  tellQuestion(texts, context);
  const named = rowsOf(rows, question, context);
  const headed = rowsOf(columns, question, context);
  const isNumber = question.type === ':' || attribute(question, 'numbers_only') === '1';
  const options = isNumber ? offeredNumbers(question, context) : textOptions(question);
  rows.forEach((row, at) => {
    columns.forEach((column, index) => {
      const name = partOf(
        named.words[at] ?? inOneLanguage(row.code),
        headed.words[index] ?? inOneLanguage(column.code),
      );
      const source = `${question.code}_${row.code}_${column.code}`;
      const block = context.maker.ask(
        source,
        isNumber ? 'number' : 'text',
        { name },
        { required: isRequired(question), ...options },
      );
      context.inputs.set(block.id, { source, relevance: row.relevance });
    });
  });
}

/** In a form with too many cells, each row of a table is a text that names its columns. */
function askLines(question: LimeQuestion, texts: LimeTexts, context: LimeContext): void {
  const [rows = [], columns = []] = question.parts;
  const headed = rowsOf(columns, question, context).names.join(' · ');
  context.maker.note(
    question.about,
    `With a question for each of its cells the form would be too long. Here each row is a text for ${headed}`,
  );
  tellQuestion(texts, context);
  const named = rowsOf(rows, question, context);
  rows.forEach((row, at) => {
    const source = `${question.code}_${row.code}`;
    const block = context.maker.ask(
      source,
      'text',
      { name: named.words[at] ?? inOneLanguage(row.code), placeholder: inOneLanguage(headed) },
      { required: isRequired(question), multi_lines: true },
    );
    context.inputs.set(block.id, { source, relevance: row.relevance });
  });
}

function offeredNumbers(question: LimeQuestion, { maker }: LimeContext): Record<string, JsonValue> {
  if (question.type === ';') return {};
  const isList = attribute(question, 'input_boxes') !== '1';
  const value = (key: keyof typeof OFFERED) => {
    const said = attribute(question, `multiflexible_${key}`);
    const number = decimalOf(said);
    if (said !== '' && number === undefined)
      maker.note(question.about, `Its numbers depended on others, which is left out: ${said}`);
    return number ?? (said === '' && isList ? OFFERED[key] : undefined);
  };
  const [min, max, step] = [value('min'), value('max'), value('step')];
  const isWhole = isList && [min, step].every((one) => Number.isInteger(one));
  return { ...numberLimits(min, max), ...(isWhole && { whole_number: true }) };
}
