import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, createWriteStream, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { until } from '../setup/until.ts';
import { childrenOf, UNPRIVILEGED } from './cluster.ts';

const BINARIES = '/usr/lib/postgresql/15/bin';
const PROGRAMS = {
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  'postgresql-15': `${BINARIES}/postgres`,
};
const SCOPE = 'formstead';
const NAMES = ['one', 'two', 'three'];
/**
 * Seconds. A vanished primary is replaced when its lease (`ttl`) has run out, so this bounds every outage. 20 is the least
 * that Patroni accepts; it must also be at least `loop_wait` plus twice `retry_timeout`.
 */
const TIMES = { ttl: 20, loop_wait: 3, retry_timeout: 5 };
/** By default, a standby that finds no slot at the new primary yet returns after 5 s; until then nothing is acknowledged. */
const PARAMETERS = { max_connections: 200, wal_retrieve_retry_interval: '1s' };
const START_LIMIT_MS = 120_000;
/** Longer than two turns of Patroni's loop: a standby that needs a rewind has begun it by then. */
const STEADY_MS = 10_000;
/** Characters of a log that are shown. */
const LOG_LENGTH = 3_000;

/** Three PostgreSQL servers, each standing for a machine; Patroni makes one of them the primary. */
export interface PatroniCluster {
  /** For DATABASE_URL: all three. */
  url: string;
  /** Waits until there is one primary and both others have followed it for a while, one of them synchronously. */
  healthy(): Promise<void>;
  primary(): Promise<Node>;
  synchronousStandby(): Promise<Node>;
  /** SIGKILL for Patroni and all processes of its PostgreSQL at once. */
  kill(node: Node): Promise<void>;
  /** SIGSTOP or SIGCONT for the same processes. */
  signal(node: Node, signal: NodeJS.Signals): Promise<void>;
  /** Starts Patroni, which starts the rest. */
  start(node: Node): void;
  /** `patronictl switchover`: from the primary to a server that Patroni chooses. */
  switchover(): Promise<void>;
  /** To the primary, as superuser. */
  connection(): Promise<pg.ClientConfig>;
  remove(): Promise<void>;
}

interface Node {
  name: string;
  port: number;
  restPort: number;
  folder: string;
  patroni: ChildProcess | null;
}

interface Member {
  name: string;
  role: 'leader' | 'replica' | 'sync_standby';
  timeline: number;
}

/** A line that names the missing packages for the person who runs this; null when none is missing. */
export function whatIsMissing(): string | null {
  const missing = Object.entries(PROGRAMS).flatMap(([name, path]) => (existsSync(path) ? [] : [name]));
  if (missing.length === 0) return null;
  return `needs the Debian packages ${missing.join(', ')}: apt-get install --no-install-recommends ${missing.join(' ')}`;
}

