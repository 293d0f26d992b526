import type { CheckOptions } from '../../fields/compile-answers.ts';
import { compileForm } from '../../fields/compile-form.ts';
import type { FieldEngines } from '../../fields/engines.ts';
import { messagesFor } from '../../fields/languages/languages.ts';
import { compileConditions, compileState, logicScope, type Moment } from '../../fields/logic/logic.ts';
import type { Answers, ConditionGroup, JsonValue, Property } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';

/** Today in these tests: 1 May 2026, noon UTC. */
export const TODAY = new Date('2026-05-01T12:00:00Z');

/** A property named X with id `x`. */
export function property(type: string, options: Partial<Property> = {}): Property {
  return { id: 'x', name: 'X', type, ...options };
}

export function compile(properties: Property[]) {
  return compileForm({ properties, messages: messagesFor('en') }, serverEngines);
}

/** Checks one answer to one field. @returns the stored value, and the errors as a plain object */
export function checkOne(field: Property, answer: JsonValue) {
  return checkAll([field], { [field.id]: answer });
}

export function checkAll(
  properties: Property[],
  answers: Record<string, JsonValue>,
  options: CheckOptions = {},
) {
  const result = compile(properties).check(answers, { now: TODAY, ...options });
  return {
    answers: { ...result.answers },
    stored: result.answers.x,
    errors: result.errors === null ? null : { ...result.errors },
  };
}

interface LogicContext extends Moment {
  properties: readonly Property[];
  engines: FieldEngines;
}

export function conditionsMet(
  conditions: ConditionGroup | null | undefined,
  answers: Answers,
  context: LogicContext,
): boolean {
  return compileConditions(conditions, logicScope(context.properties, context.engines, new Map()))(
    answers,
    context,
  );
}

export function effectiveState(property: Property, answers: Answers, context: LogicContext) {
  return compileState(property, logicScope(context.properties, context.engines, new Map()))(answers, context);
}
