import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { aVisitor } from './visitor.ts';

const home = useHome();
const NAME = aField('01', 'text', 'Name');
const BREAK = aField('02', 'nf-page-break', 'Break');
const AGE = aField('03', 'number', 'Age');
const IN_GERMAN = { de: { title: 'Umfrage', properties: { [NAME.id]: { name: 'Ihr Name' } } } };

let form: any;
beforeAll(async () => {
  form = await home.form({ title: 'Survey', properties: [NAME, BREAK, AGE], translations: IN_GERMAN });
});

/** The page, with the parts replaced that differ for every visit. */
async function pageOf(query: string, encoding: string): Promise<string> {
  const answer = await fetch(`${home.service.url}/forms/${form.slug}${query}`, {
    headers: { accept: 'text/html', 'accept-encoding': encoding },
  });
  expect(answer.status).toBe(200);
  const page = await answer.text();
  const nonce = /nonce="([^"]+)"/.exec(page)?.[1] ?? '';
  return page.replaceAll(nonce, 'NONCE').replace(/visit=[\w-]{22}&amp;at=\d+/g, 'VISIT');
}

describe('the page everybody first finds', () => {
  afterEach(() => void vi.useRealTimers());

  test.each([
    ['nothing', '?'],
    ['where the visitor came from', '?utm_source=a%22%3Cb%26c%27&gclid=%C3%9F+x&fbclid='],
    ['a language', '?lang=de'],
    ['a language the form has not got', '?lang=fr&utm_medium=mail'],
    ['what no field knows', '?ref=letter&utm_source=mail&lang=de&mc_cid=1'],
    ['very many keys', `?${Array.from({ length: 200 }, (_, n) => `k${n}=`).join('&')}`],
    ['too much of where the visitor came from', `?utm_source=${'x'.repeat(3_000)}&utm_term=y`],
  ])('is the one made for this visitor, where the address brings %s', async (_what, query) => {
    // A step in the address makes the service render this page anew.
    const made = await pageOf(`${query}&step=0`, 'identity');
    expect(made).toContain('VISIT');
    for (const encoding of ['identity', 'gzip']) expect(await pageOf(query, encoding)).toBe(made);
  });

  test('goes on from where the visitor came, and with the language, to the submission', async () => {
    const visitor = aVisitor(home.service);
    const page = await visitor.open(`/forms/${form.slug}?utm_source=%26at%3D1&lang=de&ref=x`);
    expect(page.text).toContain('Ihr Name');
    const second = await visitor.send(page, { [NAME.id]: 'Ada' });
    await visitor.send(second, { [AGE.id]: '36' });
    const [record] = await home.records(form);
    expect(record.data).toMatchObject({ [NAME.id]: 'Ada', [AGE.id]: 36 });
    expect(record.meta.attribution).toEqual({ utm_source: '&at=1' });
  });

  test('tells the minute of each visitor where a date is filled in with the time', async () => {
    const at = (id: string, options: object) => aField(id, 'date', 'At', { prefill_today: true, ...options });
    const [seen, hidden, day] = [
      at('05', { with_time: true }),
      at('06', { with_time: true, hidden: true }),
      at('07', {}),
    ];
    const stamped = await home.form({ properties: [NAME, seen, hidden, day] });
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now });
    for (const minutes of [0, 3]) {
      vi.setSystemTime(now + minutes * 60_000);
      const answer = await fetch(`${home.service.url}/forms/${stamped.slug}`, {
        headers: { accept: 'text/html' },
      });
      const page = await answer.text();
      const time = new Date().toISOString().slice(0, 16);
      const values = [seen, hidden, day].map(
        ({ id }) => new RegExp(`name="${id}"[^>]* value="([^"]*)"`).exec(page)?.[1],
      );
      expect(values).toEqual([time, time.replace('T', ' '), time.slice(0, 10)]);
    }
  });

  test('is never one that was filled in by an address', async () => {
    const filled = await pageOf(`?${NAME.id}=Ada&utm_source=mail`, 'gzip');
    expect(filled).toContain('value="Ada"');
    const repeated = await home.form({
      properties: [
        {
          id: 'people',
          type: 'repeat',
          name: 'People',
          questions: [{ id: 'who', type: 'text', name: 'Who' }],
        },
      ],
    });
    const answer = await fetch(`${home.service.url}/forms/${repeated.slug}?people[1][who]=Grace`, {
      headers: { accept: 'text/html' },
    });
    expect(await answer.text()).toContain('value="Grace"');
  });
});
