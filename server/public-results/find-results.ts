import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { findAnswerCounts } from '../statistics/answer-queries.ts';
import { presentAnswers } from '../statistics/present-answers.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';
import { askedOf, figureOf } from './figures.ts';
import {
  findResultsMoment,
  forgetResults,
  type KeptResults,
  keepResults,
  type ResultsMoment,
} from './queries.ts';
import { isSummarised, type PublicResultSettings } from './settings.ts';

/** Days of every submission there can be. */
const ALL_DAYS = { from: '0001-01-01', to: '9999-12-31' };
/** Different values that are named: more than a form has options. */
const MOST_NAMED = 2_000;
/** Forms whose results one process works out at once; of all others the former ones are shown meanwhile. */
const MAX_AT_ONCE = 2;
/** Milliseconds until it is tried again where submissions wait to be counted. */
const RETRY_MS = 5_000;

export type FindResults = (
  form: PublishedForm,
  settings: PublicResultSettings,
) => Promise<KeptResults | null>;

/**
 * Finds what a form shows everybody of its answers; null while too few have answered. What was worked out is shown until a
 * whole step of submissions has come or gone; many visitors at once have it worked out once.
 */
export function createFindResults({ db }: Context): FindResults {
  const underWay = new Map<number, Promise<void>>();
  return async (form, settings) => {
    const { step } = settings;
    const moment = await findResultsMoment(db, form.id, step);
    if (moment.completed < step) {
      if (moment.kept) await forgetResults(db, form.id);
      return null;
    }
    if (!isDue(moment, settings)) return moment.kept;
    if (!underWay.has(form.id) && underWay.size >= MAX_AT_ONCE) return moment.kept;
    const making = underWay.get(form.id) ?? start(form.id, step, moment);
    await making;
    return (await findResultsMoment(db, form.id, step)).kept;
  };

  function start(formId: number, step: number, moment: ResultsMoment): Promise<void> {
    const making = makeResults(db, formId, step, moment).then(
      (isMade) => {
        if (isMade) underWay.delete(formId);
        else setTimeout(() => underWay.delete(formId), RETRY_MS).unref();
      },
      (error) => {
        underWay.delete(formId);
        throw error;
      },
    );
    underWay.set(formId, making);
    return making;
  }
}

/** Nothing changes before as many have come or gone as are shown together; a question that is another now waits for that, too. */
function isDue({ kept, completed, came }: ResultsMoment, { step, questions }: PublicResultSettings): boolean {
  if (kept?.step !== step) return true;
  const gone = Math.abs(completed - kept.submissions - came);
  if (came + gone >= step) return true;
  const isOther = questions.some((question) => kept.questions[question.id]?.asked !== askedOf(question));
  return isOther && came + gone === 0;
}

/** @returns false where it has to wait, as submissions are not counted yet */
async function makeResults(db: Db, formId: number, step: number, { kept }: ResultsMoment): Promise<boolean> {
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
  const { newestId } = await findResultsMoment(db, formId, step);
  const statistics = new Map(fields.map((field) => [field.id, field]));
  const questions = found.blocks.filter(isSummarised).flatMap((question) => {
    const counted = statistics.get(question.id);
    return counted ? [[question.id, figureOf(question, counted, step)] as const] : [];
  });
  const results = { step, submissions, lastId: newestId, questions: Object.fromEntries(questions) };
  await keepResults(db, formId, results, kept?.version ?? null);
  return true;
}
