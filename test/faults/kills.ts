import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../setup/until.ts';
import { balance, type Figures } from './ledger.ts';
import { startLoad } from './load.ts';
import { startRecorder } from './recorder.ts';
import { type Installation, install, type ServiceProcess } from './service-process.ts';
import { makeWorld } from './world.ts';

const SECRET = 'a secret of the faults';

type KillResult = Figures & { recoveredMs: number };

/** When the signal was sent, and after which moment an answer shows recovery; by `performance.now()`. */
interface Killed {
  at: number;
  goneAt: number;
}

type Kill = (service: ServiceProcess, installation: Installation) => Promise<Killed>;

/** Runs load on one service with the embedded database, kills again and again, and compares all books at the end. */
export async function killUnderLoad(
  rounds: number,
  writers: number,
  kill: Kill,
  isHurried = false,
): Promise<KillResult> {
  const installation = await install();
  const recorder = await startRecorder(SECRET);
  let service: ServiceProcess | null = await installation.start();
  const url = () => service?.url ?? '';
  try {
    const world = await makeWorld(url);
    const integrationId = await world.anIntegration(world.form, recorder.url, SECRET);
    const load = startLoad({ url, slug: world.form.slug, writers });
    let recoveredMs = 0;
    for (let round = 0; round < rounds; round++) {
      const before = load.acknowledged.size;
      await until(() => load.acknowledged.size > before + 150, { withinMs: 30_000, what: 'some load' });
      await pause(Math.random() * 300);
      const current: ServiceProcess = service;
      const killed = await kill(current, installation);
      if (!current.isRunning()) service = await installation.start();
      await until(() => Number.isFinite(load.recoveredAfter(killed.goneAt)), {
        withinMs: 60_000,
        what: `recovery in round ${round}: ${current.output()}`,
      });
      const outageMs = killed.goneAt - killed.at + load.recoveredAfter(killed.goneAt);
      recoveredMs = Math.max(recoveredMs, outageMs);
    }
    await load.stop();
    const connection = await installation.connection();
    const receiver = { recorder, integrationId };
    return { ...(await balance({ world, load, url, receiver, connection, isHurried })), recoveredMs };
  } finally {
    await installation.remove();
    await recorder.close();
  }
}

/** SIGKILL for the service alone; its PostgreSQL stays. */
export async function killService(service: ServiceProcess): Promise<Killed> {
  const at = performance.now();
  await service.end('SIGKILL');
  return { at, goneAt: performance.now() };
}

/** SIGKILL for the embedded PostgreSQL alone; the service stays. Server processes may still answer for a moment. */
export async function killDatabase(_service: ServiceProcess, installation: Installation): Promise<Killed> {
  const pid = await postmasterOf(installation);
  const at = performance.now();
  process.kill(pid, 'SIGKILL');
  await until(async () => (await postmasterOf(installation)) !== pid, {
    withinMs: 60_000,
    what: 'another PostgreSQL',
  });
  return { at, goneAt: performance.now() };
}

/** SIGKILL for both at once, as when the machine dies. */
export async function killBoth(service: ServiceProcess, installation: Installation): Promise<Killed> {
  const pid = await postmasterOf(installation);
  const at = performance.now();
  process.kill(pid, 'SIGKILL');
  await service.end('SIGKILL');
  return { at, goneAt: performance.now() };
}

/** The pid of the postmaster; NaN while there is none. */
async function postmasterOf({ dataDir }: Installation): Promise<number> {
  const file = join(dataDir, 'postgres', '18', 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => '');
  return Number.parseInt(text, 10);
}
