import { countedName } from '../../fields/counted-name.ts';

/**
 * Names of a form by what statistics call them: the beginning of a long one stands for it. Those that begin alike are counted
 * together, and are called by their beginning.
 */
export function wholeNames(names: readonly string[]): (counted: string) => string {
  const byCounted = Map.groupBy(new Set(names), countedName);
  return (counted) => {
    const [name, ...others] = byCounted.get(counted) ?? [];
    return name === undefined || others.length > 0 ? counted : name;
  };
}

/** Each of the names once, as `wholeNames` says it. */
export function shownNames(names: readonly string[]): string[] {
  const wholeOf = wholeNames(names);
  return [...new Set(names.map((name) => wholeOf(countedName(name))))];
}
