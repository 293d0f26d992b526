import type { PayloadHalves } from '../deliveries/payload.ts';
import type { AnswerLine } from '../mail/answer-lines.ts';

/** What is said of a submission, not yet in the shape of a product. */
export interface ChatMessage {
  /** One line of plain text: the owner's words, with answers in them. */
  text: string;
  /** What `pieces` made of the answers, as many as there is room for. */
  pieces: readonly string[];
  /** Not everything that was answered is in them. */
  isShortened: boolean;
  /** Where the response is, but for its number, which comes last. */
  linkStart: string;
  isRightToLeft: boolean;
}

/** A chat that takes messages by webhook. Whatever respondents wrote is shown there as they typed it, and does nothing. */
export interface ChatProduct {
  /** Characters (code points) of one answer. */
  maxAnswer: number;
  /** What all pieces may weigh together. */
  room: number;
  /** In the unit that the product counts in. */
  weigh(piece: string): number;
  /** An answer as it is written there: what stands or falls together. */
  pieces(line: AnswerLine): string[];
  write(message: ChatMessage): PayloadHalves;
}

/** Pieces of one message: Google Chat shows a hundred parts of a card. */
export const MAX_PIECES = 90;

/** Has no width, and keeps what stands around it from being read as one. */
export const APART = '\u200b';

export const OPEN_RESPONSE = 'Open the response';
export const SHORTENED = 'Shortened: everything is in the response.';

export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
