import { type AnswerSchema, type Certainty, choiceSchema } from '../answer-schema.ts';
import { textOf } from '../as-text/text-of.ts';
import { textListProblems } from '../block-options/option-checks.ts';
import { isBlank, stringList } from '../block-options/options.ts';
import { labelOf } from '../choices/choices.ts';
import type { AnswerCheck, AnswerRules, CompletenessCheck, FieldContext, FieldType } from '../field-type.ts';
import { MATRIX_OPERATORS } from '../logic/operator-names.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownMember, type Property } from '../property.ts';

/** One column per row, `{"Row 1": "Good"}`; unknown rows are dropped, unanswered rows not stored. */
export const matrixRules: AnswerRules = {
  name: 'matrix',
  kind: 'input',
  compile: compileMatrix,
  compileCompleteness: compileEveryRow,
  isEmpty: (answer) => isBlank(answer) || (isJsonObject(answer) && Object.keys(answer).length === 0),
};

export const matrixType: FieldType = {
  ...matrixRules,
  checkOptions: (property) => [
    ...textListProblems(property, 'rows'),
    ...textListProblems(property, 'columns'),
  ],
  toText: matrixText,
  csvKind: 'matrix',
  answerSchema: matrixSchema,
  operators: MATRIX_OPERATORS,
};

function matrixSchema({ rows, columns }: Property, { isRequired }: Certainty): AnswerSchema {
  const names = [...new Set(stringList(rows))];
  const column = choiceSchema(new Set(stringList(columns).filter((name) => name !== '')));
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, column])),
    ...(isRequired && { required: names }),
    minProperties: 1,
    description: 'The chosen column by row.',
  };
}

function compileMatrix(property: Property, { messages }: FieldContext): AnswerCheck {
  const { name } = property;
  const rows = [...new Set(stringList(property.rows))];
  const columns = new Set<JsonValue>(stringList(property.columns));
  return (answer, report) => {
    if (!isRowMap(answer)) {
      report(messages.matrixObject(name));
      return answer;
    }
    const kept: Record<string, JsonValue> = Object.create(null);
    for (const row of rows) {
      const column = ownMember(answer, row);
      if (column === undefined || isBlank(column)) continue;
      if (columns.has(column)) kept[row] = column;
      else report(messages.matrixInvalid(labelOf(property, row)));
    }
    return kept;
  };
}

function compileEveryRow(property: Property, { messages }: FieldContext): CompletenessCheck {
  const rows = stringList(property.rows);
  return (answer, required, report, sent) => {
    if (!required || !isRowMap(answer) || !isRowMap(sent)) return;
    for (const row of rows) {
      if (!Object.hasOwn(sent, row)) report(messages.matrixMissing(labelOf(property, row)));
      else if (!Object.hasOwn(answer, row)) report(messages.matrixRequired(labelOf(property, row)));
    }
  };
}

function matrixText(answer: JsonValue, property: Property): string {
  if (!isRowMap(answer)) return textOf(answer);
  return answeredRows(answer, property)
    .map(([row, column]) => `${row}: ${column}`)
    .join(' | ');
}

/** Rows with their chosen column: in the form's order, then rows the form no longer has. */
export function answeredRows(answer: JsonValue, property: Property): [row: string, column: string][] {
  if (!isRowMap(answer)) return [];
  const rows = new Set([...stringList(property.rows), ...Object.keys(answer)]);
  return [...rows]
    .filter((row) => Object.hasOwn(answer, row))
    .map((row) => [row, textOf(answer[row] ?? null)]);
}

function isRowMap(answer: JsonValue): answer is Record<string, JsonValue> {
  return isJsonObject(answer as JsonObject);
}
