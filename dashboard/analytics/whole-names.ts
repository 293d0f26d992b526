import { countedName } from '../../fields/choices/counted-name.ts';

/**
 * Maps names in statistics, where a long name is cut to its beginning, to the form's whole names. Names with the same beginning
 * are counted together, and shown by that beginning.
 */
export function wholeNames(names: readonly string[]): (counted: string) => string {
  const byCounted = Map.groupBy(new Set(names), countedName);
  return (counted) => {
    const [name, ...others] = byCounted.get(counted) ?? [];
    return name === undefined || others.length > 0 ? counted : name;
  };
}

/** The names as `wholeNames` gives them, each once. */
export function shownNames(names: readonly string[]): string[] {
  const wholeOf = wholeNames(names);
  return [...new Set(names.map((name) => wholeOf(countedName(name))))];
}
