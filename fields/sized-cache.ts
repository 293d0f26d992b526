/** Remembers what was asked for lately, as much of it as is not too large together. The last one is kept in any case. */
export class SizedCache<Key, Value> {
  readonly #maxSize: number;
  readonly #entries = new Map<Key, { value: Value; size: number }>();
  #size = 0;

  /** @param maxSize in the unit in which `set` is told sizes */
  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // The order of a map is that in which its keys came: now this one is the last to go.
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

  /** Forgets all values of which this is true. */
  deleteAll(isGone: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#entries) if (isGone(value)) this.delete(key);
  }
}
