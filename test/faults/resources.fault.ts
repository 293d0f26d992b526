import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { until } from '../setup/until.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { balance } from './ledger.ts';
import { startLoad } from './load.ts';
import { report } from './outcome.ts';
import { type Recorder, startRecorder } from './recorder.ts';
import { type Installation, install, type ServiceProcess } from './service-process.ts';
import { fill, removeDisk, smallDisk } from './small-disk.ts';
import { makeWorld } from './world.ts';

/** Little memory, few file descriptors, no room for exports. */
const SECRET = 'a secret of the faults';
const SECRET_KEY = 'ab'.repeat(32);

let cluster: Cluster;
let installation: Installation;
let recorder: Recorder;

beforeEach(async () => {
  cluster = await startCluster();
  installation = await install({ DATABASE_URL: cluster.url, SECRET_KEY });
  recorder = await startRecorder(SECRET);
});
afterEach(async () => {
  await installation?.remove();
  await cluster?.remove();
  await recorder?.close();
});

test('little memory', async (context) => {
  const options = { nodeArguments: ['--max-old-space-size=96'] };
  let service: ServiceProcess = await installation.start(options);
  let deaths = 0;
  let isOver = false;
  const url = () => service.url;
  const world = await makeWorld(url);
  const integrationId = await world.anIntegration(world.form, recorder.url, SECRET);
  const supervisor = (async () => {
    while (!isOver) {
      if (!service.isRunning()) {
        deaths += 1;
        service = await installation.start(options);
      }
      await pause(50);
    }
  })();
  const load = startLoad({ url, slug: world.form.slug, longestMs: 15_000 });
  await until(() => load.acknowledged.size > 50, { withinMs: 30_000 });
  // The most that clients can make the service hold at once: many large bodies.
  const other = await world.aForm();
  const body = { [TEXT_FIELD_ID]: 'x'.repeat(99_000), unknown: 'y'.repeat(900_000) };
  const flood = Array.from({ length: 6 }, async () => {
    for (let n = 0; n < 8; n++)
      await Promise.all(
        Array.from({ length: 10 }, () =>
          world.call('POST', `/forms/${other.slug}/answer`, body).then(
            ({ status }) => expect([200, 503]).toContain(status),
            () => {},
          ),
        ),
      );
  });
  await Promise.all(flood);
  const endedAt = performance.now();
  await until(() => Number.isFinite(load.recoveredAfter(endedAt)), { withinMs: 30_000 });
  const recoveredMs = load.recoveredAfter(endedAt);
  await load.stop();
  isOver = true;
  await supervisor;
  const receiver = { recorder, integrationId };
  const figures = await balance({ world, load, url, receiver, connection: cluster.connection });
  report(context, {
    id: 'F35',
    fault: 'heap of 96 MB, 480 bodies of a megabyte, 60 at a time',
    ...figures,
    recoveredMs,
    seen: `the process ended for lack of memory ${deaths} times and was started again`,
  });
});

test('few file descriptors', async (context) => {
  const service = await installation.start({ before: 'ulimit -n 96' });
  const url = () => service.url;
  const world = await makeWorld(url);
  const integrationId = await world.anIntegration(world.form, recorder.url, SECRET);
  const load = startLoad({ url, slug: world.form.slug, writers: 4, longestMs: 20_000 });
  await until(() => load.acknowledged.size > 50, { withinMs: 30_000 });
  const { hostname, port } = new URL(service.url);
  const sockets: Socket[] = [];
  for (let n = 0; n < 400; n++) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    sockets.push(socket);
  }
  await Promise.race([once(sockets.at(-1)!, 'connect'), pause(2_000)]);
  await pause(6_000);
  for (const socket of sockets) socket.destroy();
  const endedAt = performance.now();
  await until(() => Number.isFinite(load.recoveredAfter(endedAt)), {
    withinMs: 40_000,
    what: `recovery: ${service.output().slice(-2_000)}`,
  });
  const recoveredMs = load.recoveredAfter(endedAt);
  expect(service.isRunning()).toBe(true);
  await load.stop();
  const receiver = { recorder, integrationId };
  const figures = await balance({ world, load, url, receiver, connection: cluster.connection });
  report(context, {
    id: 'F35',
    fault: '96 file descriptors, 400 more clients than that',
    ...figures,
    recoveredMs,
    seen: `the same process throughout; the longest answer ${(load.longestMs() / 1000).toFixed(1)} s`,
  });
});

test('a folder of exports that cannot be written to, and one that is full', async (context) => {
  const service = await installation.start({ env: { EXPORT_SYNC_LIMIT: '0' } });
  const url = () => service.url;
  const world = await makeWorld(url);
  const load = startLoad({ url, slug: world.form.slug, writers: 2 });
  await cluster.admin(
    `insert into submissions (form_id, public_id, status, data)
     select ${world.form.id}, gen_random_uuid(), 'completed', jsonb_build_object('${TEXT_FIELD_ID}', repeat('x', 500) || n)
     from generate_series(1, 20000) n`,
  );
  const path = `/open/forms/${world.form.id}/submissions/export`;
  const disk = await smallDisk(context, 4);
  const files = join(installation.dataDir, 'files');
  try {
    await mkdir(files, { recursive: true });
    execFileSync('mount', ['--bind', disk, files]);
    const finished = async () => {
      const { body } = await world.call('POST', path, { columns: { [TEXT_FIELD_ID]: true } });
      return until(
        async () => {
          const { body: now } = await world.call('GET', `${path}/status/${body.job_id}`);
          return ['completed', 'failed'].includes(now.status) && now;
        },
        { withinMs: 30_000, what: 'the end of the export' },
      );
    };
    await fill(disk, join(disk, 'filler'));
    const full = await finished();
    expect(full).toMatchObject({
      status: 'failed',
      error_message: 'There is not enough room where exports are kept.',
    });
    await rm(join(disk, 'filler'));
    execFileSync('mount', ['-o', 'remount,ro,bind', files]);
    const readOnly = await finished();
    expect(readOnly).toMatchObject({
      status: 'failed',
      error_message: 'The folder that keeps exports cannot be written to.',
    });
    for (const { file_url } of [full, readOnly]) expect(file_url).toBeNull();
    execFileSync('umount', ['-l', files]);
    const endedAt = performance.now();
    const well = await finished();
    const recoveredMs = Math.round(performance.now() - endedAt);
    expect(well.status).toBe('completed');
    await access(join(files, 'exports'));
    await load.stop();
    expect(load.oddities).toEqual([]);
    expect([...load.statuses.keys()]).toEqual([200]);
    report(context, {
      id: 'F13',
      fault: 'folder of exports full, then read-only',
      acknowledged: load.acknowledged.size,
      recoveredMs,
      seen: 'the exports fail with a clear reason and without a file, the next one is complete; submissions are not affected',
    });
  } finally {
    await load.stop();
    execFileSync('sh', ['-c', `umount -l ${files} 2>/dev/null || true`]);
    await removeDisk(disk);
  }
});
