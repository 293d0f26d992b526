import { textSchema } from '../answer-schema.ts';
import { isLongerThan } from '../characters.ts';
import type { AnswerCheck, AnswerRules, FieldContext, FieldType } from '../field-type.ts';
import { drawingOf, extensionOf, fileIdOf } from '../file-reference.ts';
import { isBlank } from '../options.ts';
import type { Property } from '../property.ts';
import { textOf } from '../text-of.ts';
import { MEGABYTE, uploadRuleProblems, uploadRules } from '../upload-rules.ts';

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
    if (drawing !== null && (drawing.length * 3) / 4 > MAX_DRAWING_SIZE) {
      report(messages.fileTooLarge());
    } else if (drawing === null && fileIdOf(answer) === null) {
      if (answer.startsWith('data:')) report(messages.format(name));
      else if (/\p{Cc}/u.test(answer)) report(messages.validText(name));
      else if (isLongerThan(answer, MAX_TYPED_NAME)) {
        report(messages.maxCharacters(name, MAX_TYPED_NAME));
      }
    } else if (drawing !== null && !BASE64.test(drawing)) {
      report(messages.format(name));
    } else if (findFile) {
      const file = findFile(answer);
      if (!file) report(drawing === null ? messages.fileInvalid() : messages.format(name));
      else if (file.size > rules.maxSize) report(messages.fileTooLarge());
      else if (drawing === null && !rules.isAllowed(extensionOf(file.name))) {
        report(messages.fileType(rules.types.join(',')));
      }
      return file?.name ?? answer;
    }
    return answer;
  };
}
