// A mention stands in a text for a field's answer: `<span mention="true" mention-field-id="…" mention-fallback="…">Name</span>`.

const SPAN = /<span\b([^<>]*\bmention-field-id="[^"]*"[^<>]*)>([^<>]*)<\/span>/g;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const CHARACTERS = Object.fromEntries(
  Object.entries(ENTITIES).map(([character, entity]) => [entity, character]),
);

interface Mention {
  fieldId: string;
  /** Written if there is no answer. */
  fallback: string;
  /** Name of the field when it was mentioned. */
  name: string;
}

/** The stored markup of a mention. */
export function mentionMarkup({ fieldId, fallback, name }: Mention): string {
  const [id, text, words] = [fieldId, fallback, name].map(escaped);
  return `<span mention="true" mention-field-id="${id}" mention-fallback="${text}">${words}</span>`;
}

/** Splits a text into words and mentions, in order. */
export function splitMentions(text: string): (string | Mention)[] {
  const parts: (string | Mention)[] = [];
  let end = 0;
  for (const { index, 0: span, 1: attributes = '', 2: words = '' } of text.matchAll(SPAN)) {
    if (index > end) parts.push(text.slice(end, index));
    parts.push({
      fieldId: attributeOf(attributes, 'mention-field-id'),
      fallback: attributeOf(attributes, 'mention-fallback'),
      name: unescaped(words),
    });
    end = index + span.length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** The mentions in a text, each field once. */
export function mentionsIn(text: string): Mention[] {
  const all = splitMentions(text).filter((part) => typeof part !== 'string');
  return all.filter(({ fieldId }, index) => all.findIndex((one) => one.fieldId === fieldId) === index);
}

/** Changes the fallback of every mention of a field. */
export function withFallback(text: string, fieldId: string, fallback: string): string {
  return splitMentions(text)
    .map((part) => {
      if (typeof part === 'string') return part;
      return mentionMarkup(part.fieldId === fieldId ? { ...part, fallback } : part);
    })
    .join('');
}

function attributeOf(attributes: string, name: string): string {
  const [, value = ''] = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes) ?? [];
  return unescaped(value);
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}

function unescaped(markup: string): string {
  return markup.replace(/&(?:amp|lt|gt|quot);/g, (entity) => CHARACTERS[entity] ?? entity);
}
