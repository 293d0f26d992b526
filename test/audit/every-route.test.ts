import { expect, test } from 'vitest';
import { inSession, prepareCall, prepareState, send, useWorld } from '../spec/authorization-callers.ts';
import { nameOf, ROUTES } from '../spec/authorization-routes.ts';
import { aSessionOf, type Place } from '../spec/authorization-world.ts';

/** Routes with credentials that change something but are no event, each with the reason. */
const NO_EVENT = new Set([
  // Only reads, like a list of submissions.
  'POST /open/workspaces/:workspaceId/people/find',
  // Only begins; confirming is the event.
  'POST /settings/second-factor',
  // Only begins; using the mailed link is the event.
  'POST /user/email',
  // Only begins; the return from the provider is the event.
  'POST /settings/single-sign-on',
  // Only begins; the token that the program takes is the event.
  'POST /oauth/consent',
  // Saved many times while one works on it; publishing is the event.
  'PUT /open/forms/:form/draft',
  // Changes only what the caller is mailed.
  'PUT /open/workspaces/:workspaceId/summary-mails',
  // A preview exists for an hour and changes nothing.
  'POST /open/forms/preview',
  'POST /open/forms/:form/preview',
  // Only tries the form.
  'POST /open/forms/:form/scenarios/run',
  // To the workspace where the form is already, it moves nothing.
  'POST /open/forms/:form/move',
]);
/** The tools of assistants, which no session may call, make changes by calling one of the other routes. */
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
  // Nothing exists yet that it could delete: no hook, no person; and the form is not in the trash.
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
