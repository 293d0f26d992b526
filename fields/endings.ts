import { type CompiledCondition, compileConditions, type LogicScope } from './logic.ts';
import type { Answers, ConditionGroup } from './property.ts';
import { askTogether } from './shared-work.ts';

/** What visitors see after sending, in place of the form's thank-you text, if the conditions hold. */
export interface Ending {
  /** Unique among the endings of the form. */
  id: string;
  /** For members; visitors never see it. */
  name: string;
  conditions: ConditionGroup;
  /** HTML; null: the usual words of the page. */
  submitted_text: string | null;
  /** Where visitors are led instead; null if nowhere. */
  redirect_url: string | null;
}

/** As clients may send one. */
export type NewEnding = Pick<Ending, 'name' | 'conditions'> & Partial<Ending>;

/** Returns a function that finds the first ending whose conditions these stored answers meet; null if there is none. */
export function compileEndings(
  endings: readonly Ending[],
  scope: LogicScope,
): (answers: Answers) => Ending | null {
  if (endings.length === 0) return () => null;
  let compiled: { ending: Ending; isMet: CompiledCondition }[] | null = null;
  return (answers) => {
    // Compiled when first asked for, because taking in answers does not need it.
    compiled ??= endings.map((ending) => ({ ending, isMet: compileConditions(ending.conditions, scope) }));
    const all = compiled;
    return askTogether(() => all.find(({ isMet }) => isMet(answers, {}))?.ending ?? null);
  };
}
