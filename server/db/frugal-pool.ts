import pg from 'pg';

/** For so long the pool asks for no further connection after the server has refused one. */
const MAKE_DO_MS = 2_000;

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void;

/**
 * A pool that makes do with the connections it has while the server refuses new ones, as when `max_connections` is reached: who
 * would get a new one waits for one of those.
 */
export class FrugalPool extends pg.Pool {
  readonly #live = new Set<pg.ClientBase>();
  readonly #usualMax: number;
  #makingDo: NodeJS.Timeout | undefined;

  constructor(config: pg.PoolConfig) {
    super(config);
    this.#usualMax = this.options.max;
    this.on('connect', (client) => this.#live.add(client));
    this.on('remove', (client) => this.#live.delete(client));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    if (!callback)
      return super
        .connect()
        .catch((error) => (this.#makesDo(error) ? super.connect() : Promise.reject(error)));
    super.connect((error, client, done) => {
      if (error && this.#makesDo(error)) super.connect(callback);
      else callback(error, client, done);
    });
    return undefined;
  }

  /** Any other error is of the network: the connections there are may be broken as well. */
  #makesDo(error: unknown): boolean {
    if (!(error instanceof pg.DatabaseError) || this.#live.size === 0) return false;
    this.options.max = this.#live.size;
    clearTimeout(this.#makingDo);
    this.#makingDo = setTimeout(() => {
      this.options.max = this.#usualMax;
    }, MAKE_DO_MS).unref();
    return true;
  }
}
