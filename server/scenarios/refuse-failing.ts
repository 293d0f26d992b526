import { isDeepStrictEqual } from 'node:util';
import type { ErrorBag } from '../../fields/property.ts';
import type { Db } from '../db/database.ts';
import { completedForm } from '../forms/previews/definition.ts';
import type { FormRow } from '../forms/queries.ts';
import { changedProperties } from '../forms/saving/save-form.ts';
import type { FormInput } from '../forms/schemas.ts';
import { invalid } from '../http/errors.ts';
import { hasBlockingScenarios, listBlockingScenarios, type ScenarioContent } from './queries.ts';
import { publishedState, publishInTurn, runScenarios, triedState } from './run-scenarios.ts';
import type { Result } from './schemas.ts';
import type { TriedForm } from './try-answers.ts';

/** Members besides the blocks that decide what comes of answers. */
const DECIDING = ['computed_variables', 'endings'] as const;
/** Differences that are told of each scenario. */
const MAX_TOLD = 3;

interface How {
  /** See `saveLockedForm`. */
  isExact?: boolean;
  /** Those that the form will have; null: those it has. */
  scenarios?: readonly ScenarioContent[] | null;
}

/**
 * Refuses to publish what fails a scenario that blocks publishing: a form for the first time, or another state of what answers are
 * judged by. Other saves pass, so that a form can always be closed.
 * @param form null for one that is about to be created
 * @param input of a save that passed all other checks
 * @throws HttpError 422 with what differed, by scenario; 503
 */
export async function refuseFailingScenarios(
  db: Db,
  form: FormRow | null,
  input: FormInput,
  { isExact = false, scenarios = null }: How = {},
): Promise<void> {
  if ((input.visibility ?? form?.visibility) === 'draft') return;
  const coming = (scenarios ?? [])
    .map((content, id) => ({ ...content, id }))
    .filter(({ blocks_publishing: blocks }) => blocks);
  const hasKnown = form !== null && !scenarios && (await hasBlockingScenarios(db, form.id));
  if (!hasKnown && coming.length === 0) return;
  const after = completedForm(input, form, isExact);
  if (form && form.visibility !== 'draft' && isJudgedAlike(form, input, after)) return;
  const results = await publishInTurn(form?.workspace_id ?? null, async () => {
    const blocking = hasKnown ? await listBlockingScenarios(db, form.id) : coming;
    return runScenarios(triedState(form, after, 'draft'), blocking);
  });
  const failed = results.filter(({ passed }) => !passed);
  if (failed.length > 0) throw invalid(Object.fromEntries(failed.map(problemOf)) as ErrorBag);
}

function isJudgedAlike(form: FormRow, input: FormInput, after: TriedForm): boolean {
  const before = publishedState(form);
  return (
    changedProperties(form, input) === undefined &&
    DECIDING.every((name) => isDeepStrictEqual(before.presentation[name], after.presentation[name]))
  );
}

function problemOf({ id, name, differences }: Result): [string, string[]] {
  const told = differences.slice(0, MAX_TOLD).map(({ message }) => message);
  const rest = differences.length - told.length;
  if (rest > 0) told.push(`And ${rest} more.`);
  return [`scenarios.${id}`, [`The scenario “${name}” fails. ${told.join(' ')}`]];
}
