import { setImmediate as turn } from 'node:timers/promises';
import type { Db } from '../db/database.ts';
import { findFormDraft } from '../forms/drafts/queries.ts';
import { previewOf } from '../forms/previews/definition.ts';
import type { FormRow } from '../forms/queries.ts';
import { PRESENTATION_DEFAULTS, type Presentation } from '../forms/schemas.ts';
import { limitConcurrency } from '../limit-concurrency.ts';
import { differencesOf, type Names } from './compare.ts';
import type { ScenarioContent } from './queries.ts';
import type { Result, Run } from './schemas.ts';
import { compileTrial, type TriedForm } from './try-answers.ts';

/** A run may judge answers fifty times: one at a time, and at most 50 wait. */
const inTurn = limitConcurrency(1, 50);

/** A scenario to run. */
export interface Runnable extends ScenarioContent {
  id: number;
}

/** A form in one of its states, and what is called what in it. */
export interface TriedState extends TriedForm {
  against: Run['against'];
  names: Names;
}

/**
 * Runs scenarios against one state of their form. Requests that arrive meanwhile are served in between.
 * @throws HttpError 503 when too many wait
 */
export function runScenarios(form: TriedState, scenarios: readonly Runnable[]): Promise<Result[]> {
  return inTurn(async () => {
    const results: Result[] = [];
    if (scenarios.length === 0) return results;
    const tryAnswers = compileTrial(form);
    for (const { id, name, blocks_publishing, answers, expected } of scenarios) {
      await turn();
      const trial = tryAnswers(answers);
      const differences = differencesOf(expected, trial, form.names);
      const { observed, unknown } = trial;
      const passed = differences.length === 0;
      results.push({ id, name, blocks_publishing, passed, differences, unknown_answers: unknown, observed });
    }
    return results;
  });
}

/**
 * The state that scenarios run against.
 * @throws HttpError 422 when nothing of the draft can be shown
 */
export async function stateOf(db: Db, form: FormRow, against: Run['against']): Promise<TriedState> {
  const draft = against === 'draft' ? await findFormDraft(db, form.id) : null;
  if (!draft) return triedState(form, publishedState(form), 'published');
  return triedState(form, previewOf(draft.definition, form).preview, 'draft');
}

/** @param form null for one that is about to be created */
export function triedState(form: FormRow | null, tried: TriedForm, against: Run['against']): TriedState {
  const { properties, presentation } = tried;
  const states = form ? [publishedState(form), tried] : [tried];
  // Later ones count: what a part is called now.
  const all = [
    ...(form?.removed_properties ?? []),
    ...states.flatMap((state) => [
      ...state.properties,
      ...state.presentation.computed_variables,
      ...state.presentation.endings,
    ]),
  ];
  const names = new Map(all.map(({ id, name }) => [id, name]));
  return { properties, presentation, names, against };
}

export function publishedState({ properties, presentation }: FormRow): TriedForm {
  return { properties, presentation: { ...PRESENTATION_DEFAULTS, ...presentation } as Presentation };
}
