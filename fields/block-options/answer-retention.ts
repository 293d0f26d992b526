import type { OptionProblem } from '../field-type.ts';
import { type Answers, type JsonObject, ownMember, type Property } from '../property.ts';
import { integerProblems } from './option-checks.ts';
import { asNumber, isBlank } from './options.ts';
import { withoutDefault } from './prefill.ts';

/** The same as for the retention of a whole form. */
export const MAX_RETENTION_DAYS = 3_650;

/** Days after which the answers to a field are removed while the rest of the submission stays; null = never. */
export function retentionDays(property: Property): number | null {
  const days = asNumber(property.retention_days) ?? null;
  return days !== null && retentionProblems(property).length === 0 ? days : null;
}

export function retentionProblems(block: JsonObject): OptionProblem[] {
  const problems = integerProblems(block, 'retention_days', 1);
  const days = asNumber(block.retention_days) ?? 0;
  if (problems.length > 0 || days <= MAX_RETENTION_DAYS) return problems;
  const message = `The retention_days field must not be greater than ${MAX_RETENTION_DAYS}.`;
  return [{ path: 'retention_days', message }];
}

/** The blocks, but with the retention that fields of the same ids have at present. */
export function withPresentRetention(
  properties: readonly Property[],
  present: readonly Property[],
): Property[] {
  const byId = new Map(present.map((property) => [property.id, property]));
  return properties.map((property) => {
    const { retention_days: _, ...rest } = property;
    const days = byId.get(property.id)?.retention_days;
    if (!byId.has(property.id)) return property;
    return (days === undefined ? rest : { ...rest, retention_days: days }) as Property;
  });
}

/** Whether an answer was removed by its field's retention: null stands in its place, as empty answers are not stored. */
export function isRemoved(answers: Answers, id: string): boolean {
  return ownMember(answers, id) === null;
}

/** Whether a removed answer is left as it is; an unticked box may not have been looked at. */
function isLeftRemoved(stored: Answers, sent: Answers, id: string): boolean {
  const answer = ownMember(sent, id);
  return isRemoved(stored, id) && (isBlank(answer) || answer === false);
}

/**
 * The blocks as they apply to a change of these stored answers. Whoever corrects another answer need not give a removed one again, and
 * nothing is filled in for it; null when none was removed.
 */
export function withoutRemoved(
  properties: readonly Property[],
  stored: Answers,
  sent: Answers,
): Property[] | null {
  if (!properties.some(({ id }) => isLeftRemoved(stored, sent, id))) return null;
  return properties.map((property) =>
    isLeftRemoved(stored, sent, property.id) ? optional(property) : property,
  );
}

/** The block as it applies to whoever does not answer it: nothing is asked, and nothing filled in. */
export function optional(property: Property): Property {
  const { logic } = property;
  const actions = (logic?.actions ?? []).filter((action) => action !== 'require-answer');
  return {
    ...withoutDefault(property),
    required: false,
    validation: null,
    generates_uuid: false,
    logic: logic ? { ...logic, actions } : null,
  };
}
