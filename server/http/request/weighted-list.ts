/**
 * The names in a header such as Accept-Encoding or Accept-Language (`gzip;q=0.5, br`), in lower case, with their weights (RFC 9110,
 * 12.4.2). A weight of zero means that the client does not want it.
 */
export function weightedList(header = ''): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  return weights;
}
