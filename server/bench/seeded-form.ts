import { type PublishedSample, publishSample } from './api.ts';
import type { Bench } from './figure.ts';
import { seedSubmissions } from './queries.ts';
import { TWENTY_FIELDS } from './sample-form.ts';

export interface SeededForm extends PublishedSample {
  /** Id of the submission in the middle, the only one with the rare word. */
  middleId: number;
}

/** Some hundreds of bytes each, so that compression by repetition stays out of it. */
const SAMPLES = 500;
export const RARE_WORD = 'xylograph';

const seeded = new WeakMap<Bench, Promise<SeededForm>>();

/** The form of twenty answers with all the rows; made once for the figures that read it. */
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
  return { ...form, middleId };
}
