import pg from 'pg';
import { ofConnecting, READ_ONLY } from './constraint-errors.ts';
import type { PrimaryFinder } from './primary.ts';

/** The message of node-postgres when `query_timeout` has passed. The answer may still come, or never. */
const READ_TIMEOUT = 'Query read timeout';

/**
 * The function of PostgreSQL that sends a notice when a commit stopped waiting for its standby because the statement was
 * cancelled (`pg_cancel_backend`): the commit is on the primary alone, and the statement succeeds nevertheless.
 */
const UNREPLICATED = 'SyncRepWaitForLSN';

type AnyQuery = (...parameters: unknown[]) => unknown;

/**
 * A connection that ends itself when its server does not answer or takes no writes any more. The driver would keep it and
 * queue the next statement behind the one that hangs.
 */
export class DatabaseClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('notice', ({ routine }) => {
      if (routine === UNREPLICATED)
        this.connection.emit('error', new Error('Connection terminated: a commit was not replicated'));
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    if (!callback) return super.connect().catch(refuse);
    super.connect((error: Error) => callback(error && ofConnecting(error)));
    return undefined;
  }

  // The driver has ten forms of `query`; all of them pass through here unchanged.
  override query(...parameters: unknown[]): never {
    const result = (super.query as AnyQuery).apply(this, parameters);
    if (result instanceof Promise)
      result.catch((error: Error) => {
        if (isUseless(error)) void this.end();
      });
    return result as never;
  }
}

function refuse(error: Error): never {
  throw ofConnecting(error);
}

function isUseless({ message, code }: NodeJS.ErrnoException): boolean {
  return message === READ_TIMEOUT || code === READ_ONLY;
}

/** Connections to the one of several servers that is the primary when they are made; they end when it no longer is. */
export function clientOfPrimary(finder: PrimaryFinder): typeof DatabaseClient {
  return class extends DatabaseClient {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const connected = this.#connectToPrimary();
      if (!callback) return connected;
      connected.then(() => (callback as () => void)(), callback);
      return undefined;
    }

    async #connectToPrimary(): Promise<pg.Client> {
      const primary = await finder.find().catch(refuse);
      Object.assign(this, primary);
      const client = await super.connect();
      const letGo = finder.holds(primary, (reason) => this.connection.stream.destroy(reason));
      this.once('end', letGo);
      return client;
    }
  };
}
