import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { deleteAccount, deleteOwnAccount } from '../../server/accounts/delete-account.ts';
import { CLI } from '../../server/audit/actor.ts';
import { aForm, aMember, aUser, aWorkspace } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { inLine } from '../setup/meanwhile.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { signIn, withSecondFactor } from '../setup/second-factor.ts';

const home = useHome({ env: { ROLES: 'http' } });
const query = (text: string, values: unknown[]) => home.service.context.pool.query(text, values);

test('of recovery codes that are made twice at once only the later ones count', async () => {
  const user = await aUser(home.service);
  const factor = await withSecondFactor(home.service, user);
  const renew = async () => {
    const body = { current_password: user.password, code: await factor.freshCode() };
    return home.service.request('POST', '/settings/second-factor/recovery-codes', {
      cookie: user.cookie,
      body,
    });
  };
  const answers = await inLine(
    home.service.context.pool,
    (client) => client.query('select from recovery_codes where user_id = $1 for update', [user.id]),
    [renew, renew],
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await query('select from recovery_codes where user_id = $1', [user.id])).rowCount).toBe(10);
  const { pending_token } = (await signIn(home.service, user)).body;
  const [former, present] = answers.map(({ body }) => body.recovery_codes[0]);
  const enter = (code: string) =>
    home.service.request('POST', '/login/second-factor', { body: { pending_token, code } });
  expect((await enter(former)).status).toBe(422);
  expect((await enter(present)).status).toBe(200);
});

