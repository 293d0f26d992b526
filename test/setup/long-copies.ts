import { connect, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import { TEXT_FIELD_ID } from './factories.ts';
import type { Home } from './home.ts';
import { prepareRows } from './prepare-rows.ts';

/** Far more rows than sockets and streams buffer: a `COPY` of them stays under way as long as nobody reads. */
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

/** The number of `COPY` statements under way in the database of these tests. */
export async function copiesUnderWay({ service }: Home): Promise<number> {
  const { rows } = await service.context.pool.query(
    `select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and state = 'active' and query ilike 'copy (%'`,
  );
  return rows.length;
}

/** Sends raw requests and never reads the answers. The connections end with the test. */
export function useStalledReaders(home: Home): (request: string) => Socket {
  const sockets = new Set<Socket>();
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  });
  return (request) => {
    const { hostname, port } = new URL(home.service.url);
    const socket = connect(Number(port), hostname);
    // The service may end the connection before the test does.
    socket.on('error', () => {});
    sockets.add(socket);
    socket.pause();
    socket.write(request);
    return socket;
  };
}
