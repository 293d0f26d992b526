import type { Context } from '../context.ts';
import { findAnswerCounts } from '../statistics/answer-queries.ts';
import { presentAnswers } from '../statistics/present-answers.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';
import { figureOf } from './figures.ts';
import { findKeptResults, type KeptResults, keepResults } from './queries.ts';
import type { PublicResultSettings } from './settings.ts';

/** Days of every submission there can be. */
const ALL_DAYS = { from: '0001-01-01', to: '9999-12-31' };

export type FindResults = (
  form: PublishedForm,
  settings: PublicResultSettings,
) => Promise<KeptResults | null>;

/**
 * Finds what a form shows everybody of its answers; null while too few have answered. What was worked out is shown until a
 * whole step of submissions has come in addition, or one was taken away; many visitors at once have it worked out once.
 */
export function createFindResults({ db }: Context): FindResults {
  const underWay = new Map<string, Promise<KeptResults | null>>();
  return async (form, settings) => {
    const { asked, step } = settings;
    const { completed, kept } = await findKeptResults(db, form.id);
    if (completed < step) return null;
    const isStill =
      kept?.asked === asked && kept.submissions <= completed && completed < kept.submissions + step;
    if (isStill) return kept;
    const key = `${form.id} ${asked}`;
    const making = underWay.get(key) ?? makeResults(form.id, settings).finally(() => underWay.delete(key));
    underWay.set(key, making);
    return making;
  };

  async function makeResults(formId: number, { questions, step, asked }: PublicResultSettings) {
    const found = await findAnswerCounts(db, formId, ALL_DAYS, 'completed');
    if (!found) return null;
    const { submissions, fields } = presentAnswers(found.blocks, ALL_DAYS, 'completed', found.counts);
    if (submissions < step) return null;
    const figures = new Map(fields.map((field) => [field.id, field]));
    const results = questions.flatMap((question) => {
      const figure = figures.get(question.id);
      return figure ? (figureOf(question, figure, step) ?? []) : [];
    });
    return keepResults(db, formId, { asked, submissions, results }, step);
  }
}
