import { setImmediate as turn } from 'node:timers/promises';
import type { JsonValue } from '../../../fields/property.ts';
import type { ExportColumn } from '../columns/columns.ts';
import { ABSENT, createLineCutter, linesOf, unescapeField } from '../copy-lines.ts';
import { CaseWriter } from './case-writer.ts';
import { dictionary } from './dictionary.ts';
import { Extent, type MeasuredVariable, type PlacedVariable, placeVariables } from './layout.ts';
import { questionsOf, type Value } from './variables.ts';

/**
 * An SPSS file. It begins with the lengths of texts, so all lines have to be measured before they are written. Both times the same
 * whole lines of a `COPY … TO STDOUT` in text format are passed.
 */
interface SavFile {
  measure(lines: string): void;
  /** To be called when all lines are measured. */
  head(): Buffer;
  write(lines: string): Buffer;
  tail(): Buffer;
}

export function createSav(columns: readonly ExportColumn[]): SavFile {
  const questions = questionsOf(columns);
  const measured = questions.flatMap(({ variables }, column) =>
    variables.map((variable) => ({ ...variable, column, extent: new Extent() })),
  );
  let cases = 0;
  let placed: PlacedVariable[] = [];
  let writer = new CaseWriter(placed);

  function answersIn(line: string): JsonValue[] {
    return line
      .split('\t')
      .map((field, index) =>
        field === ABSENT ? null : (questions[index]?.answerIn(unescapeField(field)) ?? null),
      );
  }

  return {
    measure(lines) {
      for (const line of linesOf(lines)) {
        cases += 1;
        const answers = answersIn(line);
        for (const variable of measured) variable.extent.add(valueIn(answers, variable));
      }
    },
    head() {
      placed = placeVariables(measured);
      writer = new CaseWriter(placed);
      return dictionary(questions, placed, cases);
    },
    write(lines) {
      for (const line of linesOf(lines)) {
        const answers = answersIn(line);
        writer.add(placed.map((variable) => valueIn(answers, variable)));
      }
      return writer.take();
    },
    tail: () => writer.rest(),
  };
}

function valueIn(answers: readonly JsonValue[], variable: MeasuredVariable): Value {
  const answer = answers[variable.column] ?? null;
  return answer === null ? null : variable.valueOf(answer);
}

/** The whole file. @param read is called twice, and reads all lines, the same ones each time */
export async function* savChunks(sav: SavFile, read: () => AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const lines of wholeLines(read())) sav.measure(lines);
  yield sav.head();
  for await (const lines of wholeLines(read())) yield sav.write(lines);
  yield sav.tail();
}

/** Yields lines in portions that take some milliseconds; other work of the process can run in between. */
async function* wholeLines(rows: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const cut = createLineCutter();
  for await (const bytes of rows) {
    for (const lines of cut(bytes)) {
      yield lines;
      await turn();
    }
  }
}
