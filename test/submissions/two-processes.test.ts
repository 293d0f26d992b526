import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  aField,
  aForm,
  aTextField,
  aUser,
  aWorkspace,
  TEXT_FIELD_ID,
  type TestUser,
} from '../setup/factories.ts';
import { startService, type TestService } from '../setup/service.ts';

let first: TestService;
let second: TestService;
let user: TestUser;
let workspaceId: number;

beforeAll(async () => {
  first = await startService();
  second = await startService({ database: first.database, dataDir: first.dataDir });
  user = await aUser(first);
  workspaceId = await aWorkspace(first, user);
});

afterAll(async () => {
  await second.stop();
  await first.stop();
});

function answer(service: TestService, slug: string, headers: Record<string, string> = {}, text = 'Grace') {
  return service.request('POST', `/forms/${slug}/answer`, { body: { [TEXT_FIELD_ID]: text }, headers });
}

function change(service: TestService, formId: number, body: Record<string, unknown>) {
  return service.request('PUT', `/open/forms/${formId}`, { token: user.token, body });
}

describe('two processes on one database', () => {
  test('a cap is exact under concurrency', async () => {
    const form = await aForm(first, user, workspaceId, { max_submissions_count: 100 });
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, n) => answer(n % 2 === 0 ? first : second, form.slug)),
    );
    const stored = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 403);
    expect([stored.length, refused.length]).toEqual([100, 200]);
    expect(new Set(refused.map(({ body }) => body.error))).toEqual(new Set(['form_full']));
    expect(stored.filter(({ body }) => body.is_first_submission)).toHaveLength(1);
    const list = await first.request('GET', `/open/forms/${form.id}/submissions`, { token: user.token });
    expect(list.body.meta.total).toBe(100);
  });

  test('a task is only given for a form that still asks for it', async () => {
    const form = await aForm(first, user, workspaceId, { use_captcha: true });
    const task = (service: TestService) => service.request('GET', `/forms/${form.slug}/captcha`);
    expect((await task(second)).status).toBe(200);
    await change(first, form.id, { visibility: 'draft' });
    expect((await task(second)).status).toBe(404);
  });

  test('places of an option are exact under concurrency', async () => {
    const options = [{ name: 'Saturday', max_submissions_count: 40 }, 'Sunday'];
    const day = aField('1', 'select', 'Day', { select: { options } });
    const form = await aForm(first, user, workspaceId, { properties: [day] });
    const body = { [day.id]: 'Saturday' };
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, n) =>
        (n % 2 === 0 ? first : second).request('POST', `/forms/${form.slug}/answer`, { body }),
      ),
    );
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect([count(200), count(422)]).toEqual([40, 80]);
    const places = await second.request('GET', `/open/forms/${form.id}/places`, { token: user.token });
    expect(places.body.data[0].taken).toBe(40);
  });

  test('one Idempotency-Key stores one submission, whoever is asked', async () => {
    const form = await aForm(first, user, workspaceId);
    for (let round = 0; round < 20; round++) {
      const headers = { 'idempotency-key': randomUUID() };
      const answers = await Promise.all(
        [first, second, first, second].map((one) => answer(one, form.slug, headers)),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(new Set(answers.map(({ body }) => body.submission_id)).size).toBe(1);
      expect(answers.filter(({ headers: sent }) => sent.get('idempotent-replayed') === 'true')).toHaveLength(
        3,
      );
    }
    const list = await second.request('GET', `/open/forms/${form.id}/submissions`, { token: user.token });
    expect(list.body.meta.total).toBe(20);
  });

  test('a change made in one is kept by the other from its next answer on', async () => {
    const form = await aForm(first, user, workspaceId);
    expect((await answer(second, form.slug)).status).toBe(200);
    await change(first, form.id, { visibility: 'closed' });
    expect((await answer(second, form.slug)).body.error).toBe('form_closed');
    await change(first, form.id, { visibility: 'public' });
    expect((await answer(second, form.slug)).status).toBe(200);
    await change(first, form.id, { properties: [aTextField(), aTextField({ id: 'extra', required: true })] });
    expect(Object.keys((await answer(second, form.slug)).body.errors)).toEqual(['extra']);
    await change(first, form.id, { properties: [aTextField()] });
    expect((await answer(second, form.slug)).status).toBe(200);
    await first.request('PUT', `/open/forms/${form.id}/regenerate-link/slug`, { token: user.token });
    expect((await answer(second, form.slug)).status).toBe(404);
  });

  test('pages and answers follow every change at once, whichever process makes it and whichever is asked', async () => {
    const form = await aForm(first, user, workspaceId);
    const both = [first, second];
    for (let round = 0; round < 10; round++) {
      const isRequired = round % 2 === 0;
      const maker = both[round % 2] ?? first;
      const properties = [aTextField({ name: `Question ${round}`, required: isRequired })];
      expect((await change(maker, form.id, { properties })).status).toBe(200);
      for (const asked of both) {
        const page = await asked.request('GET', `/forms/${form.slug}`, { headers: { accept: 'text/html' } });
        expect(page.text).toContain(`Question ${round}`);
        expect((await answer(asked, form.slug, {}, '')).status).toBe(isRequired ? 422 : 200);
      }
    }
  });

  test('nothing outlives a form that is deleted while answers arrive', async () => {
    const form = await aForm(first, user, workspaceId);
    const sending = Array.from({ length: 200 }, (_, n) => answer(n % 2 === 0 ? first : second, form.slug));
    const deletion = first.request('DELETE', `/open/forms/${form.id}`, { token: user.token });
    const statuses = new Set((await Promise.all(sending)).map(({ status }) => status));
    expect((await deletion).status).toBe(204);
    for (const status of statuses) expect([200, 404]).toContain(status);
    const left = await first.context.pool.query('select count(*) from submissions where form_id = $1', [
      form.id,
    ]);
    expect(left.rows[0].count).toBe(0);
    expect((await answer(second, form.slug)).status).toBe(404);
  });
});
