/**
 * Reads lists of known names from texts. Names may hold what stands between the items: the longest that fits is taken, so
 * that the rest can be read too. Letter case counts only where names differ by nothing else.
 * @param separator a sticky pattern
 * @returns null for a text that holds anything else
 */
export function compileItems(names: readonly string[], separator: RegExp): (text: string) => string[] | null {
  const find = compileName(names);
  const between = new RegExp(separator.source, 'g');
  const isSplit = names.every((name) => name.search(between) < 0);
  const lengths = [...new Set(names.map(({ length }) => length))].sort((one, other) => other - one);
  return (text) => {
    if (!isSplit) return readWhole(text, lengths, find, separator);
    const items = text.split(between).map(find);
    return items.every((item) => item !== undefined) ? items : null;
  };
}

/** Finds one of these names: as it is written, or in other letter case where that is one alone. */
export function compileName(names: readonly string[]): (text: string) => string | undefined {
  const exact = new Set(names);
  const folded = Map.groupBy(exact, fold);
  return (text) => {
    if (exact.has(text)) return text;
    const [found, another] = folded.get(fold(text)) ?? [];
    return another === undefined ? found : undefined;
  };
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}

/** From the end on: what begins at each place, where all behind it can be read. */
function readWhole(
  text: string,
  longestFirst: readonly number[],
  find: (text: string) => string | undefined,
  separator: RegExp,
): string[] | null {
  const beginning: (string | undefined)[] = [];
  for (let at = text.length - 1; at >= 0; at--) {
    for (const length of longestFirst) {
      const name = find(text.slice(at, at + length));
      if (name?.length !== length) continue;
      const next = nextItem(text, at + length, separator);
      if (next !== text.length && beginning[next] === undefined) continue;
      beginning[at] = name;
      break;
    }
  }
  const items: string[] = [];
  for (let at = 0; at < text.length; ) {
    const name = beginning[at];
    if (name === undefined) return null;
    items.push(name);
    at = nextItem(text, at + name.length, separator);
  }
  return items;
}

/** Where the item behind one that ends here begins; -1 where none does. */
function nextItem(text: string, end: number, separator: RegExp): number {
  if (end >= text.length) return text.length;
  separator.lastIndex = end;
  return separator.test(text) ? separator.lastIndex : -1;
}
