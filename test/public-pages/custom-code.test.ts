import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { aVisitor } from './visitor.ts';

/** Owners' code, with and without the operator's permission. */
const home = useHome({ env: { CUSTOM_CODE: 'on' } });
const careful = useHome();
const browser = useBrowser();

/** Tries everything that an owner's code must not reach, and reports what it got. */
const PROBE = `<script>
(async () => {
  const found = { origin };
  const look = (name, get) => { try { found[name] = String(get()).slice(0, 200); } catch (error) { found[name] = error.name; } };
  look('parent', () => parent.document.body.innerHTML);
  look('address', () => parent.location.href);
  look('cookie', () => document.cookie);
  look('storage', () => localStorage.length);
  look('session', () => sessionStorage.length);
  look('database', () => indexedDB.open('a') && 'open');
  look('top', () => { top.location = 'about:blank#taken'; return 'asked'; });
  const call = async (name, path, options) => {
    found[name] = await fetch(path, { credentials: 'include', ...options }).then((a) => a.status, (e) => e.name);
  };
  const host = document.currentScript ? '' : location.href.split('/forms/')[0];
  await call('user', host + '/user');
  await call('forms', host + '/open/workspaces');
  await call('write', host + '/open/workspaces/create', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Taken"}' });
  await call('plain', host + '/open/workspaces/create', {
    method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body: '{"name":"Taken"}' });
  parent.postMessage({ probe: found }, '*');
})();
</script>`;

const NAME = { id: 'name', type: 'text', name: 'Name' };
const block = (content: string, id = 'code') => ({ id, type: 'nf-code', name: 'Code', content });

describe('where it is allowed', () => {
  test.each([
    ['of the form', { custom_code: PROBE, properties: [NAME] }],
    ['of a block', { properties: [NAME, block(PROBE)] }],
  ])('code %s reaches nothing but its own frame, also beside a session', async (_, members) => {
    const form = await home.form(members);
    const context = await browser.context();
    const [name = '', value = ''] = home.ada.cookie.split('=');
    await context.addCookies([{ name, value, url: home.service.url }]);
    await context.addInitScript(() => {
      const heard: unknown[] = [];
      Object.assign(window, { heard });
      addEventListener(
        'message',
        ({ data, origin }) => data.probe && heard.push({ ...data.probe, sender: origin }),
      );
    });
    const page = await context.newPage();
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    const frame = page.locator('iframe[data-code]');
    await frame.scrollIntoViewIfNeeded();
    const found = await until(() => page.evaluate(() => (window as unknown as { heard: any[] }).heard[0]));
    expect(found).toEqual({
      origin: 'null',
      sender: 'null',
      parent: 'SecurityError',
      address: 'SecurityError',
      cookie: 'SecurityError',
      storage: 'SecurityError',
      session: 'SecurityError',
      database: 'SecurityError',
      top: 'SecurityError',
      user: 'TypeError',
      forms: 'TypeError',
      write: 'TypeError',
      plain: 0,
    });
    expect(page.url()).toContain(form.slug);
    const workspaces = await home.call('GET', '/open/workspaces');
    expect(workspaces.text).not.toContain('Taken');
  });

  test('opened by itself it has no more', async () => {
    const form = await home.form({ properties: [NAME, block('<script>document.title = origin</script>')] });
    const page = await browser.page();
    await page.goto(`${home.service.url}/forms/${form.slug}/code/code`);
    await expect.poll(() => page.title()).toBe('null');
  });

  test('the code of a protected form needs its password too', async () => {
    const form = await home.form({ properties: [NAME, block('<p>Secret</p>')], password: 'open sesame' });
    for (const path of ['code/code', 'code/code?key=x', 'code']) {
      const answer = await home.call('GET', `/forms/${form.slug}/${path}`, undefined, null);
      expect(answer.status).toBe(404);
      expect(answer.text).not.toContain('Secret');
    }
  });

  test('the code of a form that is not open yet is shown to nobody', async () => {
    const form = await home.form({
      properties: [NAME, block('<p>Secret</p>')],
      custom_code: '<p>Secret</p>',
      opens_at: '2098-01-01T00:00:00Z',
    });
    for (const path of ['code/code', 'code']) {
      const answer = await home.call('GET', `/forms/${form.slug}/${path}`, undefined, null);
      expect([answer.status, answer.text.includes('Secret')]).toEqual([404, false]);
    }
  });

  test('the code of a form for personal links only needs a page that one has opened, and learns no link', async () => {
    const form = await home.form({
      properties: [NAME, block('<p>Secret</p>')],
      custom_code: '<p>Secret</p>',
    });
    const path = `/open/forms/${form.id}/`;
    await home.call('PUT', `${path}personal-links`, { required: true });
    const { body } = await home.call('POST', `${path}recipients`, { recipients: [{ name: 'Ada' }] });
    const { pathname, search } = new URL(body.recipients[0].link);
    // As many characters as the right text has, but more bytes.
    const long = `code?shown_by=${'%C3%A9'.repeat(64)}`;
    for (const address of ['code/code', 'code', 'code?shown_by=x', long])
      expect((await home.call('GET', `/forms/${form.slug}/${address}`, undefined, null)).status).toBe(404);
    const { html } = await aVisitor(home.service).open(pathname + search);
    const frames = [...html.matchAll(/<iframe[^>]* src="([^"]*)"/g)].map(([, src = '']) => src);
    expect(frames).toHaveLength(2);
    for (const frame of frames) {
      expect(frame).not.toContain(search.slice(-24));
      const answer = await home.call('GET', frame, undefined, null);
      expect([answer.status, answer.text.includes('Secret')]).toEqual([200, true]);
    }
  });

  test('it runs in a form that another site shows in a frame', async () => {
    const form = await home.form({
      properties: [
        NAME,
        block(
          '<script>document.body.append(Object.assign(document.createElement("p"), { id: "own" }))</script>',
        ),
      ],
    });
    const address = `${home.service.url}/forms/${form.slug}`;
    const host = createServer((_, answer) => {
      answer.setHeader('content-type', 'text/html');
      answer.end(`<iframe src="${address}" width="800" height="2000"></iframe>`);
    }).listen(0, '127.0.0.1');
    try {
      const page = await browser.page();
      await page.goto(`http://localhost:${(host.address() as { port: number }).port}`);
      const frame = page.frameLocator('iframe').frameLocator('iframe[data-code]');
      await frame.locator('#own').waitFor({ state: 'attached' });
    } finally {
      host.close();
    }
  });
});

