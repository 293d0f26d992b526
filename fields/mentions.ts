import { isBlank } from './options.ts';
import type { Answers, JsonValue } from './property.ts';
import { textOf } from './text-of.ts';

/** Stops at the next angle bracket, so a hostile text costs linear time. */
const SPAN = /<span\b([^<>]*)>[^<>]*<\/span>/g;
/** The look-behind keeps a long word from being read again from each of its letters. */
const ATTRIBUTE = /(?<![a-z-])([a-z-]+)="([^"]*)"/g;

/** Where a text speaks of an answer. */
export interface Mention {
  fieldId: string;
  /** Stands where there is no answer. */
  fallback: string;
}

type Part = string | Mention;

/** Reads what stands for a mention; undefined where nothing was answered. */
export type ReadAnswer = (answers: Answers) => JsonValue | undefined;

/**
 * Reads a condition value in which `<span mention mention-field-id="…" mention-fallback="…">…</span>` stands for
 * another field's answer. Null for a value without mentions. A value that is nothing but one mention resolves to the
 * answer itself (a number stays a number); mentions inside a text resolve to text.
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

/** A text with every mention replaced by what `write` makes of it: for where the text goes to. */
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
 * A text with every mention replaced by what `write` makes of the answer's text, or of the fallback where there is no
 * answer. `write` escapes for where the text goes to. `answerText` is asked once per field: a text may mention one many
 * times, and to read a long answer takes time.
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

/** The value of an attribute as it was meant: what cannot stand in one is written with entities. */
function decoded(attribute: string): string {
  return attribute.replace(/&(amp|lt|gt|quot|#39);/g, (_entity, name: string) => ENTITIES[name] ?? '');
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
