import { Bytes } from './bytes.ts';

/**
 * What a column holds. `day`: days since 1970; `moment`: milliseconds since 1970 in UTC; `local`: the same of a time of which nobody
 * knows the zone.
 */
export type Type = 'text' | 'double' | 'int32' | 'int64' | 'boolean' | 'day' | 'moment' | 'local';
export type Value = string | number | boolean;

/** The encodings of a page, by their codes in the format. */
export const ENCODINGS = { plain: 0, runs: 3, dictionary: 8 } as const;

/** The values of a column in a row group, encoded as they come. */
export interface Values {
  /** Bytes so far. */
  readonly size: number;
  add(value: Value): void;
  /** The texts that others refer to; null where all are written out. */
  dictionary(): { bytes: Buffer; count: number } | null;
  /** Places in the dictionary if there is one, else the values themselves. Nothing can be added afterwards. */
  content(): Places | Buffer;
}

/** Places in a dictionary. */
interface Places {
  places: Uint16Array;
}

/** Bytes of a dictionary at most, so its places fit into 16 bits. In columns with more, few texts repeat. */
const DICTIONARY_BYTES = 64 * 1024;

export function createValues(type: Type): Values {
  switch (type) {
    case 'text':
      return new Texts();
    case 'boolean':
      return new Bits();
    case 'double':
      return numbers((out, value) => out.double(value));
    case 'int32':
    case 'day':
      return numbers((out, value) => out.int32(value));
    default:
      return numbers((out, value) => out.int64(value));
  }
}

function numbers(write: (out: Bytes, value: number) => void): Values {
  const out = new Bytes();
  return {
    get size() {
      return out.length;
    },
    add: (value) => write(out, value as number),
    dictionary: () => null,
    content: () => out.view(),
  };
}

/** One bit each, the lowest first. */
class Bits implements Values {
  readonly #out = new Bytes();
  #bits = 0;
  #count = 0;

  get size(): number {
    return this.#out.length;
  }

  add(value: Value): void {
    if (value) this.#bits |= 1 << this.#count;
    this.#count += 1;
    if (this.#count === 8) this.#flush();
  }

  dictionary(): null {
    return null;
  }

  content(): Buffer {
    if (this.#count > 0) this.#flush();
    return this.#out.view();
  }

  #flush(): void {
    this.#out.byte(this.#bits);
    [this.#bits, this.#count] = [0, 0];
  }
}

/** Different texts are written once, unless they turn out to be too many. */
class Texts implements Values {
  /** Place of each text in the dictionary; null once all are written out. */
  #places: Map<string, number> | null = new Map();
  #dictionary = new Bytes();
  /** Where the texts of the dictionary begin. */
  #starts: number[] = [];
  /** Places in the dictionary, or the texts. */
  #out = new Bytes();

  get size(): number {
    return this.#out.length + this.#dictionary.length;
  }

  add(value: Value): void {
    const text = value as string;
    if (this.#places) this.#refer(this.#places, text);
    else this.#out.text(text);
  }

  dictionary(): { bytes: Buffer; count: number } | null {
    return this.#places && { bytes: this.#dictionary.view(), count: this.#starts.length };
  }

  content(): Places | Buffer {
    const bytes = this.#out.view();
    if (!this.#places) return bytes;
    return { places: new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2) };
  }

  #refer(places: Map<string, number>, text: string): void {
    const place = places.get(text);
    if (place !== undefined) {
      this.#out.uint16(place);
      return;
    }
    if (this.#dictionary.length + 4 + Buffer.byteLength(text) > DICTIONARY_BYTES) {
      this.#writeOut();
      this.#out.text(text);
      return;
    }
    // A copy, as the text may be a part of a longer one, which would be kept too.
    places.set(Buffer.from(text).toString(), this.#starts.length);
    this.#out.uint16(this.#starts.length);
    this.#starts.push(this.#dictionary.length);
    this.#dictionary.text(text);
  }

  #writeOut(): void {
    const { places } = this.content() as Places;
    const [known, starts] = [this.#dictionary.view(), this.#starts];
    const out = new Bytes();
    for (const place of places) out.append(known.subarray(starts[place], starts[place + 1]));
    [this.#places, this.#out, this.#dictionary, this.#starts] = [null, out, new Bytes(), []];
  }
}
