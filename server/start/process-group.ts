import cluster, { type Worker as Member } from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Connection } from '../db/database.ts';
import type { Service } from './service.ts';

/** Orders to a member, and its answers. */
export type Order = { kind: 'serve'; connection: Connection } | { kind: 'stop' };
export type Report = { kind: 'ready'; url: string | null } | { kind: 'failed'; problem: object };

const MEMBER = join(import.meta.dirname, 'group-member.ts');
const RESTART_PAUSE_MS = 1_000;

/**
 * Runs the service as `count` processes that share one port, from which each takes its own connections. A member that
 * dies is started again.
 * @throws Error of the first member that does not start
 */
export async function startProcessGroup(
  count: number,
  connection: Connection,
  log: Logger,
): Promise<Pick<Service, 'url' | 'stop'>> {
  // If this process distributed connections, one on its way to a killed member would hang for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: MEMBER, args: [] });
  const members = new Set<Member>();
  let isStopping = false;

  async function start(): Promise<string | null> {
    const member = cluster.fork();
    members.add(member);
    const exit = once(member, 'exit').then(() => void members.delete(member));
    const report = reportOf(member);
    tell(member, { kind: 'serve', connection });
    const { url } = await report;
    void exit.then(() => replace(member));
    return url;
  }

  async function replace({ process: { pid, exitCode, signalCode } }: Member): Promise<void> {
    while (!isStopping) {
      log.error(
        { member: pid, exitCode, signalCode },
        'a process of the service ended; starting another one',
      );
      await sleep(RESTART_PAUSE_MS);
      if (isStopping) return;
      const problem = await start().then(
        () => null,
        (err: unknown) => err,
      );
      if (problem === null) return;
      log.error({ err: problem }, 'a process of the service could not be started');
    }
  }

  async function stop(): Promise<void> {
    isStopping = true;
    const exits = [...members].map((member) => once(member, 'exit'));
    for (const member of members) tell(member, { kind: 'stop' });
    await Promise.all(exits);
  }

  try {
    // One after the other: the first makes what all share, such as the key file.
    let url: string | null = null;
    for (let started = 0; started < count; started++) url = await start();
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function tell(member: Member, order: Order): void {
  // A member that has just died needs no order.
  if (member.isConnected()) member.send(order, () => {});
}

function reportOf(member: Member): Promise<{ url: string | null }> {
  return new Promise((resolve, reject) => {
    member.once('message', (report: Report) => {
      if (report.kind === 'ready') resolve(report);
      else reject(Object.assign(new Error(), report.problem));
    });
    member.once('exit', () => reject(new Error('A process of the service ended while it started.')));
  });
}
