import { beforeEach, describe, expect, test } from 'vitest';
import { aForm, aWorkspace, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

const HOOK = 'https://hooks.zapier.example.com/hooks/standard/1/abc/';

const home = useHome();
let form: { id: number; slug: string; title: string };

beforeEach(async () => {
  form = await home.form();
});

async function integrations() {
  return (await home.call('GET', `/open/forms/${form.id}/integrations`)).body;
}

describe.each(['/external/partner', '/external/zapier'])('%s', (prefix) => {
  function call(method: string, path: string, body?: unknown, token = home.ada.token) {
    return home.service.request(method, prefix + path, { token, body });
  }

  test('subscribes one integration however often it is asked', async () => {
    for (let round = 0; round < 2; round++) {
      const answer = await call('POST', '/webhook', { hookUrl: HOOK, form_id: form.id });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body).toEqual({ type: 'success', id: HOOK, message: expect.any(String) });
    }
    const body = { hookUrl: HOOK, form_id: form.id };
    await Promise.all([call('POST', '/webhook', body), call('POST', '/webhook', body)]);
    expect(await integrations()).toMatchObject([
      { integration_id: 'zapier', status: 'active', data: { webhook_url: HOOK } },
    ]);
  });

  test('starts a stopped hook anew', async () => {
    await call('POST', '/webhook', { hookUrl: HOOK, form_id: form.id });
    const stopped = { status: 'inactive', inactive_reason: 'gone' };
    await home.service.context.db
      .updateTable('integrations')
      .set(stopped)
      .where('form_id', '=', form.id)
      .execute();
    await call('POST', '/webhook', { hookUrl: HOOK, form_id: form.id });
    expect(await integrations()).toMatchObject([{ status: 'active', inactive_reason: null }]);
  });

  test('unsubscribes, also when nothing matches', async () => {
    await call('POST', '/webhook', { hookUrl: HOOK, form_id: form.id });
    await call('POST', '/webhook', { hookUrl: `${HOOK}other`, form_id: form.id });
    for (let round = 0; round < 2; round++) {
      const answer = await call('DELETE', '/webhook', { hookUrl: HOOK, form_id: form.id });
      expect(answer.status).toBe(200);
      expect(answer.body.message).toEqual(expect.any(String));
    }
    expect((await integrations()).map((one: any) => one.data.webhook_url)).toEqual([`${HOOK}other`]);
  });

  test('unsubscribes from a form that is gone, with its workspace or without', async () => {
    const otherWorkspace = await aWorkspace(home.service, home.ada);
    const forms = [form, await aForm(home.service, home.ada, otherWorkspace)];
    for (const { id } of forms) await call('POST', '/webhook', { hookUrl: HOOK, form_id: id });
    for (const path of [`forms/${form.id}`, `workspaces/${otherWorkspace}`])
      expect((await home.call('DELETE', `/open/${path}`)).status).toBeLessThan(300);
    for (const { id } of forms) {
      const answer = await call('DELETE', '/webhook', { hookUrl: HOOK, form_id: id });
      expect(answer.status, answer.text).toBe(200);
      expect((await call('DELETE', '/webhook', { hookUrl: 'somewhere', form_id: id })).status).toBe(422);
      expect((await call('POST', '/webhook', { hookUrl: HOOK, form_id: id })).status).toBe(422);
    }
  });

  test('unsubscribes an address that is not allowed any more, however it is written', async () => {
    const inner = 'http://10.1.2.3/hook';
    await call('POST', '/webhook', { hookUrl: HOOK, form_id: form.id });
    await home.service.context.db
      .updateTable('integrations')
      .set({ data: JSON.stringify({ webhook_url: inner }) })
      .where('form_id', '=', form.id)
      .execute();
    expect((await call('DELETE', '/webhook', { hookUrl: `${inner}#part`, form_id: form.id })).status).toBe(
      200,
    );
    expect(await integrations()).toEqual([]);
  });

  test('does not touch webhooks of the same address', async () => {
    const body = { integration_id: 'webhook', data: { webhook_url: HOOK } };
    await home.call('POST', `/open/forms/${form.id}/integrations`, body);
    await call('DELETE', '/webhook', { hookUrl: HOOK, form_id: form.id });
    expect(await integrations()).toHaveLength(1);
  });

  test.each([
    ['no hookUrl', { form_id: true }, 'hookUrl'],
    ['no form', { hookUrl: HOOK }, 'form_id'],
    ['a form that is none', { hookUrl: HOOK, form_id: {} }, 'form_id'],
    ['an unknown form', { hookUrl: HOOK, form_id: 999_999_999 }, 'form_id'],
    ['a private address', { hookUrl: 'http://10.0.0.1/', form_id: true }, 'hookUrl'],
    ['no address at all', { hookUrl: 'somewhere', form_id: true }, 'hookUrl'],
  ])('refuses %s', async (_name, body, key) => {
    const named = 'form_id' in body && body.form_id === true ? { ...body, form_id: form.id } : body;
    const answer = await call('POST', '/webhook', named);
    expect(answer.status, answer.text).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([key]);
    expect(await integrations()).toEqual([]);
  });

  test('keeps strangers, readers and other tokens out', async () => {
    const stranger = await home.stranger();
    const reader = await home.member('readonly');
    const weak = await home.tokenWith('forms-write');
    for (const token of [stranger.token, reader.token, weak]) {
      for (const method of ['POST', 'DELETE'])
        expect((await call(method, '/webhook', { hookUrl: HOOK, form_id: form.id }, token)).status).toBe(403);
      expect((await call('GET', `/submissions/recent?form_id=${form.id}`, undefined, token)).status).toBe(
        403,
      );
    }
    expect((await call('POST', '/webhook', { hookUrl: HOOK, form_id: form.id }, 'none')).status).toBe(401);
  });

  test('validates any token', async () => {
    const weak = await home.tokenWith('forms-read');
    const answer = await call('GET', '/validate', undefined, weak);
    expect(answer.body).toEqual({ name: home.ada.name, email: home.ada.email });
    expect((await call('GET', '/validate', undefined, 'none')).status).toBe(401);
  });

  test('lists workspaces and forms to choose from', async () => {
    const workspaces = await call('GET', '/workspaces');
    expect(workspaces.body).toContainEqual({ id: home.workspaceId, name: 'Research' });
    const forms = await call('GET', `/forms?workspace_id=${home.workspaceId}`);
    expect(forms.body).toContainEqual({
      id: form.id,
      name: form.title,
      label: `${form.title} (${form.slug})`,
    });
    expect((await call('GET', '/forms')).body.errors).toHaveProperty('workspace_id');
    expect((await call('GET', '/forms?workspace_id=0')).status).toBe(422);
    for (const query of ['', '?workspace_id=', '?workspace_id=%20'])
      expect((await call('GET', `/forms${query}`)).body.errors).toEqual({
        workspace_id: ['The workspace id field is required.'],
      });
    expect((await call('GET', '/submissions/recent?form_id=')).body.errors).toEqual({
      form_id: ['The form id field is required.'],
    });
    const stranger = await home.stranger();
    const foreign = await call('GET', '/workspaces', undefined, stranger.token);
    expect(foreign.body).not.toContainEqual(expect.objectContaining({ id: home.workspaceId }));
    expect(
      (await call('GET', `/forms?workspace_id=${home.workspaceId}`, undefined, stranger.token)).status,
    ).toBe(403);
  });

  test('shows a sample, then the latest complete submission', async () => {
    const path = `/submissions/recent?form_id=${form.id}`;
    const sample = await call('GET', path);
    expect(sample.body).toHaveLength(1);
    expect(sample.body[0]).toMatchObject({
      form_id: form.id,
      form_slug: form.slug,
      submission_id: expect.any(Number),
    });
    expect(sample.body[0].data[TEXT_FIELD_ID]).toEqual({ value: 'Sample text', name: 'Name', type: 'text' });
    expect(sample.body[0]).not.toHaveProperty('submission');

    for (const name of ['Ada', 'Grace']) await home.submit(form, { [TEXT_FIELD_ID]: name });
    const latest = await call('GET', path);
    expect(latest.body).toMatchObject([{ data: { [TEXT_FIELD_ID]: { value: 'Grace' } } }]);
    expect(latest.body[0]).not.toHaveProperty('confirmed_email');
    await home.service.context.pool.query(
      `insert into confirmed_addresses (form_id, public_id, address)
       select form_id, public_id, 'grace@example.org' from submissions where form_id = $1 order by id desc limit 1`,
      [form.id],
    );
    expect((await call('GET', path)).body[0]).toMatchObject({
      confirmed_email: { email: 'grace@example.org' },
    });
  });
});