describe('only admins write code', () => {
  const code = (content: string) => ({ properties: [NAME, block(content)] });

  test('others cannot add it, in any way', async () => {
    const { token } = await home.member('user');
    const create = (members: object) =>
      home.call(
        'POST',
        '/open/forms',
        { workspace_id: home.workspaceId, title: 'Mine', properties: [NAME], ...members },
        token,
      );
    expect((await create({ custom_code: '<script></script>' })).status).toBe(403);
    expect((await create(code('<script></script>'))).status).toBe(403);
    const mine = await create({ properties: [NAME, { ...block('<b>text</b>'), type: 'nf-text' }] });
    expect(mine.status).toBe(201);
    const change = (body: object) => home.call('PUT', `/open/forms/${mine.body.id}`, body, token);
    expect((await change({ custom_code: 'x' })).status).toBe(403);
    expect((await change(code('<script></script>'))).status).toBe(403);
    expect((await change({ properties: [NAME, block('<b>text</b>')] })).status).toBe(403);
    const stored = await home.call('GET', `/open/forms/${mine.body.id}`);
    expect(stored.body.custom_code ?? null).toBeNull();
    expect(JSON.stringify(stored.body.properties)).not.toContain('nf-code');
  });

  test('others cannot hide it in translations either', async () => {
    const { token } = await home.member('user');
    const translations = { de: { properties: { code: { content: '<script>smuggled</script>' } } } };
    const body = {
      workspace_id: home.workspaceId,
      title: 'Mine',
      properties: [NAME, block('')],
      translations,
    };
    const preview = await home.call('POST', '/open/forms/preview', body, token);
    expect(preview.status, preview.text).toBeLessThan(300);
    const { pathname } = new URL(preview.body.url);
    const get = (path: string) =>
      home.service.request('GET', path, { headers: { accept: 'text/html', 'accept-language': 'de' } });
    for (const path of [pathname, `${pathname}/code/code`, `${pathname}/code/code?lang=de`])
      expect((await get(path)).text).not.toContain('smuggled');
  });

  test('what an admin wrote stays when others save the form or copy it, and cannot be changed', async () => {
    const { token } = await home.member('user');
    const form = await home.form({ custom_code: '<p>one</p>', ...code('<p>two</p>') });
    const path = `/open/forms/${form.id}`;
    const read = await home.call('GET', path, undefined, token);
    expect((await home.call('PUT', path, { ...read.body, title: 'Renamed' }, token)).status).toBe(200);
    const moved = { properties: [NAME, block('<p>two</p>', 'other')] };
    for (const body of [{ custom_code: '<p>three</p>' }, code('<p>three</p>'), moved])
      expect((await home.call('PUT', path, body, token)).status).toBe(403);
    expect((await home.call('PUT', path, { custom_code: null }, token)).status).toBe(200);
    const copy = await home.call('POST', `${path}/duplicate`, {}, token);
    expect(copy.status).toBeLessThan(300);
    const copied = await home.call(
      'PUT',
      `/open/forms/${copy.body.new_form?.id ?? copy.body.id}`,
      code('<p>three</p>'),
      token,
    );
    expect(copied.status).toBe(403);
  });
});

test('where it is not allowed nothing of it is on the page', async () => {
  const form = await careful.form({ custom_code: PROBE, properties: [NAME, block(PROBE)] });
  const page = await careful.service.request('GET', `/forms/${form.slug}`, {
    headers: { accept: 'text/html' },
  });
  expect(page.text).not.toContain('<iframe');
  expect(page.text).not.toContain('found');
  for (const path of ['code', 'code/code'])
    expect((await careful.call('GET', `/forms/${form.slug}/${path}`, undefined, null)).status).toBe(404);
});

test('custom css loads what its policy allows', async () => {
  const form = await home.form({
    properties: [NAME],
    custom_css:
      '@font-face{font-family:Own;src:url(https://fonts.example/own.woff2)} h1{font-family:Own;background:url(https://pictures.example/a.png)}',
  });
  const context = await browser.context();
  const asked: string[] = [];
  await context.route(/example/, (route) => {
    asked.push(new URL(route.request().url()).host);
    return route.abort();
  });
  const page = await context.newPage();
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  await until(() => asked.length === 2);
  expect(asked.sort()).toEqual(['fonts.example', 'pictures.example']);
});
