import type { Answers, ConditionGroup, JsonValue, Property } from '../property.ts';
import { type CompiledCondition, compileConditions, type LogicScope } from './logic.ts';
import { followingConditions } from './renamed-conditions.ts';
import { askTogether } from './shared-work.ts';

/** In filters, in place of the id of an ending: submissions that reached none. No new ending has this id. */
export const NO_ENDING = 'none';

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

/** What is said of an ending where answers reached it. */
export interface ReachedEnding {
  id: string;
  /** As it is now; null once the form has it no more. */
  name: string | null;
}

/** Says what an ending is called now. */
export function reachedEnding(endings: readonly Pick<Ending, 'id' | 'name'>[], id: string): ReachedEnding {
  return { id, name: endings.find((ending) => ending.id === id)?.name ?? null };
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
    // Compiled when first asked for, as forms are read for other reasons than answers, too.
    compiled ??= endings.map((ending) => ({ ending, isMet: compileConditions(ending.conditions, scope) }));
    const all = compiled;
    return askTogether(() => all.find(({ isMet }) => isMet(answers, {}))?.ending ?? null);
  };
}

/** The endings of a form whose blocks were saved: their conditions ask for the new names of renamed options. */
export function followingRenames(
  endings: readonly Ending[],
  before: readonly Property[],
  after: readonly Property[],
): Ending[] {
  const follow = followingConditions(before, after);
  if (follow === null) return [...endings];
  return endings.map((ending) => ({
    ...ending,
    conditions: follow(ending.conditions as unknown as JsonValue) as unknown as ConditionGroup,
  }));
}
