import { expect, test } from 'vitest';
import { inSession, prepareCall, prepareState, send, useWorld } from '../spec/authorization-callers.ts';
import { nameOf, ROUTES } from '../spec/authorization-routes.ts';
import { aSessionOf, type Place } from '../spec/authorization-world.ts';

/** What changes something with credentials and still is no event, with the reason. */
const NO_EVENT = new Set([
  // Looked at only, like any answer.
  'POST /open/workspaces/:workspaceId/people/find',
  // Begun only; confirming is the event.
  'POST /settings/second-factor',
  // The same: the link that is mailed is the event.
  'POST /user/email',
  // The same: it goes on at the provider, and coming back is the event.
  'POST /settings/single-sign-on',
  // The same: the token that the program takes is the event.
  'POST /oauth/consent',
  // Put aside, and saved many times on the way; publishing is the event.
  'PUT /open/forms/:form/draft',
  // Shown for an hour; nothing is changed.
  'POST /open/forms/preview',
  'POST /open/forms/:form/preview',
  // Asked for the workspace the form is in already, it moves nothing.
  'POST /open/forms/:form/move',
]);
/** What no session may call, the tools of assistants, changes things by calling one of the others. */
const CHANGING = ROUTES.filter(
  ({ method, needs, session }) =>
    !['GET', 'OPTIONS'].includes(method) && needs !== 'nothing' && session !== 401,
);

const world = useWorld();

test.each(CHANGING)('$method $path leaves an event of whoever called it, or says why not', async (row) => {
  const { admin } = world.people;
  const { pool } = world.context;
  const caller = await inSession(world.context, row, admin);
  await prepareState(world, row, admin);
  const place = await world.newPlace();
  const call = await prepareCall(world, row, place, admin);
  // What is not there cannot be deleted: a hook, a person; nor can a form be taken out of the trash.
  if (call.method === 'DELETE' && /^\/external\/|forms\/[^/]+\/trash$/.test(call.path))
    await send(world, { ...call, method: 'POST' }, { token: admin.token });
  if (call.path.endsWith('/people/erase')) call.body = { value: await invitedTo(place) };
  const { rows: before } = await pool.query('select coalesce(max(id), 0)::int as id from audit_events');
  const answer = await send(world, call, { cookie: await aSessionOf(world.context, caller) });
  expect(answer.status, answer.text).toBeLessThan(300);
  const { rows } = await pool.query('select verb, user_id from audit_events where id > $1', [before[0].id]);
  if (NO_EVENT.has(nameOf(row))) return expect(rows).toEqual([]);
  expect(rows.length, `${nameOf(row)} is not in the audit log`).toBeGreaterThan(0);
  for (const { user_id } of rows) expect(user_id).toBe(caller.id);
});

test('no route is excused that does not exist', () => {
  const names = CHANGING.map(nameOf);
  for (const name of NO_EVENT) expect(names).toContain(name);
});

async function invitedTo({ inviteId }: Place): Promise<string> {
  const { rows } = await world.context.pool.query('select email from workspace_invites where id = $1', [
    inviteId,
  ]);
  return rows[0].email;
}
