import { type Bench, comparedTo, type Figure, ifPossible } from './figure.ts';
import type { RunningService } from './scratch.ts';
import { RARE_WORD, seededForm } from './seeded-form.ts';
import { median } from './statistics.ts';

/** A round is the median of so many requests; a search is asked once. */
const REPEATS = 20;
const PER_PAGE = 50;

/** What the owner waits for who looks at answers. */
export async function measureLists(bench: Bench): Promise<Figure[]> {
  const { scratch, settings } = bench;
  const { id, middleId } = await seededForm(bench);
  const { api } = await scratch.serve('http,worker');
  bench.tell('lists');
  const path = `/open/forms/${id}/submissions?per_page=${PER_PAGE}`;
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
  const search = await measure(`search for a word of one submission`, `${path}&search=${RARE_WORD}`, 1);
  return [newest, comparedTo(deep, newest), comparedTo(search, newest)];
}

async function timed({ ask }: RunningService['api'], url: string): Promise<number> {
  const startedAt = performance.now();
  const { status, text } = await ask('GET', url);
  if (status !== 200) throw new Error(`answered ${status}`);
  const milliseconds = performance.now() - startedAt;
  if (JSON.parse(text).data.length === 0) throw new Error('nothing was found');
  return milliseconds;
}
