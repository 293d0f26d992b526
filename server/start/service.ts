import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { buildApp } from '../app.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Connection } from '../db/database.ts';
import type { App } from '../http/app-type.ts';
import { buildHealthApp } from '../http/health-app.ts';
import { closePromptly } from '../http/response/prompt-close.ts';
import { createContext } from './create-context.ts';
import { startWorker, type Worker } from './worker.ts';

/** A running service: its HTTP side, its background side, or both, as `ROLES` says. */
export interface Service {
  context: Context;
  /** Where it listens: without the role `http` it only tells its health there. null for nowhere. */
  url: string | null;
  /** Finishes work under way, takes no new work, then closes everything. */
  stop(): Promise<void>;
}

/** Time for a load balancer to notice that this process is leaving, before new connections are refused. */
const DRAIN_MS = 1_000;

/**
 * Starts a service on a migrated database.
 * @param options.drains after `stop` requests are still taken for a second, each answered with `Connection: close`
 */
export async function startService(
  config: Config,
  connection: Connection,
  log?: Logger,
  { drains = false } = {},
): Promise<Service> {
  const hasHttp = config.roles.has('http');
  const port = hasHttp ? config.port : config.workerPort;
  let listening = addressOf(config.host, config.port);
  const { context, close } = await createContext(config, connection, () => config.baseUrl ?? listening, log);
  let url: string | null = null;
  let app: App | null = null;
  let worker: Worker | null = null;
  async function stop(): Promise<void> {
    await app?.close();
    await worker?.stop();
    await close();
  }
  try {
    if (port !== null) {
      app = hasHttp ? await buildApp(context) : buildHealthApp(context);
      if (drains && hasHttp) app.addHook('preClose', () => sleep(DRAIN_MS));
      closePromptly(app);
      url = await listen(app, { host: config.host, port, setting: hasHttp ? 'PORT' : 'WORKER_PORT' });
      if (hasHttp) listening = url;
    }
    if (config.roles.has('worker')) worker = await startWorker(context);
    return { context, url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** An unhandled rejection in a library must not end the service; the client has been answered. */
export function logRejections(log: Logger): void {
  process.on('unhandledRejection', (err) => log.error({ err }, 'a rejection nobody handled'));
}

/** @returns its address, with the port that was found if `port` is 0 */
async function listen(
  app: App,
  { host, port, setting }: { host: string; port: number; setting: string },
): Promise<string> {
  await app.listen({ host, port }).catch((error: Error) => {
    // An unknown host name would otherwise look like the database's.
    throw Object.assign(error, { syscall: 'listen', address: host, port, setting });
  });
  return addressOf(host, (app.server.address() as AddressInfo).port);
}

function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
