/**
 * The names in a header such as Accept-Encoding or Accept-Language, in small letters, with what each is worth to the client:
 * `gzip;q=0.5, br` (RFC 9110, 12.4.2). Zero is what it does not want.
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
