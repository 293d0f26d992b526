/**
 * Makes texts distinct: the first of equal ones stays, further ones are numbered from 2, skipping what is taken. Costs the same for each of
 * thousands of equal texts, as the search for a free number goes on where it ended.
 * @param taken texts that are used for something else
 * @param numbered the text with its number
 */
export function numberedApart(
  taken: Iterable<string>,
  numbered: (text: string, count: number) => string,
): (text: string) => string {
  const known = new Set(taken);
  const counts = new Map<string, number>();
  return (text) => {
    let count = counts.get(text) ?? 1;
    let distinct = count === 1 ? text : numbered(text, count);
    while (known.has(distinct)) {
      count += 1;
      distinct = numbered(text, count);
    }
    counts.set(text, count);
    known.add(distinct);
    return distinct;
  };
}

/** Makes the headers of an export's columns distinct: the second `Name` is `Name (2)`. */
export function headersApart(): (header: string) => string {
  return numberedApart([], (header, count) => `${header} (${count})`);
}
