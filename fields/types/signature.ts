import { textSchema } from '../answer-schema.ts';
import { textOf } from '../as-text/text-of.ts';
import { isBlank } from '../block-options/options.ts';
import { fileProblem, MEGABYTE, uploadRuleProblems, uploadRules } from '../block-options/upload-rules.ts';
import type { AnswerCheck, AnswerRules, FieldContext, FieldType, Report } from '../field-type.ts';
import { drawingOf, fileIdOf, type KnownFile } from '../file-reference.ts';
import type { Property } from '../property.ts';
import { isLongerThan } from '../texts/characters.ts';

/** Largest drawing, in bytes. */
const MAX_DRAWING_SIZE = MEGABYTE;
/** Characters of a typed name. */
const MAX_TYPED_NAME = 255;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * A drawing as the data URL of a PNG, the reference of an uploaded image, or a typed name. Drawings and uploads are stored as the
 * name of a file, typed names unchanged.
 */
export const signatureRules: AnswerRules = {
  name: 'signature',
  kind: 'input',
  compile: compileSignature,
  isEmpty: isBlank,
};

export const signatureType: FieldType = {
  ...signatureRules,
  checkOptions: uploadRuleProblems,
  toText: textOf,
  csvKind: 'files',
  answerSchema: () => ({
    ...textSchema(MAX_TYPED_NAME),
    description: 'Name of the file with the drawing, or the name that was typed.',
  }),
  operators: [],
};

function compileSignature(property: Property, { messages }: FieldContext): AnswerCheck {
  const { name } = property;
  const rules = uploadRules(property, 'signature');
  return (answer, report, _now, findFile) => {
    if (typeof answer !== 'string') {
      report(messages.validText(name));
      return answer;
    }
    const drawing = drawingOf(answer);
    if (drawing === null && fileIdOf(answer) === null) return judgeTypedName(answer, report);
    const problem = drawing === null ? null : drawingProblem(drawing);
    const file = problem === null ? findFile?.(answer) : undefined;
    const refusal = file === undefined ? problem : foundProblem(file, drawing !== null);
    if (refusal !== null) report(refusal);
    return file?.name ?? answer;
  };

  function judgeTypedName(typed: string, report: Report): string {
    if (typed.startsWith('data:')) report(messages.format(name));
    else if (/\p{Cc}/u.test(typed)) report(messages.validText(name));
    else if (isLongerThan(typed, MAX_TYPED_NAME)) report(messages.maxCharacters(name, MAX_TYPED_NAME));
    return typed;
  }

  function drawingProblem(base64: string): string | null {
    if ((base64.length * 3) / 4 > MAX_DRAWING_SIZE) return messages.fileTooLarge();
    return BASE64.test(base64) ? null : messages.format(name);
  }

  function foundProblem(file: KnownFile | null, isDrawing: boolean): string | null {
    // A drawing that is not found is no picture.
    if (!file) return isDrawing ? messages.format(name) : messages.fileInvalid();
    if (!isDrawing) return fileProblem(file, rules, messages);
    return file.size > rules.maxSize ? messages.fileTooLarge() : null;
  }
}
