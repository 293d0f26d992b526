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

/** Between items of which some are unknown: what stands behind a comma alone may be a name's. */
const BETWEEN_MIXED = /,\s+|;\s*|\n/g;
/** No name that somebody typed is likely to hold one. */
const BETWEEN_SURELY = /;\s*|\n/g;

/**
 * Reads lists of known names and others. A known name is taken whole, the longest first, whatever it holds. Where `;` or a line
 * stands between items, a comma stands within one.
 * @param isFree others are items of their own, in whatever letters
 */
export function compileMixedItems(names: readonly string[], isFree: boolean): (text: string) => string[] {
  const exact = new Set(names);
  const find = isFree ? (text: string) => (exact.has(text) ? text : undefined) : compileName(names);
  const lengths = [...new Set(names.map(({ length }) => length))].sort((one, other) => other - one);
  return (text) => {
    const mixed = splitAround(text, lengths, find, BETWEEN_MIXED);
    const { items } = mixed.separators.some((separator) => !separator.startsWith(','))
      ? splitAround(text, lengths, find, BETWEEN_SURELY)
      : mixed;
    return items.filter((item) => item.trim() !== '');
  };
}

function splitAround(
  text: string,
  longestFirst: readonly number[],
  find: (text: string) => string | undefined,
  between: RegExp,
): { items: string[]; separators: string[] } {
  const items: string[] = [];
  const separators: string[] = [];
  const separatorFrom = (at: number) => {
    between.lastIndex = at;
    return between.exec(text);
  };
  for (let at = 0; at < text.length; ) {
    let separator = separatorFrom(at);
    let item = text.slice(at, separator?.index);
    for (const length of longestFirst) {
      const name = find(text.slice(at, at + length));
      const next = name?.length === length ? separatorFrom(at + length) : undefined;
      if (name === undefined || next === undefined) continue;
      if (next ? next.index !== at + length : at + length < text.length) continue;
      [item, separator] = [name, next];
      break;
    }
    items.push(item);
    if (!separator) break;
    separators.push(separator[0]);
    at = separator.index + separator[0].length;
  }
  return { items, separators };
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
