/** An item as far as pasting needs to know it. */
interface Named {
  name: string;
  /** Whether it has more than a name. */
  isFilled?: boolean;
}

interface PastedInto {
  items: readonly Named[];
  /** Of the item whose name is pasted into. */
  index: number;
  /** The word for an item: `Option`. */
  word: string;
  /** Most items. */
  most: number;
}

interface Pasted {
  /** Of the new items. */
  names: string[];
  /** Indexes of the items they replace. */
  dropped: ReadonlySet<number>;
}

/** The lines of a text that are not blank. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** What becomes of several lines that are pasted into the name of an item; null when none fits any more. */
export function pastedItems(
  lines: readonly string[],
  { value, selectionStart, selectionEnd }: HTMLInputElement,
  { items, index, word, most }: PastedInto,
): Pasted | null {
  const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
  const isReplaced = from < to || value === '';
  // Items with default names are replaced.
  const dropped = new Set(
    items.flatMap(({ name, isFilled }, at) =>
      (at === index && isReplaced) || (name === `${word} ${at + 1}` && !isFilled) ? [at] : [],
    ),
  );
  // Beyond the limit the last pasted lines are dropped.
  const fitting = lines.slice(0, Math.max(0, most - (items.length - dropped.size)));
  if (fitting.length === 0) return null;
  // As in any text, the text before and after a replaced selection stays.
  const names = isReplaced
    ? fitting.map((line, at) =>
        [at === 0 && value.slice(0, from), line, at === fitting.length - 1 && value.slice(to)]
          .filter(Boolean)
          .join(''),
      )
    : fitting;
  return { names, dropped };
}