export async function startPatroni(): Promise<PatroniCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'formstead-patroni-'));
  const identity = process.getuid?.() === 0 ? UNPRIVILEGED : null;
  if (identity) chownSync(folder, identity.uid, identity.gid);
  const environment = { PATH: '/usr/bin:/bin', HOME: folder, LC_ALL: 'C.UTF-8' };
  const [etcdPort = 0, peerPort = 0, ...ports] = await freePorts(2 + 2 * NAMES.length);
  const nodes: Node[] = NAMES.map((name, n) => ({
    name,
    port: ports[2 * n] ?? 0,
    restPort: ports[2 * n + 1] ?? 0,
    folder: join(folder, name),
    patroni: null,
  }));

  function run(program: string, args: string[], logFile: string): ChildProcess {
    const child = spawn(program, args, { ...identity, cwd: folder, env: environment });
    const log = createWriteStream(logFile, { flags: 'a' });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    return child;
  }

  const client = `http://127.0.0.1:${etcdPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const etcd = run(
    PROGRAMS['etcd-server'],
    [
      ...['--name', 'one', '--data-dir', join(folder, 'etcd'), '--initial-cluster', `one=${peer}`],
      '--enable-v2',
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ],
    join(folder, 'etcd.log'),
  );

  for (const node of nodes) {
    mkdirSync(node.folder, { mode: 0o700 });
    if (identity) chownSync(node.folder, identity.uid, identity.gid);
    // JSON is valid YAML.
    writeFileSync(configOf(node), JSON.stringify(settings(node, etcdPort), null, 2), { mode: 0o644 });
  }

  function start(node: Node): void {
    node.patroni = run(PROGRAMS.patroni, [configOf(node)], join(node.folder, 'patroni.log'));
  }

  /** The pids of Patroni, the postmaster and its processes, as far as they run. */
  async function processesOf({ patroni, folder }: Node): Promise<number[]> {
    const text = await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => '');
    const postmaster = Number.parseInt(text, 10) || null;
    const own = patroni?.exitCode === null && patroni.signalCode === null ? [patroni.pid ?? 0] : [];
    return [...own, ...(postmaster === null ? [] : [postmaster, ...childrenOf(postmaster)])];
  }

  async function signal(node: Node, name: NodeJS.Signals): Promise<void> {
    for (const pid of await processesOf(node))
      try {
        process.kill(pid, name);
      } catch {
        // The process has just ended.
      }
  }

  async function kill(node: Node): Promise<void> {
    const { patroni } = node;
    if (patroni === null || patroni.exitCode !== null || patroni.signalCode !== null) return;
    const gone = once(patroni, 'exit');
    await signal(node, 'SIGKILL');
    await gone;
  }

  async function members(): Promise<Member[]> {
    for (const { restPort } of nodes) {
      const found = await fetch(`http://127.0.0.1:${restPort}/cluster`, {
        signal: AbortSignal.timeout(2_000),
      })
        .then(async (answer) => (await answer.json()) as { members: Member[] })
        .catch(() => null);
      if (found) return found.members;
    }
    return [];
  }

  /** @throws the error, with the end of each Patroni's log */
  async function explain(error: Error): Promise<never> {
    const logs = await Promise.all(
      nodes.map(async ({ name, folder }) => {
        const text = await readFile(join(folder, 'patroni.log'), 'utf8').catch(() => '');
        return `${name}:\n${text.slice(-LOG_LENGTH)}`;
      }),
    );
    throw new Error([error.message, ...logs].join('\n\n'));
  }

  /** Judged by Patroni's own state and by the standbys the primary sees. */
  async function isComplete(): Promise<boolean> {
    const found = await members();
    const roles = found.map(({ role }) => role).sort();
    if (
      roles.join() !== 'leader,replica,sync_standby' ||
      new Set(found.map(({ timeline }) => timeline)).size > 1
    )
      return false;
    const rows = await query(
      await cluster.connection(),
      `select sync_state from pg_stat_replication where state = 'streaming'`,
    ).catch(() => []);
    return (
      rows
        .map(({ sync_state: state }) => state)
        .sort()
        .join() === 'async,sync'
    );
  }

  async function nodeInRole(role: Member['role']): Promise<Node> {
    const name = await until(async () => (await members()).find((one) => one.role === role)?.name, {
      withinMs: START_LIMIT_MS,
      what: `a ${role}`,
    });
    const node = nodes.find((one) => one.name === name);
    if (!node) throw new Error(`Who is ${name}?`);
    return node;
  }

  const cluster: PatroniCluster = {
    url: `postgres://app@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/formstead?target_session_attrs=read-write`,
    async healthy() {
      let since = performance.now();
      const isHealthy = async () => {
        if (!(await isComplete())) since = performance.now();
        return performance.now() - since > STEADY_MS;
      };
      await until(isHealthy, { withinMs: START_LIMIT_MS, what: 'a primary and two standbys' }).catch(explain);
    },
    primary: () => nodeInRole('leader'),
    synchronousStandby: () => nodeInRole('sync_standby'),
    kill,
    signal,
    start,
    async switchover() {
      const { name } = await cluster.primary();
      const args = ['-c', configOf(nodes[0]!), 'switchover', SCOPE, '--leader', name, '--force'];
      await promisify(execFile)('/usr/bin/patronictl', args, { ...identity, env: environment, cwd: folder });
    },
    async connection() {
      const { port } = await cluster.primary();
      return { host: '127.0.0.1', port, user: 'postgres', database: 'formstead' };
    },
    async remove() {
      for (const node of nodes) await kill(node);
      if (etcd.exitCode === null && etcd.signalCode === null) {
        etcd.kill('SIGKILL');
        await once(etcd, 'exit');
      }
      await rm(folder, { recursive: true, force: true });
    },
  };

  try {
    for (const node of nodes) start(node);
    const { port } = await cluster.primary();
    const first = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' };
    await until(() => query(first, 'select 1').catch(() => null), { withinMs: START_LIMIT_MS });
    await query(first, 'create role app login');
    await query(first, 'create database formstead owner app');
    await cluster.healthy();
    return cluster;
  } catch (error) {
    await cluster.remove();
    throw error;
  }
}

function configOf({ folder }: Node): string {
  return join(folder, 'patroni.yml');
}

/** The file that an operator would write for each machine. */
function settings({ name, port, restPort, folder }: Node, etcdPort: number): object {
  return {
    scope: SCOPE,
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    // The older interface: with `etcd3`, Patroni before 3.0.3 lets a frozen primary take its lock back when it wakes.
    etcd: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ...TIMES,
        synchronous_mode: true,
        // Without a standby nothing is acknowledged, so that no submission is on one machine only.
        synchronous_mode_strict: true,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters: PARAMETERS },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, 'data'),
      bin_dir: BINARIES,
      pgpass: join(folder, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password: 'of a test' },
        replication: { username: 'replicator', password: 'of a test' },
      },
      parameters: { unix_socket_directories: folder },
      pg_hba: [
        'host all all 127.0.0.1/32 trust',
        'host replication replicator 127.0.0.1/32 trust',
        'local all all trust',
      ],
    },
  };
}

async function query(connection: pg.ClientConfig, text: string): Promise<any[]> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Ports on which nothing listens at the moment. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
