/**
 * Reads lists of known names. Names may contain separators: the longest name that lets the rest be read is taken. Letter case
 * counts only where names differ in nothing else.
 * @param separator a sticky pattern
 * @returns the function; it returns null for a text with anything but known names
 */
export function compileItems(names: readonly string[], separator: RegExp): (text: string) => string[] | null {
  const known = knownNames(names);
  // Matches only from the first of several blanks, because trying from each would be slow.
  const between = new RegExp(`(?<!\\s)${separator.source}`);
  const isSplit = names.every((name) => name.search(separator.source) < 0);
  return (text) => {
    if (!isSplit) return readWhole(text, known, separator);
    const items = text.split(between).map(known.find);
    return items.every((item) => item !== undefined) ? items : null;
  };
}

/** Separators where some items are unknown: a comma without a blank may be part of a name. */
const BETWEEN_MIXED = /,\s+|;\s*|\n/g;
/** Separators that a typed name is unlikely to contain. */
const BETWEEN_SURELY = /;\s*|\n/g;

/**
 * Reads lists of known names and other texts. The longest known name that fits is taken whole, whatever it contains. If `;` or a
 * line break separates items, commas belong to items.
 * @param isFree whether other texts are items of their own, so that letter case counts
 */
export function compileMixedItems(names: readonly string[], isFree: boolean): (text: string) => string[] {
  const known = knownNames(names, isFree);
  return (text) => {
    const mixed = splitAround(text, known, BETWEEN_MIXED);
    const { items } = mixed.separators.some((separator) => !separator.startsWith(','))
      ? splitAround(text, known, BETWEEN_SURELY)
      : mixed;
    return items.filter((item) => item.trim() !== '');
  };
}

/**
 * Reads lists of known names and other texts with one separator. The longest known name that fits is taken whole.
 * @param between a global pattern
 * @param isFree whether letter case counts
 */
export function compileItemsBetween(
  names: readonly string[],
  between: RegExp,
  isFree = false,
): (text: string) => string[] {
  const known = knownNames(names, isFree);
  return (text) => splitAround(text, known, between).items;
}

function splitAround(
  text: string,
  known: KnownNames,
  between: RegExp,
): { items: string[]; separators: string[] } {
  const items: string[] = [];
  const separators: string[] = [];
  const separatorFrom = (at: number) => {
    between.lastIndex = at;
    return between.exec(text);
  };
  for (let at = 0; at < text.length; ) {
    const name = longestAt(
      text,
      at,
      known,
      (end) => end === text.length || separatorFrom(end)?.index === end,
    );
    const separator = separatorFrom(at + (name?.length ?? 0));
    const item = name ?? text.slice(at, separator?.index);
    items.push(known.find(item.trim()) ?? item);
    if (!separator) break;
    separators.push(separator[0]);
    at = separator.index + separator[0].length;
  }
  return { items, separators };
}

interface KnownNames {
  find(text: string): string | undefined;
  /** Lengths of the names by their first character, longest first, so that few places need a closer look. */
  lengths: ReadonlyMap<string, readonly number[]>;
}

/** @param isExact whether letter case counts */
function knownNames(names: readonly string[], isExact = false): KnownNames {
  return { find: isExact ? compileExactName(names) : compileName(names), lengths: lengthsByStart(names) };
}

/** The longest name that begins at this place and may end where it does. */
function longestAt(
  text: string,
  at: number,
  { find, lengths }: KnownNames,
  mayEnd: (end: number) => boolean,
): string | undefined {
  for (const length of lengths.get(text.charAt(at).toLowerCase()) ?? []) {
    const name = find(text.slice(at, at + length));
    if (name?.length === length && mayEnd(at + length)) return name;
  }
  return undefined;
}

function lengthsByStart(names: readonly string[]): KnownNames['lengths'] {
  const lengths = new Map<string, number[]>();
  for (const [start, some] of Map.groupBy(names, (name) => name.charAt(0).toLowerCase()))
    lengths.set(
      start,
      [...new Set(some.map(({ length }) => length))].sort((one, other) => other - one),
    );
  return lengths;
}

/** Finds a name as written, or in another letter case if only one name fits. */
export function compileName(names: readonly string[]): (text: string) => string | undefined {
  const exact = new Set(names);
  const folded = Map.groupBy(exact, fold);
  return (text) => {
    if (exact.has(text)) return text;
    const [found, another] = folded.get(fold(text)) ?? [];
    return another === undefined ? found : undefined;
  };
}

function compileExactName(names: readonly string[]): (text: string) => string | undefined {
  const exact = new Set(names);
  return (text) => (exact.has(text) ? text : undefined);
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}

/** Matches separators without the white space before them, because only their end matters. */
function gapsOf({ source }: RegExp): RegExp {
  return new RegExp(source.replace(/^\\s\*/, ''), 'g');
}

/** Works from the end: for each place it finds the name that begins there and after which the rest can be read. */
function readWhole(text: string, known: KnownNames, separator: RegExp): string[] | null {
  const beginning: (string | undefined)[] = [];
  // The only places where items can begin.
  const gaps = [...text.matchAll(gapsOf(separator))];
  const starts = [0, ...gaps.map(({ index, 0: gap }) => index + gap.length)];
  for (const at of starts.reverse())
    beginning[at] = longestAt(text, at, known, (end) => {
      const next = nextItem(text, end, separator);
      return next === text.length || beginning[next] !== undefined;
    });
  const items: string[] = [];
  for (let at = 0; at < text.length; ) {
    const name = beginning[at];
    if (name === undefined) return null;
    items.push(name);
    at = nextItem(text, at + name.length, separator);
  }
  return items;
}

/** Where the next item begins after one that ends here; -1 if none can. */
function nextItem(text: string, end: number, separator: RegExp): number {
  if (end >= text.length) return text.length;
  separator.lastIndex = end;
  return separator.test(text) ? separator.lastIndex : -1;
}
