import type { Bytes } from './bytes.ts';

/** A value of Thrift's compact protocol (github.com/apache/thrift, doc/specs/thrift-compact-protocol.md). */
export interface Value {
  /** Code of its type. */
  code: number;
  write(out: Bytes): void;
}

const [TRUE, FALSE, I32, I64, BINARY, LIST, STRUCT] = [1, 2, 5, 6, 8, 9, 12];
const END_OF_STRUCT = 0;
/** Sizes of lists from this on follow their first byte. */
const LONG_LIST = 15;

export function int32(value: number): Value {
  return { code: I32, write: (out) => out.varint(zigzag(value)) };
}

export function int64(value: number): Value {
  return { code: I64, write: (out) => out.varint(zigzag(value)) };
}

export function text(value: string): Value {
  const bytes = Buffer.from(value);
  return {
    code: BINARY,
    write(out) {
      out.varint(bytes.length);
      out.append(bytes);
    },
  };
}

/** A struct that is written already. */
export function written(bytes: Buffer): Value {
  return { code: STRUCT, write: (out) => out.append(bytes) };
}

/** Only as a member of a struct, where the type says it all. */
export function flag(value: boolean): Value {
  return { code: value ? TRUE : FALSE, write() {} };
}

/** @param items of the same type */
export function list(items: readonly Value[]): Value {
  return {
    code: LIST,
    write(out) {
      const code = items[0]?.code ?? STRUCT;
      out.byte((Math.min(LONG_LIST, items.length) << 4) | code);
      if (items.length >= LONG_LIST) out.varint(items.length);
      for (const item of items) item.write(out);
    },
  };
}

/** @param members by their numbers in the definition, which go from 1 to 15 */
export function struct(members: Record<number, Value | undefined>): Value {
  return {
    code: STRUCT,
    write(out) {
      let last = 0;
      for (const [key, member] of Object.entries(members)) {
        if (!member) continue;
        const number = Number(key);
        out.byte(((number - last) << 4) | member.code);
        member.write(out);
        last = number;
      }
      out.byte(END_OF_STRUCT);
    },
  };
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}
