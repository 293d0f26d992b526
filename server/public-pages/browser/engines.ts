import type { FieldEngines } from '../../../fields/engines.ts';
import type { AnswerRules } from '../../../fields/field-type.ts';
import { COMMON_OPERATORS, type Operators, operatorIn } from '../../../fields/operators.ts';
import type { Property } from '../../../fields/property.ts';
import { canonicalTypeName } from '../../../fields/type-names.ts';
import { checkboxRules } from '../../../fields/types/checkbox.ts';
import { dateRules } from '../../../fields/types/date.ts';
import { emailRules } from '../../../fields/types/email.ts';
import { multiSelectRules } from '../../../fields/types/multi-select.ts';
import { numberRules } from '../../../fields/types/number.ts';
import { ratingRules } from '../../../fields/types/rating.ts';
import { selectRules } from '../../../fields/types/select.ts';
import { textRules } from '../../../fields/types/text.ts';
import { unknownRules } from '../../../fields/types/unknown.ts';

/** The engines of a page. What few forms need comes later; until then such answers pass, and the server decides. */
export interface PageEngines extends FieldEngines {
  /** False while something is missing that this form needs. */
  isComplete: boolean;
  /** Rules by the canonical names of their types. */
  rules: Map<string, AnswerRules>;
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
/** Types any JSON value will do for. */
const OPEN = ['unknown', 'payment', 'computed'];

export function createEngines(): PageEngines {
  const rules = new Map(COMMON.map((type) => [type.name, type]));
  const engines: PageEngines = {
    isComplete: true,
    rules,
    rareOperators: null,
    operatorOf: (type, operator) =>
      (engines.rareOperators && operatorIn(engines.rareOperators, type, operator)) ??
      operatorIn(COMMON_OPERATORS, type, operator),
    rulesOf: (typeName) => rules.get(canonicalTypeName(typeName)) ?? unknownRules,
    sanitiseHtml: (html) => html,
    matchesPattern: () => false,
    isValidPattern: () => true,
    parsePhone: (e164) => ({ e164 }),
  };
  return engines;
}

/** Loads what this form needs beyond the common. @returns null when it needs nothing more */
export function completeEngines(engines: PageEngines, properties: readonly Property[]): Promise<void> | null {
  const types = properties.map(({ type }) => canonicalTypeName(type));
  const isRare = (type: string) =>
    !type.startsWith('nf-') && !engines.rules.has(type) && !OPEN.includes(type);
  const loads: Promise<unknown>[] = [];
  const load = <Loaded extends object>(part: Promise<Loaded>, use: (part: Loaded) => void) => {
    loads.push(part.then(use));
  };
  if (types.some(isRare) || asksRarely(properties)) {
    load(import('./engines/rare.ts'), ({ rareRules, rareOperators }) => {
      for (const type of rareRules) engines.rules.set(type.name, type);
      engines.rareOperators = rareOperators;
    });
  }
  if (types.includes('phone_number')) {
    load(import('../../../fields/engines/phone.ts'), ({ parsePhone }) =>
      Object.assign(engines, { parsePhone }),
    );
  }
  if (types.includes('rich_text')) {
    load(import('./engines/sanitise.ts'), ({ sanitiseHtml }) => Object.assign(engines, { sanitiseHtml }));
  }
  if (JSON.stringify(properties).includes('_regex"')) {
    load(import('../../../fields/engines/patterns.ts'), ({ matchesPattern }) =>
      Object.assign(engines, { matchesPattern }),
    );
  }
  if (loads.length === 0) return null;
  engines.isComplete = false;
  return Promise.all(loads).then(() => {
    engines.isComplete = true;
  });
}

/** Whether conditions use operators that are not the common ones, or use those in another sense. */
function asksRarely(properties: readonly Property[]): boolean {
  const typeOf = (id: unknown) =>
    canonicalTypeName(properties.find((property) => property.id === id)?.type ?? '');
  let isRare = false;
  JSON.stringify(properties, (_, node) => {
    const operator = node?.value?.operator;
    if (operator) {
      const type = typeOf(node.identifier || node.value.property_meta?.id);
      isRare ||= !COMMON_OPERATORS.general.has(operator) || type === 'date' || type === 'matrix';
    }
    return node;
  });
  return isRare;
}
