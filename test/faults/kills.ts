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

export type KillResult = Figures & { recoveredMs: number };

/** What happens to the service between two rounds of load. @returns when the recovery could begin, by `performance.now()` */
type Kill = (service: ServiceProcess, installation: Installation) => Promise<number>;

/** Load on one service with the embedded database, killed again and again; the ledger at the end. */
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
      const endedAt = await kill(current, installation);
      if (!current.isRunning()) service = await installation.start();
      await until(() => Number.isFinite(load.recoveredAfter(endedAt)), {
        withinMs: 60_000,
        what: `recovery in round ${round}: ${current.output()}`,
      });
      recoveredMs = Math.max(recoveredMs, load.recoveredAfter(endedAt));
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

/** SIGKILL for the service alone: its PostgreSQL goes on. */
export async function killService(service: ServiceProcess): Promise<number> {
  await service.end('SIGKILL');
  return performance.now();
}

/** SIGKILL for the embedded PostgreSQL alone: the service goes on. */
export async function killDatabase(_service: ServiceProcess, installation: Installation): Promise<number> {
  process.kill(await postmasterOf(installation), 'SIGKILL');
  return performance.now();
}

/** SIGKILL for both at once, as when the machine dies. */
export async function killBoth(service: ServiceProcess, installation: Installation): Promise<number> {
  const pid = await postmasterOf(installation);
  process.kill(pid, 'SIGKILL');
  await service.end('SIGKILL');
  return performance.now();
}

async function postmasterOf({ dataDir }: Installation): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', '18', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}
