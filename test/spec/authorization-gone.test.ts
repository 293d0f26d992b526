import pg from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { callersOf, prepareCall, prepareState, send, useWorld } from './authorization-callers.ts';
import { ROUTES } from './authorization-routes.ts';

const world = useWorld();
const OF_FORMS = ROUTES.filter(({ path, role }) => role !== null && path.includes(':form'));

afterEach(() => vi.restoreAllMocks());

/** Deletes a form as soon as the service has looked up which role its caller has there. */
function deleteAfterGuard(formId: number): void {
  const { pool } = world.context;
  const query = pg.Client.prototype.query as (...parameters: any[]) => Promise<unknown>;
  let isDeleted = false;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (this: pg.Client, ...sent: any[]) {
    const rows = await query.apply(this, sent);
    const isGuard = /"workspace_members"\."role" from "forms"/.test(String(sent[0]));
    if (isGuard && !isDeleted) {
      isDeleted = true;
      await pool.query('delete from forms where id = $1', [formId]);
    }
    return rows;
  } as never);
}

describe.each(OF_FORMS)('$method $path', (row) => {
  test('answers when the form is deleted a moment after the caller was let in', async () => {
    const admin = (await callersOf(world, row)).find(({ column }) => column === 'admin');
    if (!admin) throw new Error('There is no admin.');
    await prepareState(world, row, admin.person);
    const place = await world.newPlace();
    const call = await prepareCall(world, row, place, admin.person);
    deleteAfterGuard(place.form);
    const answer = await send(world, call, admin.credentials);
    // What the form had may still be read or deleted, until it is removed in the background.
    expect(answer.status, answer.text).toBeLessThan(500);
  });
});
