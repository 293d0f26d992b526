import { hasDefault } from './block-options/prefill.ts';
import type { AnswerCheck, AnswerRules, CompletenessCheck, FieldContext } from './field-type.ts';
import {
  type CompiledCondition,
  compileConditions,
  compileState,
  type FieldState,
  hasConditions,
  type LogicScope,
  type Moment,
} from './logic/logic.ts';
import type { Answers, Property } from './property.ts';
import { isLayoutBlock } from './type-names.ts';

/** An input of a form, with its options compiled. */
export interface CompiledField {
  id: string;
  name: string;
  property: Property;
  type: AnswerRules;
  checkAnswer: AnswerCheck;
  checkCompleteness: CompletenessCheck | null;
  stateFor: (answers: Answers, moment: Moment) => FieldState;
  /** The rule of the form's author, which must hold; null without one. */
  isValid: CompiledCondition | null;
  invalidMessage: () => string;
  hasDefault: boolean;
}

/** Compiles the inputs of a form, without layout blocks. If two properties have the same id, the first one counts. */
export function compileFields(
  properties: readonly Property[],
  scope: LogicScope,
  context: FieldContext,
): CompiledField[] {
  const fields = new Map<string, CompiledField>();
  for (const property of properties) {
    if (!isLayoutBlock(property.type) && !fields.has(property.id)) {
      fields.set(property.id, compileField(property, scope, context));
    }
  }
  return [...fields.values()];
}

function compileField(property: Property, scope: LogicScope, context: FieldContext): CompiledField {
  const type = context.engines.rulesOf(property.type);
  const rule = property.validation?.error_conditions?.conditions;
  const text = property.validation?.error_message;
  const message = typeof text === 'string' ? text : '';
  return {
    id: property.id,
    name: property.name,
    property,
    type,
    checkAnswer: type.compile(property, context),
    checkCompleteness: type.compileCompleteness?.(property, context) ?? null,
    stateFor: compileState(property, scope),
    isValid: hasConditions(rule) ? compileConditions(rule, scope) : null,
    invalidMessage: () => message || context.messages.customInvalid(),
    hasDefault: hasDefault(property, type.name),
  };
}
