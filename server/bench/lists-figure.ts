import { type Bench, comparedTo, type Figure, ifPossible } from './figure.ts';
import type { RunningService } from './scratch.ts';
import { RARE_WORD, seededForm } from './seeded-form.ts';
import { median } from './statistics.ts';

/** Requests per round; a round is their median. */
const REPEATS = 20;
const SLOW_REPEATS = 3;
const PER_PAGE = 50;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The time an owner waits for lists of answers and for their counts. */
export async function measureLists(bench: Bench): Promise<Figure[]> {
  const { scratch, settings } = bench;
  const { id, middleId, fillSeconds } = await seededForm(bench);
  const { api } = await scratch.serve('http,worker');
  bench.tell('lists');
  const form = `/open/forms/${id}`;
  const path = `${form}/submissions?per_page=${PER_PAGE}`;
  const rows = settings.rows.toLocaleString('en');
  async function measure(name: string, url: string, repeats: number): Promise<Figure> {
    return ifPossible({ group: 'lists', name, unit: 'ms' }, async () => {
      await timed(api, url);
      const values: number[] = [];
      for (let round = 0; round < settings.rounds; round++) {
        const times: number[] = [];
        for (let count = 0; count < repeats; count++) times.push(await timed(api, url));
        values.push(median(times));
      }
      return values;
    });
  }
  const newest = await measure(`newest ${PER_PAGE} of ${rows}`, path, REPEATS);
  const deep = await measure(
    `${PER_PAGE} from the middle, by \`before\``,
    `${path}&before=${middleId}`,
    REPEATS,
  );
  const search = await measure(
    'search for a word of one submission',
    `${path}&search=${RARE_WORD}`,
    SLOW_REPEATS,
  );
  const range = `from=${day(Date.now() - 730 * DAY_MS)}&to=${day(Date.now())}`;
  const statistics = await measure('statistics of two years', `${form}/statistics?${range}`, SLOW_REPEATS);
  const fields = await measure('the same by field', `${form}/statistics/fields?${range}`, SLOW_REPEATS);
  const filling: Figure = {
    group: 'lists',
    name: 'made ready for the search, without its rests',
    unit: 'rows/s',
    values: [settings.rows / fillSeconds],
  };
  return [newest, ...[deep, search, statistics, fields].map((figure) => comparedTo(figure, newest)), filling];
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

async function timed({ ask }: RunningService['api'], url: string): Promise<number> {
  const startedAt = performance.now();
  const { status, text } = await ask('GET', url);
  if (status !== 200) throw new Error(`answered ${status}`);
  const milliseconds = performance.now() - startedAt;
  if (JSON.parse(text).data?.length === 0) throw new Error('nothing was found');
  return milliseconds;
}
