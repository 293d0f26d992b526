import type { PayloadHalves } from '../deliveries/payload.ts';
import type { AnswerLine } from '../mail/answer-lines.ts';

/** The content of a message about a submission, in no product's format yet. */
interface ChatMessage {
  /** One line of plain text: the owner's words with answers filled in. */
  text: string;
  /** The answers as made by `pieces`, as many as fit. */
  pieces: readonly string[];
  /** Some of the answers are missing or shortened. */
  isShortened: boolean;
  /** Address of the response without its number, which follows. */
  linkStart: string;
  isRightToLeft: boolean;
}

/** A chat that takes messages by webhook. It has to show what respondents wrote as they typed it, without any effect. */
export interface ChatProduct {
  /** Characters (code points) of one answer. */
  maxAnswer: number;
  /** Maximum weight of all pieces together. */
  room: number;
  /** The weight in the unit that the product counts in. */
  weigh(piece: string): number;
  /** An answer in the product's format, as pieces that cannot be cut. */
  pieces(line: AnswerLine): string[];
  write(message: ChatMessage): PayloadHalves;
}

/** Pieces of one message: Google Chat shows a hundred parts of a card. */
export const MAX_PIECES = 90;

/** A character without width that keeps its neighbours from being read as one mark. */
export const APART = '\u200b';

export const OPEN_RESPONSE = 'Open the response';
export const SHORTENED = 'Shortened: everything is in the response.';

export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
