import { countNextAnswers } from '../statistics/answer-queries.ts';
import { countNextSubmissions } from '../statistics/queries.ts';
import { fillNextBlocks } from '../submissions/search/block-queries.ts';
import { type PublishedSample, publishSample } from './api.ts';
import type { Bench } from './figure.ts';
import { seedSubmissions } from './queries.ts';
import { TWENTY_FIELDS } from './sample-form.ts';

export interface SeededForm extends PublishedSample {
  /** Id of the middle submission, the only one with the rare word. */
  middleId: number;
  /** Seconds to prepare the search, which background work would do within minutes. */
  fillSeconds: number;
}

/** Different submissions, of some hundred bytes each: enough to keep compression from using repetition. */
const SAMPLES = 500;
export const RARE_WORD = 'xylograph';

const seeded = new WeakMap<Bench, Promise<SeededForm>>();

/** The form of twenty answers with all its rows, made once for all figures that read it. */
export function seededForm(bench: Bench): Promise<SeededForm> {
  const form = seeded.get(bench) ?? seed(bench);
  seeded.set(bench, form);
  return form;
}

async function seed({ scratch, settings, tell }: Bench): Promise<SeededForm> {
  const { api } = await scratch.serve('http,worker');
  tell(`storing ${settings.rows.toLocaleString('en')} submissions to read`);
  const form = await publishSample(api, TWENTY_FIELDS, { webhookUrl: null });
  const middleId = await seedSubmissions(scratch.connection(), form.id, TWENTY_FIELDS.answers(SAMPLES), {
    rows: settings.rows,
    rareWord: RARE_WORD,
  });
  tell('what the background does later');
  const startedAt = performance.now();
  while (await fillNextBlocks(scratch.db(), form.id));
  const fillSeconds = (performance.now() - startedAt) / 1000;
  for (const step of [countNextAnswers, countNextSubmissions]) while (await step(scratch.db(), form.id));
  return { ...form, middleId, fillSeconds };
}
