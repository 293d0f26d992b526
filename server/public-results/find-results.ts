import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { unavailable } from '../http/errors.ts';
import { findAnswerCounts } from '../statistics/answer-queries.ts';
import { presentAnswers } from '../statistics/present-answers.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';
import { askedOf, figureOf, type QuestionFigure } from './figures.ts';
import {
  blankResults,
  findResultsMoment,
  type KeptResults,
  keepResults,
  MOST_CAME,
  type ResultsMoment,
} from './queries.ts';
import { isSummarised, type PublicResultSettings } from './settings.ts';

/** Days of every submission there can be. */
const ALL_DAYS = { from: '0001-01-01', to: '9999-12-31' };
/** Different values that are named: more than a form has options. */
const MOST_NAMED = 2_000;
/** Forms whose results one process works out at once; of all others the former ones are shown meanwhile. */
const MAX_AT_ONCE = 2;
/** Milliseconds until it is tried again where submissions wait to be counted, or something failed. */
const RETRY_MS = 5_000;
/** Where it took longer than this, in milliseconds, it rests nine times as long. */
const QUICK_MS = 100;

export type FindResults = (
  form: PublishedForm,
  settings: PublicResultSettings,
) => Promise<KeptResults | null>;

/**
 * Finds what a form shows everybody of its answers; null while too few have answered. What was worked out is shown until a
 * whole step of submissions has come or gone; many visitors at once have it worked out once.
 * @throws HttpError 503 where there are enough, and nothing was worked out yet
 */
export function createFindResults({ db, log }: Context): FindResults {
  /** By form and step. */
  const underWay = new Map<string, Promise<void>>();
  const resting = new Set<string>();

  return async (form, settings) => {
    const { step } = settings;
    const moment = await findResultsMoment(db, form.id);
    if (moment.completed < step) {
      if (moment.kept) await blankResults(db, form.id, moment.kept);
      return null;
    }
    const former = keptOf(moment, step);
    if (former && newsOf(moment, former, settings) === 'none') return shown(former);
    const key = `${form.id} ${step}`;
    if (!underWay.has(key) && !resting.has(key) && underWay.size < MAX_AT_ONCE)
      underWay.set(key, make(key, form.id, settings));
    await underWay.get(key);
    const results = keptOf(await findResultsMoment(db, form.id), step);
    if (!results) throw unavailable();
    return shown(results);
  };

  async function make(key: string, formId: number, settings: PublicResultSettings): Promise<void> {
    const begun = performance.now();
    let rest = RETRY_MS;
    try {
      const isMade = await makeResults(db, formId, settings);
      const took = performance.now() - begun;
      if (isMade) rest = took > QUICK_MS ? 9 * took : 0;
    } catch (error) {
      log.error({ err: error, form: formId }, 'results for everybody could not be worked out');
    }
    underWay.delete(key);
    if (rest === 0) return;
    resting.add(key);
    setTimeout(() => resting.delete(key), rest).unref();
  }
}

/** Of those that were blanked there is nothing to see before a whole step has come again. */
function shown(results: KeptResults): KeptResults | null {
  return Object.keys(results.questions).length > 0 ? results : null;
}

/** Those of another step would be of too few, or of more than it takes now. */
function keptOf({ kept }: ResultsMoment, step: number): ResultsMoment['kept'] {
  return kept?.step === step ? kept : null;
}

/** How many have gone since; none where so many came that they are not counted to the end. */
function goneSince({ completed, came }: ResultsMoment, { submissions }: KeptResults): number {
  return came < MOST_CAME ? Math.abs(completed - submissions - came) : 0;
}

/**
 * Nothing changes before as many have come or gone as are shown together. Of a question that is another now there is
 * something to tell where nobody has: else it would never be told of a form that is closed.
 */
function newsOf(
  moment: ResultsMoment,
  kept: KeptResults,
  { step, questions }: PublicResultSettings,
): 'none' | 'all' | 'other questions' {
  const moved = moment.came + goneSince(moment, kept);
  if (moved >= step) return 'all';
  const isOther = questions.some((question) => kept.questions[question.id]?.asked !== askedOf(question));
  return isOther && moved === 0 ? 'other questions' : 'none';
}

/** @returns false where it has to wait, as submissions are not counted yet */
async function makeResults(db: Db, formId: number, settings: PublicResultSettings): Promise<boolean> {
  const { step } = settings;
  const before = await findResultsMoment(db, formId);
  const former = keptOf(before, step);
  const news = former ? newsOf(before, former, settings) : 'all';
  if (news === 'none') return true;
  const found = await findAnswerCounts(db, formId, ALL_DAYS, 'completed', MOST_NAMED);
  if (!found) return true;
  const { submissions, uncounted, fields } = presentAnswers(
    found.blocks,
    ALL_DAYS,
    'completed',
    found.counts,
  );
  if (uncounted > 0 || submissions < step) return false;
  // Asked for after the numbers: who comes in between counts as new once too often, never once too little.
  const after = await findResultsMoment(db, formId);
  if (former && news === 'other questions' && newsOf(after, former, settings) !== news) return true;
  const isAnybodyGone = former !== null && goneSince(before, former) > 0;
  const statistics = new Map(fields.map((field) => [field.id, field]));
  const questions = found.blocks.filter(isSummarised).flatMap((question) => {
    const counted = statistics.get(question.id);
    if (!counted) return [];
    const figure = figureOf(question, counted, step);
    const earlier = former?.questions[question.id];
    const stays =
      earlier?.asked === figure.asked &&
      (news === 'other questions' || (!isAnybodyGone && isTooLittleNew(figure, earlier, step)));
    return [[question.id, stays ? earlier : figure] as const];
  });
  const results = { step, submissions, lastId: after.newestId, questions: Object.fromEntries(questions) };
  await keepResults(db, formId, results, before.kept?.version ?? null);
  return true;
}

/**
 * Where fewer have answered this one question since than are shown together, what they wrote could be worked out from the two:
 * of an average, the number that the only one of them gave.
 */
function isTooLittleNew({ answers }: QuestionFigure, earlier: QuestionFigure, step: number): boolean {
  return answers !== null && earlier.answers !== null && answers.answered - earlier.answers.answered < step;
}
