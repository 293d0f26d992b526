import type { FieldEngines } from '../../../fields/engines.ts';
import type { AnswerRules } from '../../../fields/field-type.ts';
import type { ReadPostOptions } from '../../../fields/html/read-post.ts';
import { COMMON_OPERATORS, type Operators, operatorIn } from '../../../fields/logic/operators.ts';
import { canonicalTypeName } from '../../../fields/type-names.ts';
import { checkboxRules } from '../../../fields/types/checkbox.ts';
import { dateRules } from '../../../fields/types/date.ts';
import { emailRules } from '../../../fields/types/email.ts';
import { multiSelectRules } from '../../../fields/types/multi-select-rules.ts';
import { numberRules } from '../../../fields/types/number.ts';
import { ratingRules } from '../../../fields/types/rating.ts';
import { selectRules } from '../../../fields/types/select.ts';
import { textRules } from '../../../fields/types/text.ts';
import { unknownRules } from '../../../fields/types/unknown.ts';
import type { ScriptNeed } from '../page/script-needs.ts';

/**
 * The engines of a page. Parts that few forms need are loaded later; until then the browser lets such answers pass, and the
 * server decides.
 */
export interface PageEngines
  extends FieldEngines,
    /* how numbers are typed, known from the first answer on, or if the page came with a decimal comma */ Pick<
      ReadPostOptions,
      'typedNumber' | 'readEntries'
    > {
  /** False while a part that this form needs is not loaded. */
  isComplete: boolean;
  /** Rules by canonical type name. */
  rules: Map<string, AnswerRules>;
  rareRules: readonly AnswerRules[];
  rareOperators: Operators | null;
}

const COMMON = [
  textRules,
  checkboxRules,
  dateRules,
  emailRules,
  multiSelectRules,
  numberRules,
  ratingRules,
  selectRules,
];
/** Each part provides some members of the engines. */
const LOAD: Readonly<Record<ScriptNeed, () => Promise<Partial<PageEngines>>>> = {
  rare: () => import('./engines/rare.ts'),
  phone: () => import('../../../fields/engines/phone.ts'),
  rich: () => import('./engines/sanitise.ts'),
  patterns: () => import('../../../fields/engines/patterns.ts'),
  formulas: () => import('./engines/formulas.ts'),
  numbers: () => import('./engines/numbers.ts'),
};

export function createEngines(): PageEngines {
  const rules = new Map(COMMON.map((type) => [type.name, type]));
  const engines: PageEngines = {
    isComplete: true,
    rules,
    rareRules: [],
    rareOperators: null,
    operatorOf: (type, operator) =>
      (engines.rareOperators && operatorIn(engines.rareOperators, type, operator)) ??
      operatorIn(COMMON_OPERATORS, type, operator),
    rulesOf: (typeName) => rules.get(canonicalTypeName(typeName)) ?? unknownRules,
    compileMentions: () => null,
    compileVariables: () => new Map(),
    compileMask: () => () => true,
    sanitiseHtml: (html) => html,
    matchesPattern: () => false,
    isValidPattern: () => true,
    parsePhone: (e164) => ({ e164 }),
  };
  return engines;
}

/**
 * Loads the parts that this form needs beyond the common ones.
 * @returns null when it needs none
 */
export function completeEngines(
  engines: PageEngines,
  needs: readonly ScriptNeed[] = [],
): Promise<void> | null {
  if (needs.length === 0) return null;
  engines.isComplete = false;
  return Promise.all(needs.map((need) => LOAD[need]().then((part) => Object.assign(engines, part)))).then(
    () => {
      for (const type of engines.rareRules) engines.rules.set(type.name, type);
      engines.isComplete = true;
    },
  );
}