test('recovery codes are made anew while the second factor is switched off', async () => {
  const user = await aUser(home.service);
  const factor = await withSecondFactor(home.service, user);
  const call = async (method: string, path: string) => {
    const body = { current_password: user.password, code: await factor.freshCode() };
    return home.service.request(method, `/settings/second-factor${path}`, { cookie: user.cookie, body });
  };
  // A deadlock would be an error of one of them.
  const answers = await inLine(
    home.service.context.pool,
    (client) => client.query('select from recovery_codes where user_id = $1 for update', [user.id]),
    [() => call('POST', '/recovery-codes'), () => call('DELETE', '')],
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  for (const table of ['second_factors', 'recovery_codes'])
    expect((await query(`select from ${table} where user_id = $1`, [user.id])).rowCount).toBe(0);
});

test('a sign-in by a password that changes at that moment does not get to the second step', async () => {
  const user = await aUser(home.service);
  await withSecondFactor(home.service, user);
  const [answer] = await inLine(
    home.service.context.pool,
    (client) => client.query('select from users where id = $1 for update', [user.id]),
    [() => signIn(home.service, user)],
    async (client) => {
      // As a change of the password does.
      await client.query(`update users set password_hash = 'another' where id = $1`, [user.id]);
      await client.query('delete from pending_sign_ins where user_id = $1', [user.id]);
    },
  );
  expect(answer.status).toBe(409);
  expect((await query('select from pending_sign_ins where user_id = $1', [user.id])).rows).toEqual([]);
});

const remove = ({ email }: { email: string }) =>
  deleteAccount(home.service.context.db, email, { withWorkspaces: true }, CLI);

test('a workspace that somebody joins at that moment does not go with the account of who was alone there', async () => {
  const { service } = home;
  const [user, other] = [await aUser(service), await aUser(service, { name: 'Bob' })];
  const id = await aWorkspace(service, user);
  const invited = await service.request('POST', `/open/workspaces/${id}/users/add`, {
    token: user.token,
    body: { email: `${randomUUID()}@example.com`, role: 'user' },
  });
  const invite_token = new URL(invited.body.invite_link).searchParams.get('invite_token');
  const [joined, refusal] = await inLine(
    service.context.pool,
    (client) => client.query('select from workspace_invites where workspace_id = $1 for update', [id]),
    [
      () => service.request('POST', '/invites/accept', { cookie: other.cookie, body: { invite_token } }),
      () => remove(user).catch((error) => error),
    ],
  );
  expect([joined.status, refusal?.statusCode]).toEqual([200, 409]);
  const members = await service.request('GET', `/open/workspaces/${id}/users`, { token: other.token });
  expect(members.body.map((member: any) => member.id)).toEqual([user.id, other.id]);
});

test('a workspace that an admin joins at that moment keeps its forms with their submissions', async () => {
  const { service } = home;
  const [user, other] = [await aUser(service), await aUser(service, { name: 'Bob' })];
  const id = await aWorkspace(service, user);
  const form = await aForm(service, user, id);
  const answer = { [form.properties[0].id]: 'Ada' };
  await service.request('POST', `/forms/${form.slug}/answer`, { body: answer });
  const invited = await service.request('POST', `/open/workspaces/${id}/users/add`, {
    token: user.token,
    body: { email: `${randomUUID()}@example.com`, role: 'admin' },
  });
  const invite_token = new URL(invited.body.invite_link).searchParams.get('invite_token');
  const [joined] = await inLine(
    service.context.pool,
    (client) => client.query('select from workspace_invites where workspace_id = $1 for update', [id]),
    [
      () => service.request('POST', '/invites/accept', { cookie: other.cookie, body: { invite_token } }),
      () => remove(user),
    ],
  );
  expect(joined.status).toBe(200);
  await runAllJobs(service.context);
  const { body } = await service.request('GET', `/open/forms/${form.id}/submissions`, { token: other.token });
  expect(body.data).toHaveLength(1);
});

test('an account goes with two workspaces while a person is erased in one of them', async () => {
  const { service } = home;
  const { context } = service;
  await runAllJobs(context);
  const user = await aUser(service);
  for (const name of ['One', 'Two']) {
    const form = await aForm(service, user, await aWorkspace(service, user, name));
    const answer = { [form.properties[0].id]: 'ada@example.com' };
    await service.request('POST', `/forms/${form.slug}/answer`, { body: answer });
    await query(
      `insert into export_jobs (job_id, form_id, columns, status, file_name) values ($1, $2, '[]', 'completed', $1)`,
      [`export_${randomUUID()}`, form.id],
    );
  }
  const [{ id, form_id }] = (
    await query(
      `select workspaces.id, forms.id as form_id from workspaces join forms on workspace_id = workspaces.id
       where name = 'Two' order by 1 desc limit 1`,
      [],
    )
  ).rows;
  // A deadlock would be an error of one of them.
  const [erased] = await inLine(
    context.pool,
    (client) => client.query('select from export_jobs where form_id = $1 for update', [form_id]),
    [
      () =>
        service.request('POST', `/open/workspaces/${id}/people/erase`, {
          token: user.token,
          body: { value: 'ada@example.com' },
        }),
      () => remove(user),
    ],
  );
  expect([erased.status, erased.body.erased?.submissions]).toEqual([200, 1]);
});

test('an account goes while its owner invites somebody to the workspace that goes with it', async () => {
  const { service } = home;
  const user = await aUser(service);
  const id = await aWorkspace(service, user);
  const invite = () =>
    service.request('POST', `/open/workspaces/${id}/users/add`, {
      token: user.token,
      body: { email: `${randomUUID()}@example.com`, role: 'user' },
    });
  // A deadlock would be an error of one of them.
  const [, invited] = await inLine(
    service.context.pool,
    (client) => client.query('select from workspace_members where workspace_id = $1 for update', [id]),
    [() => remove(user), invite],
  );
  expect(invited.status).toBe(404);
});

test('an account goes while its owner wants to delete it, too', async () => {
  const { service } = home;
  const { db, pool } = service.context;
  const user = await aUser(service);
  await aWorkspace(service, user);
  const [refusal] = await inLine(
    pool,
    (client) => client.query('select from users where id = $1 for update', [user.id]),
    [() => deleteOwnAccount(db, user.id, CLI).catch((error) => error), () => remove(user)],
  );
  expect(refusal?.statusCode).toBe(409);
  expect((await query('select from users where id = $1', [user.id])).rowCount).toBe(0);
});

test('an account goes while its owner saves a form that stays', async () => {
  const { service } = home;
  const [admin, user] = [await aUser(service), await aUser(service, { name: 'Bob' })];
  const id = await aWorkspace(service, admin);
  await aMember(service, admin, id, user, 'user');
  const form = await aForm(service, user, id);
  await query('delete from workspace_members where user_id = $1 and workspace_id <> $2', [user.id, id]);
  // A deadlock would be an error of one of them.
  const [, saved] = await inLine(
    service.context.pool,
    (client) => client.query('select from workspace_members where workspace_id = $1 for update', [id]),
    [
      () => deleteAccount(service.context.db, user.email, { withWorkspaces: false }, CLI),
      () => service.request('PUT', `/open/forms/${form.id}`, { token: user.token, body: { title: 'New' } }),
    ],
  );
  expect(saved.status, saved.text).toBe(404);
  const { rows } = await query('select creator_id, title from forms where id = $1', [form.id]);
  expect(rows).toEqual([{ creator_id: null, title: form.title }]);
});

test('the accounts of two colleagues go at once, and their forms stay', async () => {
  const { service } = home;
  const admin = await aUser(service);
  const id = await aWorkspace(service, admin);
  const first = await aForm(service, admin, id);
  const colleagues = await Promise.all(['Bob', 'Eve'].map((name) => aUser(service, { name })));
  for (const user of colleagues) {
    await aMember(service, admin, id, user, 'user');
    await aForm(service, user, id);
    await query('delete from workspace_members where user_id = $1 and workspace_id <> $2', [user.id, id]);
  }
  const [bob, eve] = colleagues.map(
    ({ email }) =>
      () =>
        deleteAccount(service.context.db, email, { withWorkspaces: false }, CLI),
  );
  // A deadlock would be an error of one of them.
  await inLine(
    service.context.pool,
    (client) => client.query('select from forms where id = $1 for update', [first.id]),
    [bob as () => Promise<string>, eve as () => Promise<string>],
  );
  const { rows } = await query('select creator_id from forms where workspace_id = $1 order by id', [id]);
  expect(rows.map(({ creator_id }) => creator_id)).toEqual([admin.id, null, null]);
});

test('an account goes with a workspace while answers to a form there, and to one that stays, are stored together', async () => {
  const { service } = home;
  const { pool } = service.context;
  await runAllJobs(service.context);
  const [admin, user] = [await aUser(service), await aUser(service, { name: 'Bob' })];
  const id = await aWorkspace(service, admin);
  await aMember(service, admin, id, user, 'user');
  const going = await aForm(service, user, await aWorkspace(service, user));
  const staying = await aForm(service, user, id);
  /** Locks as the intake does, form by form. */
  const store = async () => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      for (const form of [going, staying])
        await client.query(
          `select from form_counters counters join forms on forms.id = form_id where form_id = $1
           for no key update of counters for share of forms`,
          [form.id],
        );
    } finally {
      client.release(true);
    }
  };
  // A deadlock would be an error of one of them.
  await inLine(
    pool,
    (client) => client.query('select from workspace_members where workspace_id = $1 for update', [id]),
    [() => remove(user), store],
  );
  expect((await query('select from forms where id = $1', [going.id])).rowCount).toBe(0);
  expect((await query('select creator_id from forms where id = $1', [staying.id])).rows).toEqual([
    { creator_id: null },
  ]);
});
