import { plainText } from '../../../fields/texts/plain-text.ts';
import { asName, mapWords, type Words } from '../words.ts';

/** Mentions of earlier answers, as `cleanWords` leaves them. */
export const LIME_PIPE = /\{([A-Za-z]\w*)\}/g;

/** Expressions begin right after their brace; other braces are text. */
const EXPRESSION = /\{(?!\s)((?:[^{}"']|"[^"]*"|'[^']*')*)\}/g;
const VARIABLE = /^(?:INSERTANS:)?(\w+)(?:\.(?:shown|NAOK|value|valueNAOK|code))?$/;
const SCRIPT = /<(script|style)\b[^<>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const SCRIPTED = /<(?:script|style)\b/i;
const MEDIA = /<(?:img|video|audio|iframe|object|embed)\b[^<>]*>/i;
const TAG = /<\/?[a-z][^<>]*>/i;
const ENTITY = /&(?:#\d+|#x[0-9a-f]+|[a-z]+);/i;

/** Most expressions that one note tells. */
const MAX_TOLD = 5;

interface Cleaning {
  /** The name of a question that texts can mention, by its name in expressions; undefined if there is none. */
  mentionable(name: string): string | undefined;
  note(text: string): void;
}

/** Texts without scripts, and with expressions only where they mention an answer. */
export function cleanWords(words: Words, { mentionable, note }: Cleaning): Words {
  const lost = new Set<string>();
  const cleaned = mapWords(words, (text) => {
    const said = withoutScripts(text).replace(EXPRESSION, (all, inner: string) => {
      const variable = VARIABLE.exec(plainText(inner).trim())?.[1];
      const name = variable === undefined ? undefined : mentionable(variable);
      if (name !== undefined) return `{${name}}`;
      lost.add(plainText(all));
      return '…';
    });
    // Texts are HTML, even without a tag.
    return ENTITY.test(said) && !TAG.test(said) ? `<span>${said}</span>` : said;
  });
  if (SCRIPTED.test(words.text)) note('Scripts and styles in its texts are left out.');
  const [told, more] = [[...lost].slice(0, MAX_TOLD), lost.size - MAX_TOLD];
  if (lost.size > 0)
    note(
      `What was written into its text is left out: ${told.join(' ')}${more > 0 ? ` and ${more} more` : ''}`,
    );
  return cleaned;
}

/** A text in one line, with dots for its expressions. */
export function shortText({ text }: Words): string {
  return asName(withoutScripts(text).replace(EXPRESSION, '…'));
}

function withoutScripts(text: string): string {
  return text.replace(SCRIPT, '').replace(COMMENT, '');
}

/** Whether a text shows pictures or films, which names cannot. */
export function hasMedia({ text }: Words): boolean {
  return MEDIA.test(text);
}

/** The expression that a text consists of; undefined if there is more in it, or less. */
export function onlyExpression(text: string): string | undefined {
  const plain = plainText(text).trim();
  const inner = /^\{([\s\S]*)\}$/.exec(plain)?.[1];
  return inner === undefined || /^\s|\}[^}]*\{/.test(inner) ? undefined : inner;
}
