import { dateText } from '../../fields/as-text/date-text.ts';
import { numbersSaid } from '../../fields/as-text/said-answers.ts';
import { textOf } from '../../fields/as-text/text-of.ts';
import { isBlank } from '../../fields/block-options/options.ts';
import { labelOf, labelsOf } from '../../fields/choices/choices.ts';
import type { FieldType } from '../../fields/field-type.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import { languageFor } from '../../fields/languages/languages.ts';
import { type Answers, type JsonValue, ownMember, type Property } from '../../fields/property.ts';
import { entriesOf, questionsOf } from '../../fields/repeated-questions.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import { cut, ELLIPSIS } from '../../fields/texts/cut.ts';
import { nameWithoutId } from '../../fields/texts/name-without-id.ts';
import { plainText } from '../../fields/texts/plain-text.ts';
import { answeredRows } from '../../fields/types/matrix.ts';
import { type FileLinks, fileNamesIn } from '../files/file-links.ts';

/** One answer, written for people. */
export interface AnswerLine {
  name: string;
  /** May have several lines. */
  text: string;
}

/** Characters of one answer, and of all answers of a mail; more is left out. */
const MAX_ANSWER = 10_000;
const MAX_ANSWERS = 200_000;

/**
 * The answers to these fields, in form order. Files are links for people who may open them, else names.
 * @param links null names files only
 */
export function answerLines(
  properties: readonly Property[],
  answers: Answers,
  language: string,
  links: (() => FileLinks) | null,
): AnswerLine[] {
  const lines: AnswerLine[] = [];
  let length = 0;
  for (const property of properties) {
    const text = cut(answerText(property, answers, language, links), MAX_ANSWER);
    length += text.length;
    if (length > MAX_ANSWERS) return [...lines, { name: ELLIPSIS, text: ELLIPSIS }];
    if (text !== '') lines.push({ name: property.name, text });
  }
  return lines;
}

/** The text of one answer, '' when there is none. */
export function answerText(
  property: Property,
  answers: Answers,
  language: string,
  links: (() => FileLinks) | null,
): string {
  const answer = ownMember(answers, property.id);
  if (answer === undefined || isBlank(answer)) return '';
  const type = fieldTypeOf(property.type);
  if (type.kind === 'layout') return '';
  const { page: texts, code } = languageFor(language);
  if (typeof answer === 'boolean') return answer ? texts.yes : texts.no;
  if (type.name === 'repeat') return entriesText(property, answer, language);
  const text = type.csvKind === 'files' ? filesText(answer, links) : null;
  return text ?? saidInFull(property, type, answer, code);
}

/** As `saidAnswer` on pages, but whole: also what the form does not ask any more, and rich text with its lines. */
function saidInFull(property: Property, type: FieldType, answer: JsonValue, code: string): string {
  switch (type.name) {
    case 'date':
      return dateText(answer, code);
    case 'number':
    case 'rating':
    case 'scale':
    case 'slider':
      return numbersSaid(answer, code);
    case 'select':
    case 'multi_select':
    case 'ranking':
      return labelsOf(property, [answer].flat().map(textOf));
    case 'matrix':
      return rowsText(property, answer) || textOf(answer);
    case 'rich_text':
      return plainText(serverEngines.sanitiseHtml(type.toText(answer, property)));
    default:
      return type.toText(answer, property);
  }
}

function rowsText(property: Property, answer: JsonValue): string {
  const rows = answeredRows(answer, property);
  return rows.map((names) => names.map((name) => labelOf(property, name)).join(': ')).join(' | ');
}

/** A line for each entry, `Name: Ann; Age: 3`. */
function entriesText(property: Property, answer: JsonValue, language: string): string {
  const entries = entriesOf(answer);
  if (entries === null) return textOf(answer);
  const lines = entries.map((entry) =>
    questionsOf(property).flatMap((question) => {
      const text = answerText(question, entry, language, null);
      return text === '' ? [] : [`${question.name}: ${text}`];
    }),
  );
  return lines.map((line) => line.join('; ')).join('\n');
}

/** null when the answer names no files, such as a typed signature. */
function filesText(answer: JsonValue, links: (() => FileLinks) | null): string | null {
  const names = fileNamesIn(answer);
  if (names.length === 0) return null;
  if (links === null) return names.map(nameWithoutId).join(', ');
  const { urlOf } = links();
  return names.map((name) => `${nameWithoutId(name)}\n${urlOf(name)}`).join('\n');
}
