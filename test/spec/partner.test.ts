import { describe, expect, test } from 'vitest';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { aWebhookReceiver } from '../setup/webhook-receiver.ts';

const home = useHome();

const integrations = async (form: { id: number }) =>
  (await home.call('GET', `/open/forms/${form.id}/integrations`)).body;

describe.each(['/external/partner', '/external/zapier'])('%s', (prefix) => {
  const subscribe = (hookUrl: unknown, form_id: unknown, token?: string | null) =>
    home.call('POST', `${prefix}/webhook`, { hookUrl, form_id }, token);
  const unsubscribe = (hookUrl: unknown, form_id: unknown, token?: string | null) =>
    home.call('DELETE', `${prefix}/webhook`, { hookUrl, form_id }, token);

  test('POST webhook registers a hook for new submissions, with the provider body', async () => {
    const form = await home.form();
    const receiver = await aWebhookReceiver();
    const answer = await subscribe(receiver.url, form.id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ type: 'success', id: receiver.url, message: expect.any(String) });
    await home.submit(form, { [TEXT_FIELD_ID]: 'news', tracking_parameters: { gclid: 'x' } });
    const [request] = await receiver.received(1);
    const body = JSON.parse(request?.body.toString() ?? '');
    const [record] = await home.records(form);
    expect(body).toEqual({
      form_id: form.id,
      form_title: form.title,
      form_slug: form.slug,
      submission_id: record.id,
      data: { [TEXT_FIELD_ID]: { value: 'news', name: 'Name', type: 'text' } },
      meta: { attribution: { gclid: 'x' } },
    });
    expect(request?.headers).not.toHaveProperty('x-webhook-signature');
  });

  test('a hook is an integration of the provider zapier', async () => {
    const form = await home.form();
    await subscribe('http://127.0.0.1:9/hook', form.id);
    expect(await integrations(form)).toMatchObject([{ integration_id: 'zapier', status: 'active' }]);
  });

  test('DELETE webhook removes that hook and no other', async () => {
    const form = await home.form();
    await subscribe('http://127.0.0.1:9/one', form.id);
    await subscribe('http://127.0.0.1:9/two', form.id);
    const answer = await unsubscribe('http://127.0.0.1:9/one', form.id);
    expect(answer.status).toBe(200);
    expect(answer.body.message).toBeTypeOf('string');
    const left = await integrations(form);
    expect(left).toHaveLength(1);
    expect(JSON.stringify(left)).toContain('/two');
  });

  test('DELETE webhook answers 200 with a message also when nothing matched', async () => {
    const form = await home.form();
    const answer = await unsubscribe('http://127.0.0.1:9/never', form.id);
    expect(answer.status).toBe(200);
    expect(answer.body.message).toBeTypeOf('string');
  });

  test('hookUrl and form_id are required and checked', async () => {
    const form = await home.form();
    expectInvalid(await subscribe(undefined, form.id), 'hookUrl');
    expectInvalid(await subscribe('no url', form.id), 'hookUrl');
    expectInvalid(await subscribe('http://10.0.0.1/', form.id), 'hookUrl');
    expectInvalid(await subscribe('ftp://127.0.0.1/', form.id), 'hookUrl');
    const unknown = expectInvalid(await subscribe('http://127.0.0.1:9/', 999_999), 'form_id');
    expect(unknown.form_id).toEqual(['The selected form id is invalid.']);
    const neither = await home.call('POST', `${prefix}/webhook`, {});
    expectInvalid(neither, 'form_id', 'hookUrl');
  });

  test('webhook needs manage-integrations and the role user', async () => {
    const form = await home.form();
    const url = 'http://127.0.0.1:9/hook';
    const weak = await home.tokenWith('forms-read', 'forms-write');
    for (const call of [subscribe, unsubscribe]) {
      expectRefused(await call(url, form.id, null), 401);
      expectRefused(await call(url, form.id, weak), 403);
      expectRefused(await call(url, form.id, (await home.member('readonly')).token), 403);
      expectRefused(await call(url, form.id, (await home.stranger()).token), 403);
    }
    expect(await integrations(form)).toEqual([]);
  });

  test('GET validate tells name and email to any valid token', async () => {
    for (const ability of ['workspaces-read', 'forms-write', 'manage-integrations']) {
      const token = await home.tokenWith(ability);
      const answer = await home.call('GET', `${prefix}/validate`, undefined, token);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ name: home.ada.name, email: home.ada.email });
    }
    expectRefused(await home.call('GET', `${prefix}/validate`, undefined, null), 401);
    expectRefused(await home.call('GET', `${prefix}/validate`, undefined, 'nonsense'), 401);
  });

  test('GET workspaces lists id and name', async () => {
    const answer = await home.call('GET', `${prefix}/workspaces`);
    expect(answer.status).toBe(200);
    expect(answer.body).toContainEqual({ id: home.workspaceId, name: 'Research' });
    const weak = await home.tokenWith('forms-read');
    expectRefused(await home.call('GET', `${prefix}/workspaces`, undefined, weak), 403);
  });

  test('GET forms lists id, name and label of the forms of a workspace', async () => {
    const form = await home.form({ title: 'Contact', visibility: 'draft' });
    const list = (query: string, token?: string) =>
      home.call('GET', `${prefix}/forms${query}`, undefined, token);
    const answer = await list(`?workspace_id=${home.workspaceId}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toContainEqual({ id: form.id, name: 'Contact', label: `Contact (${form.slug})` });
    expectInvalid(await list(''), 'workspace_id');
    expectInvalid(await list('?workspace_id=999999'), 'workspace_id');
    expectRefused(await list(`?workspace_id=${home.workspaceId}`, (await home.stranger()).token), 403);
    expectRefused(
      await list(`?workspace_id=${home.workspaceId}`, await home.tokenWith('workspaces-read')),
      403,
    );
  });

  test('GET submissions/recent shows one delivery body, made up while there is no submission', async () => {
    const form = await home.form();
    const recent = () => home.call('GET', `${prefix}/submissions/recent?form_id=${form.id}`);
    const sample = await recent();
    expect(sample.status).toBe(200);
    expect(sample.body).toHaveLength(1);
    expect(sample.body[0]).toMatchObject({ form_id: form.id, form_title: form.title, form_slug: form.slug });
    expect(sample.body[0].data[TEXT_FIELD_ID]).toMatchObject({ name: 'Name', type: 'text' });
    expectRefused(
      await home.call(
        'GET',
        `${prefix}/submissions/recent?form_id=${form.id}`,
        undefined,
        await home.tokenWith('forms-read'),
      ),
      403,
    );
  });

  test('GET submissions/recent shows the latest submission', async () => {
    const form = await home.form();
    for (const answer of ['older', 'latest']) await home.submit(form, { [TEXT_FIELD_ID]: answer });
    const { body } = await home.call('GET', `${prefix}/submissions/recent?form_id=${form.id}`);
    expect(body).toHaveLength(1);
    expect(body[0].data[TEXT_FIELD_ID]).toEqual({ value: 'latest', name: 'Name', type: 'text' });
    expect(body[0]).not.toHaveProperty('submission');
  });
});
