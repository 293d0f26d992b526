import { usualEncoding } from './encodings.ts';

/** A file as text. */
export interface DecodedText {
  text: string;
  /** Number of unreadable characters, each shown as U+FFFD. */
  lost: number;
  /** The assumed encoding; null for Unicode. */
  encoding: string | null;
}

/**
 * A file counts as damaged UTF-8 if so many characters are valid for each invalid byte; in other encodings hardly any beyond
 * ASCII are.
 */
const KNOWN_PER_LOST = 3;
const LOST = 0xfffd;
const LAST_ASCII = 0x7f;

/** Decodes text by its byte order mark or as UTF-8; otherwise in the encoding of Windows and Excel for the reader's language. */
export function decodeText(bytes: Uint8Array): string {
  return decodeDamaged(bytes).text;
}

/**
 * Decodes text and counts unreadable characters: a few damaged bytes do not rule out UTF-8.
 * @param chosen the encoding, if it is not Unicode
 */
export function decodeDamaged(
  bytes: Uint8Array,
  chosen: string = usualEncoding(navigator.language),
): DecodedText {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (second === 0 && first !== 0)) return unicode(bytes, 'utf-16le');
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return unicode(bytes, 'utf-16be');
  const decoded = unicode(bytes, 'utf-8');
  if (decoded.lost === 0 || beyondAscii(decoded.text).known >= KNOWN_PER_LOST * decoded.lost) return decoded;
  const text = new TextDecoder(chosen).decode(bytes);
  return { text, lost: beyondAscii(text).lost, encoding: chosen };
}

function unicode(bytes: Uint8Array, encoding: 'utf-8' | 'utf-16le' | 'utf-16be'): DecodedText {
  try {
    // A file may have U+FFFD as a character, which is not lost.
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), lost: 0, encoding: null };
  } catch {
    const text = new TextDecoder(encoding).decode(bytes);
    return { text, lost: beyondAscii(text).lost, encoding: null };
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
