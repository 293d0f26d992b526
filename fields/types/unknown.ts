import { isBlank } from '../block-options/options.ts';
import type { AnswerRules, FieldType } from '../field-type.ts';
import { ALL_OPERATORS } from '../logic/operator-names.ts';

/** Types without rules of their own accept any JSON value and keep it. */
export const unknownRules: AnswerRules = {
  name: 'unknown',
  kind: 'input',
  compile: () => (answer) => answer,
  isEmpty: isBlank,
};

export const unknownType = /* @__PURE__ */ openType('unknown', ALL_OPERATORS);

/** A type that accepts any JSON value, but whose conditions have a known set of operators. */
export function openType(name: string, operators: readonly string[]): FieldType {
  return {
    ...unknownRules,
    name,
    checkOptions: () => [],
    // a text is written as it is, every other value as JSON, so that nothing is lost
    toText: (answer) => (typeof answer === 'string' ? answer : JSON.stringify(answer)),
    csvKind: 'json',
    answerSchema: () => ({ description: 'Any JSON value.' }),
    operators,
  };
}
