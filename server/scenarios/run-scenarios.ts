import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../db/database.ts';
import { findFormDraft } from '../forms/drafts/queries.ts';
import { previewOf } from '../forms/previews/definition.ts';
import type { FormRow } from '../forms/queries.ts';
import { PRESENTATION_DEFAULTS, type Presentation } from '../forms/schemas.ts';
import { type Limiter, limitConcurrency, limitConcurrencyPerKey } from '../limit-concurrency.ts';
import { differencesOf, type Names } from './compare.ts';
import type { ScenarioContent } from './queries.ts';
import { MAX_DIFFERENCES, type Result, type Run } from './schemas.ts';
import { compileTrial, type TriedForm } from './try-answers.ts';

/** A run may judge answers fifty times: one at a time, and at most 50 wait. */
const runs = limitConcurrency(1, 50);
/** So that whoever asks for many runs holds up others for one of them. */
const perPerson = limitConcurrencyPerKey(1, 20);
/** What is to be published has a line of its own, which runs do not hold up. */
const publications = limitConcurrency(1, 50);
const perWorkspace = limitConcurrencyPerKey(1, 20);
/** Milliseconds. */
const MAX_PAUSE = 100;

/**
 * The turn of a run that somebody asks for. What it needs is read within, so that those who wait hold nothing in memory.
 * @param userId of the person who asks
 */
export function runInTurn(userId: number): Limiter {
  return (run, leaving) => perPerson(`${userId}`, () => runs(run, leaving), leaving);
}

/**
 * Runs what decides whether something may be published.
 * @param workspaceId null for a form that is about to be created
 * @throws HttpError 503 when too many wait
 */
export function publishInTurn<Tried>(workspaceId: number | null, run: () => Promise<Tried>): Promise<Tried> {
  return perWorkspace(`${workspaceId}`, () => publications(run));
}

/** A scenario to run. */
interface Runnable extends ScenarioContent {
  id: number;
}

/** A form in one of its states, and what is called what in it. */
interface TriedState extends TriedForm {
  against: Run['against'];
  names: Names;
}

/**
 * Runs scenarios against one state of their form; to be called in turn. Requests that arrive meanwhile are served in between, at
 * least half of the time.
 * @param leaving ends the run
 */
export async function runScenarios(
  form: TriedState,
  scenarios: readonly Runnable[],
  leaving?: AbortSignal,
): Promise<Result[]> {
  const results: Result[] = [];
  if (scenarios.length === 0) return results;
  const tryAnswers = compileTrial(form);
  for (const { id, name, blocks_publishing, answers, expected } of scenarios) {
    leaving?.throwIfAborted();
    const began = performance.now();
    const trial = tryAnswers(answers);
    const differences = differencesOf(expected, trial, form.names).slice(0, MAX_DIFFERENCES);
    const { observed, unknown } = trial;
    const passed = differences.length === 0;
    results.push({ id, name, blocks_publishing, passed, differences, unknown_answers: unknown, observed });
    await pause(Math.min(performance.now() - began, MAX_PAUSE));
  }
  return results;
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
