import type { JsonObject } from '../../../fields/property.ts';
import { escapeHtml } from '../../../fields/texts/escape-html.ts';
import { addressOf, listOf, objectOf, textOf } from '../json.ts';

/** The text of a block, as HTML. */
export function htmlOf({ payload }: JsonObject): string {
  const { html, safeHTMLSchema, text } = objectOf(payload);
  return textOf(html) || piecesOf(listOf(safeHTMLSchema)).trim() || textOf(text);
}

/** The parts of a text such as `["words", [["href", "https://…"], ["font-weight", "bold"]]]`, in order. */
function piecesOf(pieces: readonly unknown[]): string {
  const read = pieces.map((piece) => {
    const [words, looks] = Array.isArray(piece) ? piece : [piece];
    return { words: typeof words === 'string' ? words : '', looks: new Map(pairsIn(looks)) };
  });
  const tags = read.map(({ looks }) => tagsOf(looks));
  if (tags.every((some) => some.length === 0)) return read.map(({ words }) => words).join('');
  return read
    .map(({ words }, at) => {
      const around = tags[at] ?? [];
      const close = around.map(([name]) => `</${name}>`).reverse();
      return [...around.map(([, tag]) => tag), escapeHtml(words), ...close].join('');
    })
    .join('');
}

function pairsIn(looks: unknown): [string, string][] {
  return listOf(looks).flatMap((look) =>
    Array.isArray(look) && typeof look[0] === 'string' && typeof look[1] === 'string'
      ? [[look[0], look[1]]]
      : [],
  );
}

function tagsOf(looks: ReadonlyMap<string, string>): [name: string, tag: string][] {
  const address = addressOf(looks.get('href'));
  return [
    ...(address === undefined ? [] : [['a', `<a href="${escapeHtml(address)}">`] as [string, string]]),
    ...(looks.get('font-weight') === 'bold' ? [['strong', '<strong>'] as [string, string]] : []),
    ...(looks.get('font-style') === 'italic' ? [['em', '<em>'] as [string, string]] : []),
  ];
}
