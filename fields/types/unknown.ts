import type { AnswerRules, FieldType } from '../field-type.ts';
import { ALL_OPERATORS } from '../operator-names.ts';
import { isBlank } from '../options.ts';

/** Types without rules of their own take any JSON value and keep it. */
export const unknownRules: AnswerRules = {
  name: 'unknown',
  kind: 'input',
  compile: () => (answer) => answer,
  isEmpty: isBlank,
};

export const unknownType = /* @__PURE__ */ openType('unknown', ALL_OPERATORS);

/** A type that takes any JSON value but whose conditions use a known set of operators. */
export function openType(name: string, operators: readonly string[]): FieldType {
  return {
    ...unknownRules,
    name,
    checkOptions: () => [],
    // text reads as itself; every other value is JSON, so that nothing about it is lost
    toText: (answer) => (typeof answer === 'string' ? answer : JSON.stringify(answer)),
    csvKind: 'json',
    operators,
  };
}
