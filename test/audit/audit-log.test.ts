import { describe, expect, test } from 'vitest';
import { AUDIT_VERBS } from '../../server/audit/verbs.ts';
import { purgeAuditLog } from '../../server/jobs/queries.ts';
import { aForm, aUser, aWorkspace, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { codeOf, signIn, withSecondFactor } from '../setup/second-factor.ts';

const home = useHome();

/** The audit log of a workspace as its admin reads it, newest first. */
async function log(workspaceId = home.workspaceId, query = ''): Promise<any[]> {
  const answer = await home.call('GET', `/open/workspaces/${workspaceId}/audit-log${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** The newest event of all, even without a workspace. */
async function latest(): Promise<any> {
  const { rows } = await home.service.context.pool.query(
    'select * from audit_events order by id desc limit 1',
  );
  return rows[0];
}

async function count(): Promise<number> {
  const { rows } = await home.service.context.pool.query('select count(*)::int as count from audit_events');
  return rows[0].count;
}

async function ok(...call: Parameters<typeof home.call>) {
  const answer = await home.call(...call);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
}

describe('an event', () => {
  test('says who did what to what, when, and from where', async () => {
    const form = await home.form({ title: 'Registration' });
    const [event] = await log();
    expect(event).toEqual({
      id: expect.any(Number),
      created_at: expect.stringMatching(/Z$/),
      verb: 'form.created',
      actor: {
        kind: 'token',
        user_id: home.ada.id,
        user_name: 'Ada',
        token_id: expect.any(Number),
        token_name: 'Test',
        network: '127.0.0.1',
      },
      workspace: { id: home.workspaceId, name: 'Research' },
      form: { id: form.id, title: 'Registration' },
      target: null,
      details: { visibility: 'public' },
    });
    expect(Math.abs(Date.parse(event.created_at) - Date.now())).toBeLessThan(60_000);
  });

  test('keeps the names of its moment, and outlives its form, its token and its person', async () => {
    const grace = await home.newMember('user');
    const form = await aForm(home.service, grace, home.workspaceId, { title: 'Before' });
    await ok('PUT', `/open/forms/${form.id}`, { title: 'After' });
    await ok('DELETE', `/open/forms/${form.id}`);
    await home.service.context.pool.query('delete from users where id = $1', [grace.id]);
    const events = await log(home.workspaceId, `?form_id=${form.id}`);
    expect(events.map(({ verb, form }) => [verb, form.title])).toEqual([
      ['form.deleted', 'After'],
      ['form.changed', 'After'],
      ['form.created', 'Before'],
    ]);
    expect(events[2].actor).toMatchObject({ user_id: grace.id, user_name: 'Grace', token_name: 'Test' });
  });

  test('is there if and only if what it tells of has happened', async () => {
    const form = await home.form({ slug: `taken-${home.workspaceId}` });
    const other = await home.form();
    const before = await count();
    expectInvalid(await home.call('PUT', `/open/forms/${other.id}`, { slug: form.slug }), 'slug');
    expectInvalid(await home.call('POST', '/open/forms', { workspace_id: home.workspaceId }), 'title');
    const reader = await home.member('readonly');
    const afterMember = await count();
    expectRefused(await home.call('DELETE', `/open/forms/${form.id}`, undefined, reader.token), 403);
    expectRefused(await home.call('DELETE', `/open/workspaces/${home.workspaceId}/users/999999/remove`), 404);
    expect(await count()).toBe(afterMember);
    expect(afterMember).toBeGreaterThan(before);
  });

  test('that cannot be written down does not happen', async () => {
    const { pool } = home.service.context;
    const form = await home.form();
    await pool.query(
      `alter table audit_events add constraint refuse_all check (verb <> 'form.deleted') not valid`,
    );
    try {
      expect((await home.call('DELETE', `/open/forms/${form.id}`)).status).toBeGreaterThanOrEqual(400);
      expect((await home.call('GET', `/open/forms/${form.id}`)).status).toBe(200);
    } finally {
      await pool.query('alter table audit_events drop constraint refuse_all');
    }
    await ok('DELETE', `/open/forms/${form.id}`);
  });
});

describe('what is written down', () => {
  test('of members and invites', async () => {
    const workspace = await aWorkspace(home.service, home.ada, 'People');
    const path = `/open/workspaces/${workspace}`;
    const grace = await aUser(home.service, { name: 'Grace' });
    await ok('POST', `${path}/users/add`, { email: grace.email, role: 'user' });
    await ok('PUT', `${path}/users/${grace.id}/update-role`, { role: 'admin' });
    await ok('POST', `${path}/leave`, undefined, grace.token);
    await ok('POST', `${path}/users/add`, { email: grace.email, role: 'readonly' });
    await ok('DELETE', `${path}/users/${grace.id}/remove`);
    const { invite } = await ok('POST', `${path}/users/add`, { email: 'new@example.com', role: 'user' });
    await ok('POST', `${path}/invites/${invite.id}/resend`);
    await ok('DELETE', `${path}/invites/${invite.id}/cancel`);
    const { invite_link } = await ok('POST', `${path}/users/add`, { email: 'b@example.com', role: 'user' });
    const invite_token = new URL(invite_link).searchParams.get('invite_token');
    const accepted = await home.service.request('POST', '/invites/accept', {
      cookie: grace.cookie,
      body: { invite_token },
    });
    expect(accepted.status).toBe(200);
    const events = await log(workspace);
    expect(
      events.reverse().map(({ verb, target, details }) => [verb, target?.name ?? null, details]),
    ).toEqual([
      ['workspace.created', null, {}],
      ['member.added', 'Grace', { role: 'user' }],
      ['member.role_changed', 'Grace', { role: 'admin', role_before: 'user' }],
      ['member.left', 'Grace', {}],
      ['member.added', 'Grace', { role: 'readonly' }],
      ['member.removed', 'Grace', {}],
      ['invite.created', 'new@example.com', { role: 'user' }],
      ['invite.resent', 'new@example.com', {}],
      ['invite.cancelled', 'new@example.com', {}],
      ['invite.created', 'b@example.com', { role: 'user' }],
      ['invite.accepted', 'b@example.com', { role: 'user' }],
    ]);
    expect(JSON.stringify(events)).not.toContain(invite_token);
  });

  test('of forms: which fields by name, and the visibility', async () => {
    const form = await home.form({ description: 'Before' });
    const path = `/open/forms/${form.id}`;
    await ok('PUT', path, { title: 'New', description: 'After', visibility: 'closed', password: 'sesame' });
    expect((await log())[0]).toMatchObject({
      verb: 'form.changed',
      details: {
        fields: ['title', 'visibility', 'password', 'description'],
        visibility: 'closed',
        visibility_before: 'public',
      },
    });
    const read = await ok('GET', path);
    const before = await count();
    await ok('PUT', path, read);
    expect(await count(), 'what was read and sent back changes nothing').toBe(before);
    const { new_form } = await ok('POST', `${path}/duplicate`);
    await ok('PUT', `${path}/regenerate-link/uuid`);
    const [link, copy] = await log();
    expect(link).toMatchObject({
      verb: 'form.link_changed',
      form: { id: form.id },
      details: { option: 'uuid' },
    });
    expect(copy).toMatchObject({
      verb: 'form.duplicated',
      form: { id: new_form.id },
      target: { id: form.id },
    });
  });

  test('of submissions: their numbers, no answers', async () => {
    const form = await home.form();
    for (const name of ['Marie', 'Lise', 'Emmy']) await home.submit(form, { [TEXT_FIELD_ID]: name });
    const [third, second, first] = await home.records(form);
    const path = `/open/forms/${form.id}/submissions`;
    await ok('PUT', `${path}/${first.id}`, { [TEXT_FIELD_ID]: 'Hedy' });
    await ok('DELETE', `${path}/${second.submission_id}`);
    await ok('POST', `${path}/multi`, { submissionIds: [first.id, third.id] });
    const events = await log(home.workspaceId, `?form_id=${form.id}&verb=submission`);
    expect(events.map(({ verb, target, details }) => [verb, target, details])).toEqual([
      ['submission.deleted', null, { count: 2, submission_ids: [first.id, third.id] }],
      ['submission.deleted', null, { count: 1, submission_ids: [second.id] }],
      ['submission.changed', { id: first.id, name: null }, {}],
    ]);
    expect(JSON.stringify(await log())).not.toMatch(/Marie|Lise|Emmy|Hedy/);
  });

  test('of integrations and hooks: where they lead, and whether a secret changed', async () => {
    const form = await home.form();
    const path = `/open/forms/${form.id}/integrations`;
    const body = (data: object) => ({ integration_id: 'webhook', status: 'active', data });
    const data = {
      webhook_url: 'https://example.com/hook?key=hidden-in-path',
      webhook_secret: 'a very secret secret',
      webhook_headers: { 'X-Key': 'a header value' },
    };
    const { form_integration } = await ok('POST', path, body(data));
    const own = `${path}/${form_integration.id}`;
    const moved = { webhook_url: 'https://example.org/hook', webhook_headers: { 'X-Key': 'another value' } };
    await ok('PUT', own, body({ ...moved, webhook_secret: '********' }));
    await ok('PUT', own, { ...body({ webhook_secret: 'another long secret' }), status: 'inactive' });
    await ok('DELETE', own);
    const hook = { form_id: form.id, hookUrl: 'https://example.net/partner' };
    await ok('POST', '/external/partner/webhook', hook);
    await ok('DELETE', '/external/partner/webhook', hook);
    const events = await log(home.workspaceId, `?form_id=${form.id}&verb=integration`);
    expect(events.reverse().map(({ verb, target, details }) => [verb, target.name, details])).toEqual([
      [
        'integration.created',
        'webhook',
        { status: 'active', host: 'example.com', has_secret: true, has_headers: true },
      ],
      [
        'integration.changed',
        'webhook',
        {
          fields: ['webhook_url'],
          status: 'active',
          host: 'example.org',
          secret_changed: false,
          headers_changed: true,
        },
      ],
      [
        'integration.changed',
        'webhook',
        {
          fields: ['status'],
          status: 'inactive',
          host: 'example.org',
          secret_changed: true,
          headers_changed: false,
        },
      ],
      ['integration.deleted', 'webhook', {}],
      ['integration.created', 'zapier', { status: 'active', host: 'example.net' }],
      ['integration.deleted', 'zapier', {}],
    ]);
    expect(JSON.stringify(events)).not.toMatch(/hidden-in-path|secret secret|header value|long secret/);
  });

  test('of exports', async () => {
    const form = await home.form();
    await home.submit(form, { [TEXT_FIELD_ID]: 'Marie' });
    const columns = { id: true, [TEXT_FIELD_ID]: true };
    await home.call('POST', `/open/forms/${form.id}/submissions/export`, { columns });
    expect((await log())[0]).toMatchObject({
      verb: 'export.created',
      form: { id: form.id },
      details: { columns: 2, submissions: 'all', job_id: null },
    });
  });

  test('of accounts, sessions, second factors and tokens, which belong to no workspace', async () => {
    const user = await aUser(home.service, { name: 'Noor' });
    const { cookie } = user;
    const call = async (method: string, path: string, body?: object) => {
      const answer = await home.service.request(method, path, { cookie, body });
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer.body;
    };
    const token = await call('POST', '/settings/tokens', { name: 'CI', abilities: ['forms-read'] });
    expect(await latest()).toMatchObject({
      verb: 'token.created',
      actor: 'user',
      target_id: token.id,
      target_name: 'CI',
      details: { owner_id: user.id, abilities: ['forms-read'] },
    });
    await call('DELETE', `/settings/tokens/${token.id}`);
    await call('PUT', '/user', { name: 'Noor I.' });
    await call('PUT', '/user/password', { current_password: user.password, password: user.password });
    const factor = await withSecondFactor(home.service, user);
    const { pending_token } = (await signIn(home.service, user)).body;
    const body = { pending_token, code: factor.recoveryCodes[0] };
    await home.service.request('POST', '/login/second-factor', { body });
    await call('DELETE', '/settings/sessions');
    await call('DELETE', '/settings/second-factor', {
      current_password: user.password,
      code: codeOf(factor.secret, 1),
    });
    await call('POST', '/logout');
    const { rows } = await home.service.context.pool.query(
      'select verb, workspace_id from audit_events where user_id = $1 order by id',
      [user.id],
    );
    expect(rows.map(({ verb }) => verb)).toEqual([
      'account.registered',
      'workspace.created',
      'session.started',
      'token.created',
      'token.created',
      'token.revoked',
      'account.renamed',
      'account.password_changed',
      'second_factor.enabled',
      'second_factor.recovery_code_used',
      'session.started',
      'session.others_revoked',
      'second_factor.disabled',
      'session.ended',
    ]);
    expect(rows.filter(({ workspace_id }) => workspace_id !== null)).toHaveLength(1);
  });

  test('has a fixed word each, as the database wants it', () => {
    expect(new Set(AUDIT_VERBS).size).toBe(AUDIT_VERBS.length);
    for (const verb of AUDIT_VERBS) expect(verb).toMatch(/^[a-z_]+\.[a-z_]+$/);
  });
});

describe('the log of a workspace', () => {
  test('is read in pages that miss nothing and repeat nothing', async () => {
    const workspace = await aWorkspace(home.service, home.ada, 'Pages');
    for (let turn = 0; turn < 7; turn++)
      await ok('PUT', `/open/workspaces/${workspace}`, { name: `Pages ${turn}` });
    const all = (await log(workspace)).map(({ id }) => id);
    expect(all).toHaveLength(8);
    expect(all).toEqual([...all].sort((a, b) => b - a));
    const paged: number[] = [];
    for (let before = ''; ; before = `&before=${paged.at(-1)}`) {
      const page = await log(workspace, `?limit=3${before}`);
      if (page.length === 0) break;
      paged.push(...page.map(({ id }) => id));
    }
    expect(paged).toEqual(all);
  });

  test('is filtered by person, verb, form and time', async () => {
    const workspace = await aWorkspace(home.service, home.ada, 'Filters');
    const grace = await home.newMember('user', workspace);
    const [own, hers] = [
      await aForm(home.service, home.ada, workspace),
      await aForm(home.service, grace, workspace),
    ];
    const found = async (query: string) =>
      (await log(workspace, query)).map(({ verb, form }) => [verb, form?.id]);
    expect(await found(`?user_id=${grace.id}`)).toEqual([['form.created', hers.id]]);
    expect(await found(`?form_id=${own.id}`)).toEqual([['form.created', own.id]]);
    expect(await found('?verb=member.added')).toEqual([['member.added', undefined]]);
    expect(await found('?verb=form')).toHaveLength(2);
    expect(await found('?verb=for')).toEqual([]);
    const [newest] = await log(workspace);
    const after = new Date(Date.parse(newest.created_at) + 1).toISOString();
    expect(await found(`?until=${after}`)).toHaveLength(4);
    expect(await found(`?since=${after}`)).toEqual([]);
    const path = `/open/workspaces/${workspace}/audit-log`;
    expectInvalid(await home.call('GET', `${path}?since=yesterday`), 'since');
    expectInvalid(await home.call('GET', `${path}?until=2026-02-30`), 'until');
    expectInvalid(await home.call('GET', `${path}?verb=%00`), 'verb');
    expectInvalid(await home.call('GET', `${path}?limit=101`), 'limit');
    expectInvalid(await home.call('GET', `${path}?before=0`), 'before');
  });

  test('shows nothing of another workspace, whatever is asked', async () => {
    const mine = await aWorkspace(home.service, home.ada, 'Mine');
    const other = await home.form();
    expect(await log(mine, `?form_id=${other.id}`)).toEqual([]);
    expect((await log(mine)).every(({ workspace }) => workspace.id === mine)).toBe(true);
    const user = await home.member('user');
    expectRefused(
      await home.call('GET', `/open/workspaces/${home.workspaceId}/audit-log`, undefined, user.token),
      403,
    );
  });

  test('stays when the workspace is deleted, for the operator', async () => {
    const workspace = await aWorkspace(home.service, home.ada, 'Short-lived');
    const form = await aForm(home.service, home.ada, workspace);
    await ok('DELETE', `/open/workspaces/${workspace}`);
    expectRefused(await home.call('GET', `/open/workspaces/${workspace}/audit-log`), 404);
    const { rows } = await home.service.context.pool.query(
      'select verb, workspace_name, details from audit_events where workspace_id = $1 order by id',
      [workspace],
    );
    expect(rows).toEqual([
      { verb: 'workspace.created', workspace_name: 'Short-lived', details: {} },
      { verb: 'form.created', workspace_name: 'Short-lived', details: { visibility: 'public' } },
      {
        verb: 'workspace.deleted',
        workspace_name: 'Short-lived',
        details: { forms: 1, form_ids: [form.id] },
      },
    ]);
  });
});

describe('the database', () => {
  test.each([
    ['change', `update audit_events set user_name = 'nobody'`],
    ['delete', 'delete from audit_events'],
    ['delete what is 400 days old less an hour', `delete from audit_events where verb = 'test.young'`],
    ['empty', 'truncate audit_events'],
    ['empty with others', 'truncate workspaces, audit_events cascade'],
  ])('lets nobody %s the log', async (_what, statement) => {
    const { pool } = home.service.context;
    await pool.query(
      `insert into audit_events (actor, verb, created_at)
       values ('system', 'test.young', now() - interval '400 days' + interval '1 hour')`,
    );
    const before = await count();
    await expect(pool.query(statement)).rejects.toThrow('append-only');
    expect(await count()).toBe(before);
  });

  test('lets the job delete what is older than 400 days, and only that', async () => {
    const { db, pool } = home.service.context;
    await pool.query(
      `insert into audit_events (actor, verb, created_at)
       select 'system', 'test.old', now() - interval '400 days' - interval '1 second' * n from generate_series(1, 5002) n`,
    );
    const { rows } = await pool.query(
      `select count(*)::int as young from audit_events where verb <> 'test.old'`,
    );
    await purgeAuditLog(db);
    expect(await count()).toBe(rows[0].young);
  });
});
