/**
 * A signature tells which texts cannot be in the answers of a block of submissions. Each piece of four characters (UTF-16 units)
 * sets one bit; each piece of three sets two, as it occurs more often by chance. The bits of a text are set wherever it occurs, so
 * nothing is ever missed. They may also be set where it does not, so the answers are then searched exactly.
 */

/** Four rows of `search_blocks` fill a page of the database: 8 kB. */
const SIGNATURE_BYTES = 1_980;
const BITS = SIGNATURE_BYTES * 8;
/** Bits set at which a block is full: with more a signature rules out too little. */
const MAX_BITS_SET = Math.floor(0.5 * BITS);
/** Submissions per block: with more, a word in one of them makes too many be read. */
const MAX_SUBMISSIONS = 128;
/** Bits looked at for one text: more would hardly rule out more. */
const MAX_BITS_ASKED = 32;
/** Stands between two answers of a submission; pieces that contain it are left out. */
export const SEPARATOR = '\u0001';
const SEPARATOR_CODE = SEPARATOR.charCodeAt(0);

/** The answers of a submission in lower case, as the database folds them, joined by `SEPARATOR`. */
export interface FoldedSubmission {
  id: number;
  text: string;
}

interface Block {
  firstId: number;
  lastId: number;
  signature: Buffer;
}

/**
 * Divides submissions, sorted by id, into full blocks. Those left at the end, which do not fill one, are left out.
 * @param enough so many submissions make a full block, whatever their texts
 */
export function fillBlocks(submissions: readonly FoldedSubmission[], enough = MAX_SUBMISSIONS): Block[] {
  const blocks: Block[] = [];
  let start = 0;
  let filling = startSignature();
  for (const [index, { id, text }] of submissions.entries()) {
    filling.add(text);
    if (!filling.isFull() && index - start + 1 < enough) continue;
    blocks.push({ firstId: submissions[start]?.id ?? id, lastId: id, signature: filling.signature });
    start = index + 1;
    filling = startSignature();
  }
  return blocks;
}

/** The signature of these texts, however many bits they set. */
export function signatureOf(texts: readonly string[]): Buffer {
  const filling = startSignature();
  for (const text of texts) filling.add(text);
  return filling.signature;
}

function startSignature() {
  const signature = Buffer.alloc(SIGNATURE_BYTES);
  let bitsSet = 0;
  return {
    signature,
    isFull: () => bitsSet >= MAX_BITS_SET,
    add(text: string): void {
      eachPiece(text, (bit) => {
        const [at, mask] = [bit >>> 3, 1 << (bit & 7)];
        const byte = signature[at] ?? 0;
        if ((byte & mask) !== 0) return;
        signature[at] = byte | mask;
        bitsSet += 1;
      });
    },
  };
}

/**
 * Bits (as `get_bit` counts them) that are set in the signature of every block with this text.
 * @param text in lower case, as the database folds it
 * @returns empty for a text of less than three characters
 */
export function bitsOfText(text: string): number[] {
  const bits = new Set<number>();
  eachPiece(text, (bit) => bits.add(bit));
  const all = [...bits];
  const step = Math.max(1, all.length / MAX_BITS_ASKED);
  return Array.from(
    { length: Math.min(all.length, MAX_BITS_ASKED) },
    (_, index) => all[Math.floor(index * step)] ?? 0,
  );
}

/** Calls `see` with the bit of each piece. */
function eachPiece(text: string, see: (bit: number) => void): void {
  // The last three characters since the start or a separator; 0 stands for none, as it is no character in PostgreSQL.
  let [third, second, first] = [0, 0, 0];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === SEPARATOR_CODE) {
      [third, second, first] = [0, 0, 0];
      continue;
    }
    if (second !== 0) {
      const three = mix(mix(mix(0x9e37_79b9, second), first), code);
      see((three >>> 0) % BITS);
      see((mix(three, 0x27d4_eb2f) >>> 0) % BITS);
      if (third !== 0) see((mix(three ^ 0x5bd1_e995, third) >>> 0) % BITS);
    }
    third = second;
    second = first;
    first = code;
  }
}

/** One step of a hash over UTF-16 units. A change makes every stored signature wrong, so a migration must empty the table then. */
function mix(hash: number, code: number): number {
  const product = Math.imul(hash ^ code, 0x85eb_ca6b);
  return Math.imul(product ^ (product >>> 15), 0xc2b2_ae35) ^ (product >>> 13);
}
