import { publishSample } from './api.ts';
import { type Bench, comparedTo, type Figure, ifPossible, rateFigure } from './figure.ts';
import { processorSeconds } from './processes.ts';
import { TWELVE_FIELDS } from './sample-form.ts';
import type { LoadResult } from './submit-load.ts';

const CONNECTIONS = 32;
const BROWSER = { Accept: 'text/html', 'Accept-Encoding': 'gzip, br' };
/** The ending of links in mails and advertisements: the same page, which carries it on. */
const CAMPAIGN = '?utm_source=newsletter&utm_medium=email&utm_campaign=spring';
/** Values in the address make the page unique: only the form comes from the cache. */
const FILLED_IN = '?name=Ada%20Lovelace';

/** Measures how fast the page of a form is served; the floor is the shortest response of the service. */
export async function measurePages(bench: Bench): Promise<Figure[]> {
  const { scratch } = bench;
  const { api, url, pid } = await scratch.serve('http,worker');
  const { slug } = await publishSample(api, TWELVE_FIELDS, { webhookUrl: null });
  bench.tell('pages');
  const floor = await measure(bench, 'floor: GET /livez', `${url}/livez`, pid);
  const first = await measure(bench, 'first page of a form', `${url}/forms/${slug}`, pid);
  const campaign = await measure(bench, 'the same from a campaign', `${url}/forms/${slug}${CAMPAIGN}`, pid);
  const filledIn = await measure(
    bench,
    'page filled in by its address',
    `${url}/forms/${slug}${FILLED_IN}`,
    pid,
  );
  return [
    floor.speed,
    ...[first, campaign, filledIn].flatMap(({ speed, perCore }) => [comparedTo(speed, floor.speed), perCore]),
  ];
}

async function measure({ settings, load }: Bench, name: string, url: string, pid: number) {
  const results: LoadResult[] = [];
  const spent: number[] = [];
  const perCore = await ifPossible({ group: 'pages', name: `${name}, per core`, unit: '/s' }, async () => {
    for (let round = 0; round < settings.rounds; round++) {
      const before = processorSeconds(pid);
      results.push(
        await load.run('pages', {
          url,
          headers: BROWSER,
          connections: CONNECTIONS,
          seconds: settings.seconds,
        }),
      );
      spent.push(processorSeconds(pid) - before);
    }
    return results.map(({ acknowledged }, round) => acknowledged / (spent[round] ?? Number.NaN));
  });
  return { speed: rateFigure('pages', `${name}, ${CONNECTIONS} connections`, results), perCore };
}
