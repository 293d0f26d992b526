import { compileMask } from '../../../fields/block-options/input-mask.ts';
import { isValidPattern } from '../../../fields/engines/patterns.ts';
import type { FieldEngines } from '../../../fields/engines.ts';
import { fieldTypeOf } from '../../../fields/field-types.ts';
import { COMMON_OPERATORS, operatorIn } from '../../../fields/logic/operators.ts';
import { compileMentions } from '../../../fields/texts/mentions.ts';

/**
 * Just enough engines to check a form before it is sent; no answers are checked here. Patterns are read as the service reads them: what
 * other engines take for a mistake (`\@`), it may know, and the reverse.
 */
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
