import type { FieldEngines } from '../../fields/engines.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import { compileMask } from '../../fields/input-mask.ts';
import { compileMentions } from '../../fields/mentions.ts';
import { COMMON_OPERATORS, operatorIn } from '../../fields/operators.ts';

/** What the service's engine for patterns does not know: looking around, and going back to what was matched. */
const NOT_LINEAR = /\(\?<?[=!]|\\[1-9]|\\k</;

/** Enough of the engines to check a form before it is sent: nothing is answered here. The service has the last word. */
export const checkEngines: FieldEngines = {
  rulesOf: fieldTypeOf,
  operatorOf: (type, operator) => operatorIn(COMMON_OPERATORS, type, operator),
  compileMentions,
  compileVariables: () => new Map(),
  compileMask,
  sanitiseHtml: (html) => html,
  matchesPattern: () => false,
  isValidPattern,
  parsePhone: () => ({ problem: 'invalid' }),
};

function isValidPattern(pattern: string): boolean {
  if (NOT_LINEAR.test(pattern)) return false;
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
