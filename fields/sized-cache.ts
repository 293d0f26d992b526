/** A cache of recently used values up to a total size. The last value is kept even if it is larger. */
export class SizedCache<Key, Value> {
  readonly #maxSize: number;
  readonly #entries = new Map<Key, { value: Value; size: number }>();
  #size = 0;

  /** @param maxSize in the unit of the sizes given to `set` */
  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // A map keeps the order in which keys were added: added again, this one is the last to be dropped.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: Key, value: Value, size: number): void {
    this.delete(key);
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#maxSize || oldest === key) return;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  /** Drops all values for which this is true. */
  deleteAll(isGone: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#entries) if (isGone(value)) this.delete(key);
  }
}
