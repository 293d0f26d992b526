import { labelOf } from '../choices/choices.ts';
import type { AnswerRules } from '../field-type.ts';
import type { JsonValue, Property } from '../property.ts';
import { multiSelectRules } from './multi-select-rules.ts';

/**
 * The rules of several choices, also of those with options that rule out all others. Pages load them where there are any.
 * @param namesOf the names of these options
 */
export function exclusiveChoiceRules(namesOf: (property: Property) => ReadonlySet<JsonValue>): AnswerRules {
  return {
    ...multiSelectRules,
    compile(property, context) {
      const check = multiSelectRules.compile(property, context);
      const exclusive = namesOf(property);
      if (exclusive.size === 0) return check;
      return (answer, report) => {
        const names = Array.isArray(answer) ? answer : [];
        const alone = names.length > 1 ? names.find((name) => exclusive.has(name)) : undefined;
        if (typeof alone === 'string') report(context.messages.exclusiveOption(labelOf(property, alone)));
        return check(answer, report);
      };
    },
    /** Nobody can choose more than an option that rules out the others. */
    compileCompleteness(property, context) {
      const check = multiSelectRules.compileCompleteness?.(property, context);
      const exclusive = namesOf(property);
      return (answer, ...rest) => {
        const [first = null, ...others] = Array.isArray(answer) ? answer : [];
        if (others.length > 0 || !exclusive.has(first)) check?.(answer, ...rest);
      };
    },
  };
}
