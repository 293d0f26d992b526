import { ownMember } from '../../fields/property.ts';
import type { Context } from '../context.ts';
import type { Db, Transaction } from '../db/database.ts';
import { unavailable } from '../http/errors.ts';
import { findAnswerCounts } from '../statistics/answer-queries.ts';
import { presentAnswers } from '../statistics/present-answers.ts';
import type { PublishedForm } from '../submissions/published-form/published-form.ts';
import { askedOf, figureOf, nextFigure } from './figures.ts';
import {
  blankResults,
  countAnsweredSince,
  findResultsMoment,
  type KeptResults,
  keepResults,
  type ResultsMoment,
} from './queries.ts';
import { isSummarised, type PublicResultSettings } from './settings.ts';

/** A range that includes every submission. */
const ALL_DAYS = { from: '0001-01-01', to: '9999-12-31' };
/** Different values listed: more than a form has options. */
const MOST_NAMED = 2_000;
/** Forms whose results one process calculates at once; the others show their former results meanwhile. */
const MAX_AT_ONCE = 2;
/** Milliseconds until the next try after a failure, or while submissions wait to be counted. */
const RETRY_MS = 5_000;
/** After a calculation longer than this, in milliseconds, it rests nine times as long. */
const QUICK_MS = 1_000;

type FindResults = (form: PublishedForm, settings: PublicResultSettings) => Promise<KeptResults | null>;

/**
 * Finds the public results of a form; null while too few have answered. Calculated results are shown until a whole step
 * of submissions has been added or removed. Simultaneous visitors share one calculation.
 * @throws HttpError 503 when there are enough answers, but no results yet
 */
export function createFindResults({ db, log }: Context): FindResults {
  /** By form and step. */
  const underWay = new Map<string, Promise<void>>();
  const resting = new Set<string>();

  return async (form, settings) => {
    const { step } = settings;
    const moment = await findResultsMoment(db, form.id);
    const { kept, completed } = moment;
    if (kept && completed < kept.step) await blankResults(db, form.id, kept);
    if (completed < step) return null;
    if (kept && !isDue(moment, settings)) return kept;
    const key = `${form.id} ${step}`;
    if (!underWay.has(key) && !resting.has(key) && underWay.size < MAX_AT_ONCE)
      underWay.set(key, make(key, form.id, settings));
    const making = underWay.get(key);
    await making;
    const { kept: results } = making ? await findResultsMoment(db, form.id) : moment;
    // Results of another step could be of too few, or of more than it now takes.
    if (results?.step !== step) throw unavailable();
    return results;
  };

  async function make(key: string, formId: number, settings: PublicResultSettings): Promise<void> {
    const begun = performance.now();
    const isMade = await makeResults(db, formId, settings).catch((error) => {
      log.error({ err: error, form: formId }, 'results for everybody could not be worked out');
      return false;
    });
    const took = performance.now() - begun;
    const rest = Math.max(isMade ? 0 : RETRY_MS, took > QUICK_MS ? 9 * took : 0);
    underWay.delete(key);
    if (rest === 0) return;
    resting.add(key);
    setTimeout(() => resting.delete(key), rest).unref();
  }
}

/**
 * Results change only when a whole step of submissions was added, removed or changed. Without any of these, a changed
 * question is still updated: a closed form would never show it otherwise.
 */
function isDue({ kept, came, changed }: ResultsMoment, { step, questions }: PublicResultSettings): boolean {
  if (kept?.step !== step) return true;
  const moved = came + changed.length;
  if (moved >= step) return true;
  return (
    moved === 0 &&
    questions.some((question) => ownMember(kept.questions, question.id)?.asked !== askedOf(question))
  );
}

/** @returns false when it has to wait until submissions are counted */
async function makeResults(db: Db, formId: number, settings: PublicResultSettings): Promise<boolean> {
  const made = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((snapshot) => workOut(snapshot, formId, settings));
  if (typeof made === 'boolean') return made;
  await keepResults(db, formId, made.results, made.moment);
  return true;
}

/** @param snapshot sees everything at one moment */
async function workOut(
  snapshot: Transaction,
  formId: number,
  settings: PublicResultSettings,
): Promise<{ results: KeptResults; moment: ResultsMoment } | boolean> {
  const { step } = settings;
  const moment = await findResultsMoment(snapshot, formId);
  if (!isDue(moment, settings)) return true;
  const found = await findAnswerCounts(snapshot, formId, ALL_DAYS, 'completed', MOST_NAMED);
  if (!found) return true;
  const { blocks, counts } = found;
  const { submissions, uncounted, fields } = presentAnswers(blocks, ALL_DAYS, 'completed', counts);
  if (uncounted > 0 || submissions < step) return false;
  const { kept, newestId: lastId } = moment;
  const former = kept?.step === step ? kept.questions : {};
  const shownBefore = settings.questions.flatMap(({ id }) => {
    const { lastId: since = 0 } = ownMember(former, id) ?? {};
    return since > 0 ? [{ field: id, since }] : [];
  });
  const cameTo = await countAnsweredSince(snapshot, formId, shownBefore, step);
  const statistics = new Map(fields.map((field) => [field.id, field]));
  const questions = blocks.filter(isSummarised).flatMap((question) => {
    const counted = statistics.get(question.id);
    if (!counted) return [];
    const fresh = figureOf(question, counted, { least: step, lastId });
    const earlier = ownMember(former, question.id);
    const since = { came: cameTo.get(question.id) ?? 0, hasChanged: moment.changed.length > 0 };
    return [[question.id, nextFigure(fresh, earlier, since, step)] as const];
  });
  return { results: { step, submissions, lastId, questions: Object.fromEntries(questions) }, moment };
}
