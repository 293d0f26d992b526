import type { FieldEngines } from '../../fields/engines.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import { compileMask } from '../../fields/input-mask.ts';
import { compileMentions } from '../../fields/mentions.ts';
import { COMMON_OPERATORS, operatorIn } from '../../fields/operators.ts';

/** Features that the service's pattern engine lacks: lookaround and backreferences. */
const NOT_LINEAR = /\(\?<?[=!]|\\[1-9]|\\k</;

/** Just enough engines to check a form before it is sent; no answers are checked here. The service decides. */
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
