import { expect, test } from 'vitest';
import { aUser } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { inLine } from '../setup/meanwhile.ts';
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
