import { beforeEach, describe, expect, test } from 'vitest';
import { firstTime } from '../../server/statistics/visit-memory.ts';
import { aField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

const home = useHome({ env: { ROLES: 'http' } });

const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';
const PIXEL =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';
const TAB =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const IPAD = 'Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 Version/12.1 Mobile/15E148';
const CUBOT =
  'Mozilla/5.0 (Linux; Android 12; CUBOT X50) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36';
/** The browser inside Telegram. */
const WITHIN_TELEGRAM = `${PIXEL} Telegram-Android/11.4.2 (Google Pixel 8; Android 15; SDK 35; HIGH)`;

let form: any;
beforeEach(async () => {
  form = await home.form();
});

function open(query = '', headers: Record<string, string> = {}, method = 'GET') {
  return home.service.request(method, `/forms/${form.slug}${query}`, {
    headers: { accept: 'text/html', 'user-agent': DESKTOP, ...headers },
  });
}

/** Sends progress as `sendBeacon` sends a string. */
function tell(progress: unknown, headers: Record<string, string> = {}) {
  return home.service.request('POST', `/forms/${form.slug}/progress`, {
    body: typeof progress === 'string' ? progress : JSON.stringify(progress),
    headers: { 'content-type': 'text/plain;charset=UTF-8', 'user-agent': DESKTOP, ...headers },
  });
}

async function statistics(query = ''): Promise<any> {
  await home.service.context.visits.flush();
  const answer = await home.call('GET', `/open/forms/${form.id}/statistics${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function views(): Promise<number> {
  return (await statistics()).totals.views;
}

describe('a view', () => {
  test('is counted, and shown with the form everywhere', async () => {
    await open();
    await open();
    expect((await statistics()).totals).toMatchObject({
      views: 2,
      starts: 0,
      completed: 0,
      completion_rate: null,
    });
    const read = await home.call('GET', `/open/forms/${form.id}`);
    const listed = await home.call('GET', `/open/workspaces/${home.workspaceId}/forms`);
    const all = await home.call('GET', '/open/forms');
    const found = (list: any[]) => list.find(({ id }) => id === form.id).views_count;
    expect([read.body.views_count, found(listed.body.data), found(all.body)]).toEqual([2, 2, 2]);
  });

  test('counts by device', async () => {
    const agents = [DESKTOP, IPHONE, PIXEL, CUBOT, WITHIN_TELEGRAM, TAB, IPAD];
    for (const agent of agents) await open('', { 'user-agent': agent });
    expect((await statistics()).devices).toEqual([
      { device: 'phone', views: 4 },
      { device: 'tablet', views: 2 },
      { device: 'desktop', views: 1 },
    ]);
  });

  test('counts by the site that led to it; our own, unreadable and other addresses are none', async () => {
    const own = `${home.service.url}/forms/other`;
    for (const referer of [
      'https://www.example.org/a?b=c',
      'http://example.org:8080/',
      'https://news.example/',
      own,
      'nonsense',
      'android-app://com.example',
    ])
      await open('', { referer });
    await open();
    expect((await statistics()).referrers).toEqual({
      direct: 4,
      hosts: [
        { host: 'example.org', views: 2 },
        { host: 'news.example', views: 1 },
      ],
      other: 0,
    });
  });

  test.each([
    [
      'a program',
      { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    ],
    ['a preview of a message', { 'user-agent': 'WhatsApp/2.23.20.0' }],
    ['a preview of another', { 'user-agent': 'TelegramBot (like TwitterBot)' }],
    ['a program without a name', { 'user-agent': '' }],
    ['a page loaded ahead', { 'sec-purpose': 'prefetch' }],
    ['a page drawn ahead', { 'sec-purpose': 'prefetch;prerender' }],
    ['a program that reads JSON', { accept: 'application/json' }],
  ])('is not %s', async (_what, headers: Record<string, string>) => {
    expect((await open('', headers)).status).toBe(200);
    expect(await views()).toBe(0);
  });

  test('is not a HEAD, a further page of a visit, or a form that takes nothing', async () => {
    await open('', {}, 'HEAD');
    await open('?visit=AAAAAAAAAAAAAAAAAAAAAA&at=1&step=1');
    await home.call('PUT', `/open/forms/${form.id}`, { visibility: 'closed' });
    expect((await open()).status).toBe(200);
    await home.call('PUT', `/open/forms/${form.id}`, { visibility: 'draft' });
    expect((await open()).status).toBe(404);
    expect(await views()).toBe(0);
  });

  test('of a step the form has not got is neither counted nor remembered', async () => {
    const pageBreak = { id: 'break', type: 'nf-page-break', name: 'Next' };
    form = await home.form({
      properties: [aField('01', 'text', 'One'), pageBreak, aField('02', 'text', 'Two')],
    });
    const visit = 'BBBBBBBBBBBBBBBBBBBBBB';
    for (const step of [1, 2, 3, 4_000]) await open(`?visit=${visit}&at=1&step=${step}`);
    expect(firstTime(visit, 'step 1')).toBe(false);
    for (const step of [2, 3, 4_000]) expect(firstTime(visit, `step ${step}`), `${step}`).toBe(true);
  });

  test('of a protected form is the page behind the password', async () => {
    await home.call('PUT', `/open/forms/${form.id}`, { password: 'sesame' });
    expect((await open()).status).toBe(403);
    expect(await views()).toBe(0);
    const unlock = (password: string) =>
      home.service.request('POST', `/forms/${form.slug}/unlock`, {
        body: `password=${password}`,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'text/html',
          'user-agent': DESKTOP,
        },
      });
    await unlock('wrong');
    expect(await views()).toBe(0);
    const { headers } = await unlock('sesame');
    await open(headers.get('location')!.slice(`/forms/${form.slug}`.length));
    expect(await views()).toBe(1);
  });

  test('beyond a hundred sites a day the rest is counted together', async () => {
    const { visits } = home.service.context;
    for (let n = 0; n < 130; n++) {
      visits.add(form.id, 'view', 'desktop');
      visits.add(form.id, 'referrer', `site-${n}.example`);
      if (n === 60) await visits.flush();
    }
    const { referrers } = await statistics();
    expect(referrers).toMatchObject({ direct: 0, other: 80 });
    expect(referrers.hosts).toHaveLength(50);
    const { rows } = await home.service.context.pool.query(
      `select count(*), sum(count) filter (where place = '') as rest from form_days where form_id = $1 and kind = 'referrer'`,
      [form.id],
    );
    expect(rows[0]).toEqual({ count: 101, rest: '30' });
  });

  test('survives a database that is away, and is written at a stop', async () => {
    const { visits, pool } = home.service.context;
    await pool.query('alter table form_views rename to form_views_away');
    await open();
    await visits.flush();
    await pool.query('alter table form_views_away rename to form_views');
    await visits.stop();
    const { rows } = await pool.query('select views_count from form_views where form_id = $1', [form.id]);
    expect(rows).toEqual([{ views_count: 1 }]);
  });

  test('never outlives its form', async () => {
    await open();
    await home.call('DELETE', `/open/forms/${form.id}`);
    home.service.context.visits.add(form.id, 'view', 'phone');
    await home.service.context.visits.flush();
    for (const table of ['form_days', 'form_views', 'counted_submissions']) {
      const { rows } = await home.service.context.pool.query(`select from ${table} where form_id = $1`, [
        form.id,
      ]);
      expect([table, rows.length]).toEqual([table, 0]);
    }
  });
});

describe('progress', () => {
  const steps = [
    { id: TEXT_FIELD_ID, type: 'text', name: 'Name' },
    { id: 'break', type: 'nf-page-break', name: 'Break' },
    aField('02', 'email', 'Mail'),
    { id: 'break2', type: 'nf-page-break', name: 'Break' },
    aField('03', 'number', 'Age'),
  ];
  beforeEach(async () => {
    form = await home.form({ properties: steps });
  });

  test('is counted by step and field', async () => {
    for (let n = 0; n < 3; n++) await open();
    await tell({ started: true, fields: [TEXT_FIELD_ID] });
    await tell({ steps: [1, 1, 2], fields: [aField('02', 'email', '').id], left: 2 });
    const answer = await tell({ started: true, fields: [TEXT_FIELD_ID], left: 0 });
    expect(answer.status).toBe(204);
    await home.submit(form, { [TEXT_FIELD_ID]: 'Ada' });
    const { totals, steps, fields } = await statistics();
    expect(totals).toMatchObject({ views: 3, starts: 2, completed: 1, completion_rate: 0.5 });
    expect(steps).toEqual([
      { index: 0, reached: 3, left: 1 },
      { index: 1, reached: 1, left: 0 },
      { index: 2, reached: 1, left: 1 },
    ]);
    expect(fields.map(({ name, step, reached, answered }: any) => [name, step, reached, answered])).toEqual([
      ['Name', 0, 3, 2],
      ['Mail', 1, 1, 1],
      ['Age', 2, 1, 0],
    ]);
  });

  test('tells what fields usually take: one that took very long hardly moves it', async () => {
    const mail = aField('02', 'email', '').id;
    expect((await statistics()).fields[0].typical_time).toBe(null);
    for (const time of [8_000, 10_000, 12_500]) await tell({ times: { [TEXT_FIELD_ID]: time, [mail]: 1 } });
    const took = async () => (await statistics()).fields.map(({ typical_time }: any) => typical_time);
    expect(await took()).toEqual([10, 1, null]);
    await tell({ times: { [TEXT_FIELD_ID]: 1_000_000, none: 5_000, break: 5_000 } });
    // The plain mean of these four would be 257 seconds.
    expect(await took()).toEqual([expect.closeTo(31.6, 0), 1, null]);
  });

  test('counts as a second what took less, as what a browser fills in: an instant hardly moves what fields take', async () => {
    for (const time of [0, 10_000, 10_000, 10_000]) await tell({ times: { [TEXT_FIELD_ID]: time } });
    // If the instant counted as a millisecond instead of a second, this would be one.
    expect((await statistics()).fields[0].typical_time).toBeCloseTo(5.6, 1);
  });

  test('passes over what the form does not have, and programs', async () => {
    expect((await tell({ steps: [0, 3, 99], fields: ['none', 'break'], left: 3 })).status).toBe(204);
    await tell({ started: true }, { 'user-agent': 'curl/8.5.0' });
    const { totals, steps, fields } = await statistics();
    expect(totals.starts).toBe(0);
    for (const { reached, left } of steps) expect([reached, left]).toEqual([0, 0]);
    for (const { answered } of fields) expect(answered).toBe(0);
  });

  test.each([
    ['{"steps":[-1]}', 422],
    ['{"steps":["x"]}', 422],
    ['{"fields":[{}]}', 422],
    ['{"left":1.5}', 422],
    ['{"times":{"a":-1}}', 422],
    ['{"times":{"a":0.5}}', 422],
    ['{"times":{"a":86400001}}', 422],
    ['{"times":{"a":"x"}}', 422],
    ['{"times":[]}', 422],
    ['[]', 422],
    ['null', 422],
    ['nonsense', 400],
    ['', 400],
    [`{"fields":["${'x'.repeat(70_000)}"]}`, 413],
  ])('refuses %.20s with %i', async (text, status) => {
    expect((await tell(text)).status).toBe(status);
  });

  test('is JSON as well, and counts nothing of closed and unknown forms', async () => {
    const body = { started: true };
    const headers = { 'user-agent': DESKTOP };
    const path = `/forms/${form.slug}/progress`;
    expect((await home.service.request('POST', path, { body, headers })).status).toBe(204);
    await home.call('PUT', `/open/forms/${form.id}`, { visibility: 'closed' });
    expect((await home.service.request('POST', path, { body, headers })).status).toBe(204);
    expect((await home.service.request('POST', '/forms/none/progress', { body })).status).toBe(404);
    expect((await statistics()).totals.starts).toBe(1);
  });

  test('of a browser without scripts is seen by the service, once a visit', async () => {
    let path = `/forms/${form.slug}`;
    const get = () =>
      home.service.request('GET', path, { headers: { accept: 'text/html', 'user-agent': DESKTOP } });
    async function send(values: Record<string, string>, go = '') {
      const { text } = await get();
      const action = /<form[^>]* action="([^"]+)"/.exec(text)![1]!.replaceAll('&amp;', '&') + go;
      const answer = await home.service.request('POST', action, {
        body: new URLSearchParams(values).toString(),
        headers: {
          accept: 'text/html',
          'content-type': 'application/x-www-form-urlencoded',
          'user-agent': DESKTOP,
        },
      });
      expect(answer.status).toBe(303);
      path = answer.headers.get('location')!;
    }
    const mail = aField('02', 'email', '').id;
    await send({ [TEXT_FIELD_ID]: 'Ada' });
    await send({ [TEXT_FIELD_ID]: 'Ada', [mail]: 'not an address' });
    await send({ [TEXT_FIELD_ID]: 'Ada', [mail]: 'ada@example.com' }, '&go=back');
    await send({ [TEXT_FIELD_ID]: 'Ada', [mail]: 'ada@example.com' });
    await send({ [TEXT_FIELD_ID]: 'Ada', [mail]: 'ada@example.com' });
    await send({ [TEXT_FIELD_ID]: 'Ada', [mail]: 'ada@example.com' });
    expect(path).toContain('/thank-you');
    const { totals, steps, fields } = await statistics();
    expect(totals).toMatchObject({ views: 1, starts: 1, completed: 1, completion_rate: 1 });
    expect(steps.map(({ reached }: any) => reached)).toEqual([1, 1, 1]);
    expect(fields.map(({ answered }: any) => answered)).toEqual([1, 1, 0]);
  });
});
