import { connect, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import { TEXT_FIELD_ID } from './factories.ts';
import type { Home } from './home.ts';
import { prepareRows } from './prepare-rows.ts';

/** Far more than sockets and streams hold on the way: a `COPY` of them is under way for as long as nobody reads. */
export const LARGE_ROWS = 40_000;

/** A form with `LARGE_ROWS` submissions of a kilobyte. */
export async function aLargeForm(home: Home): Promise<{ id: number; slug: string }> {
  const form = await home.form();
  await prepareRows(home.service, [
    `insert into submissions (form_id, public_id, status, data)
     select $1, gen_random_uuid(), 'completed', jsonb_build_object($2::text, repeat('x', 1000) || n)
     from generate_series(1, ${LARGE_ROWS}) n`,
    [form.id, TEXT_FIELD_ID],
  ]);
  return form;
}

/** How many statements of `COPY` are under way in the database of these tests. */
export async function copiesUnderWay({ service }: Home): Promise<number> {
  const { rows } = await service.context.pool.query(
    `select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and state = 'active' and query ilike 'copy (%'`,
  );
  return rows.length;
}

/** Sends requests, as they go over the wire, and reads nothing of what is answered. Their connections end with the test. */
export function useStalledReaders(home: Home): (request: string) => Socket {
  const sockets = new Set<Socket>();
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  });
  return (request) => {
    const { hostname, port } = new URL(home.service.url);
    const socket = connect(Number(port), hostname);
    // The service may end it before the test does.
    socket.on('error', () => {});
    sockets.add(socket);
    socket.pause();
    socket.write(request);
    return socket;
  };
}
