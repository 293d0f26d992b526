import { isOn } from '../block-options/options.ts';
import type { CompiledField } from '../compile-field.ts';
import { isNeverShown } from '../logic/shown.ts';
import { type Answers, emptyAnswers, type JsonValue, ownMember, type Property } from '../property.ts';

/**
 * The answers that the rules refuse, of fields that nobody can answer on a page: they come from an address or the form's prefill,
 * or were stored under earlier rules, and whoever is told of them has no way to mend them.
 */
export function unmendable(fields: readonly CompiledField[], answers: Answers): Answers {
  return refusedOf(
    fields.filter(({ property }) => isNeverAnswered(property)),
    answers,
  );
}

/** The answers that the rules of these fields refuse. */
export function refusedOf(fields: readonly CompiledField[], answers: Answers): Answers {
  const found = emptyAnswers();
  for (const field of fields) {
    const answer = ownMember(answers, field.id);
    if (answer === undefined || field.type.isEmpty(answer)) continue;
    if (isRefused(field, answer)) found[field.id] = answer;
  }
  return found;
}

/** Whether a field is hidden or disabled whatever the answers are. */
export function isNeverAnswered(property: Property): boolean {
  const { disabled, logic } = property;
  return isNeverShown(property) || (isOn(disabled) && !(logic?.actions ?? []).includes('enable-block'));
}

/** By itself: `required`, and the rule of the form's author, are about more than this answer. */
function isRefused(field: CompiledField, answer: JsonValue): boolean {
  let failed = false;
  const report = () => {
    failed = true;
  };
  const value = field.checkAnswer(answer, report);
  field.checkCompleteness?.(value, false, report, answer, { isWellTyped: !failed, now: undefined });
  return failed;
}

/** The answers without those that cannot be mended: a field without an answer is filled in as if none had come. */
export function withoutUnmendable(fields: readonly CompiledField[], answers: Answers): Answers {
  const kept: Answers = Object.assign(emptyAnswers(), answers);
  for (const id of Object.keys(unmendable(fields, answers))) delete kept[id];
  return kept;
}
