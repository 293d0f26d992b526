import { usualEncoding } from './encodings.ts';

/** A file as text. */
export interface DecodedText {
  text: string;
  /** Characters that could not be read: a mark (U+FFFD) stands for each. */
  lost: number;
  /** What it was taken for, where it does not show it itself; null for Unicode. */
  encoding: string | null;
}

/** So many that can be read for each that cannot show UTF-8; in other encodings hardly any character beyond ASCII can. */
const KNOWN_PER_LOST = 3;
const LOST = 0xfffd;
const LAST_ASCII = 0x7f;

/** Text in the encoding that a file shows; what is no UTF-8 is what Windows and Excel write where the reader is at home. */
export function decodeText(bytes: Uint8Array): string {
  return decodeDamaged(bytes).text;
}

/**
 * The same, telling what is lost: a few bytes that somebody damaged make a file in UTF-8 no other.
 * @param chosen what one that is no Unicode is in
 */
export function decodeDamaged(
  bytes: Uint8Array,
  chosen: string = usualEncoding(navigator.language),
): DecodedText {
  const [first, second] = bytes;
  const whole = (encoding: string) => ({
    text: new TextDecoder(encoding).decode(bytes),
    lost: 0,
    encoding: null,
  });
  if ((first === 0xff && second === 0xfe) || (second === 0 && first !== 0)) return whole('utf-16le');
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return whole('utf-16be');
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), lost: 0, encoding: null };
  } catch {
    const text = new TextDecoder('utf-8').decode(bytes);
    const { lost, known } = beyondAscii(text);
    if (known >= KNOWN_PER_LOST * lost) return { text, lost, encoding: null };
    const other = new TextDecoder(chosen).decode(bytes);
    return { text: other, lost: beyondAscii(other).lost, encoding: chosen };
  }
}

function beyondAscii(text: string): { lost: number; known: number } {
  let [lost, known] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LOST) lost += 1;
    else if (code > LAST_ASCII) known += 1;
  }
  return { lost, known };
}
