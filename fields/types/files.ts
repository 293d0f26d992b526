import { textOf } from '../as-text/text-of.ts';
import { flagProblems } from '../block-options/option-checks.ts';
import { isBlank, isOn } from '../block-options/options.ts';
import { fileProblem, uploadRuleProblems, uploadRules } from '../block-options/upload-rules.ts';
import type { AnswerCheck, AnswerRules, FieldContext, FieldType, Report } from '../field-type.ts';
import { FILE_PATTERN, type FindFile, fileIdOf } from '../file-reference.ts';
import { FILES_OPERATORS } from '../logic/operator-names.ts';
import type { JsonValue, Property } from '../property.ts';

const FLAGS = ['multiple', 'camera_upload'];
/** Most files of one answer. */
const MAX_FILES = 100;

/** References of uploaded files, stored as a list of names; a single text becomes a list of one. */
export const filesRules: AnswerRules = {
  name: 'files',
  kind: 'input',
  compile: compileFiles,
  isEmpty: isBlank,
};

export const filesType: FieldType = {
  ...filesRules,
  checkOptions: (property) => [...flagProblems(property, FLAGS), ...uploadRuleProblems(property)],
  toText: textOf,
  csvKind: 'files',
  answerSchema: (property) => ({
    type: 'array',
    items: { type: 'string', pattern: FILE_PATTERN, description: 'Name of an uploaded file.' },
    minItems: 1,
    maxItems: maxFiles(property),
    uniqueItems: true,
  }),
  operators: FILES_OPERATORS,
};

function maxFiles({ multiple }: Property): number {
  return isOn(multiple) ? MAX_FILES : 1;
}

function compileFiles(property: Property, { messages }: FieldContext): AnswerCheck {
  const { name } = property;
  const rules = uploadRules(property, 'files');
  const limit = maxFiles(property);
  return (answer, report, _now, findFile) => {
    const sent = typeof answer === 'string' ? [answer] : answer;
    if (!Array.isArray(sent)) {
      report(messages.list(name));
      return answer;
    }
    if (sent.length > limit) {
      report(messages.maxItems(name, limit));
      return answer;
    }
    return [...new Set(sent.map((reference) => judge(reference, report, findFile)))];
  };

  /** @returns what to store for one file */
  function judge(reference: JsonValue, report: Report, findFile: FindFile | undefined): JsonValue {
    const isReference = typeof reference === 'string' && fileIdOf(reference) !== null;
    if (isReference && !findFile) return reference;
    const file = isReference ? findFile?.(reference) : null;
    const problem = file ? fileProblem(file, rules, messages) : messages.fileInvalid();
    if (problem !== null) report(problem);
    return file ? file.name : reference;
  }
}
