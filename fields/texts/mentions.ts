import { textOf } from '../as-text/text-of.ts';
import { isBlank } from '../block-options/options.ts';
import type { Answers, JsonValue } from '../property.ts';

/** Stops at the next angle bracket, so a hostile text takes linear time. */
const SPAN = /<span\b([^<>]*)>[^<>]*<\/span>/g;
/** The look-behind prevents matching a long word again from each of its letters. */
const ATTRIBUTE = /(?<![a-z-])([a-z-]+)="([^"]*)"/g;

/** A mention of an answer in a text. */
interface Mention {
  fieldId: string;
  /** Shown if there is no answer. */
  fallback: string;
}

type Part = string | Mention;

/** Reads the mentioned answer; undefined if there is none. */
export type ReadAnswer = (answers: Answers) => JsonValue | undefined;

/**
 * Compiles a condition's value in which `<span mention mention-field-id="…" mention-fallback="…">…</span>` stands for another
 * field's answer. Null for a value without mentions. A value that is a single mention becomes the answer itself (a number stays a
 * number); mentions inside a text become text.
 */
export function compileMentions(
  value: JsonValue,
  readerOf: (fieldId: string) => ReadAnswer,
): ((answers: Answers) => JsonValue) | null {
  if (typeof value !== 'string' || !value.includes('mention-field-id')) return null;
  const parts = splitMentions(value).map((part) =>
    typeof part === 'string' ? part : { ...part, read: readerOf(part.fieldId) },
  );
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'object') return (answers) => resolve(only, answers);
  if (parts.every((part) => typeof part === 'string')) return null;
  return (answers) =>
    parts.map((part) => (typeof part === 'string' ? part : textOf(resolve(part, answers)))).join('');
}

/** A text with every mention replaced by the result of `write`, which escapes for the text's use. */
export function replaceMentions(text: string, write: (mention: Mention) => string): string {
  if (!text.includes('mention-field-id')) return text;
  return splitMentions(text)
    .map((part) =>
      typeof part === 'string'
        ? part
        : write({ fieldId: decoded(part.fieldId), fallback: decoded(part.fallback) }),
    )
    .join('');
}

/**
 * A text with every mention replaced by `write` of the answer's text, or of the fallback if there is no answer. `write` escapes
 * for the text's use. `answerText` is called once per field, because reading a long answer takes time and a text may mention it
 * often.
 */
export function fillMentions(
  text: string,
  answerText: (fieldId: string) => string | null,
  write: (text: string) => string,
): string {
  const texts = new Map<string, string | null>();
  return replaceMentions(text, ({ fieldId, fallback }) => {
    if (!texts.has(fieldId)) texts.set(fieldId, answerText(fieldId));
    return write(texts.get(fieldId) ?? fallback);
  });
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** An attribute's value with its entities decoded. */
function decoded(attribute: string): string {
  return attribute.replace(/&(amp|lt|gt|quot|#39);/g, (_entity, name: string) => ENTITIES[name] ?? '');
}

/** The id of the field that a value mentions, if it is exactly one mention and nothing else; null otherwise. */
export function onlyMention(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const parts = splitMentions(value.trim());
  const [only] = parts;
  return parts.length === 1 && typeof only === 'object' ? decoded(only.fieldId) : null;
}

function splitMentions(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const span of text.matchAll(SPAN)) {
    const attributes = new Map(
      [...(span[1] ?? '').matchAll(ATTRIBUTE)].map(([, key, value]) => [key, value]),
    );
    const fieldId = attributes.get('mention-field-id');
    if (fieldId === undefined) continue;
    if (span.index > end) parts.push(text.slice(end, span.index));
    parts.push({ fieldId, fallback: attributes.get('mention-fallback') ?? '' });
    end = span.index + span[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

function resolve({ read, fallback }: { read: ReadAnswer; fallback: string }, answers: Answers): JsonValue {
  const answer = read(answers);
  return answer === undefined || isBlank(answer) ? fallback : answer;
}
