/** Keeps all digits that were sent, without rounding. */
const DEGREES = '[+-]?\\d{1,3}(?:\\.\\d{1,15})?';
/** Requires a point, so that `52,5` and `48 51 30` are not taken for two numbers. */
const POINTED = '[+-]?\\d{1,3}\\.\\d{1,15}';
const ACCURACY = '(?<accuracy>\\d{1,8}(?:\\.\\d{1,15})?)';
/** Accepted but not stored. */
const ALTITUDE = '-?\\d{1,6}(?:\\.\\d{1,15})?';
const N_OR_S = '(?<ns>[NS])';
const E_OR_W = '(?<ew>[EW])';
const DEGREE = ' ?°? ?';
const WITHIN = `(?: \\(?± ?${ACCURACY} ?m\\)?)?`;

/**
 * Ways to write a location. White space is made single before matching, and each part matches few characters, so every text is
 * matched quickly.
 */
const WAYS: readonly RegExp[] = [
  `(?<north>${DEGREES})${DEGREE}${N_OR_S}?(?:[,;] | ?; ?)(?<east>${DEGREES})${DEGREE}${E_OR_W}?${WITHIN}`,
  `(?<north>${POINTED})${DEGREE}${N_OR_S}?,(?<east>${POINTED})${DEGREE}${E_OR_W}?`,
  // With only a blank between them, `13° 24.3 E` and `48 51` could be minutes.
  `(?<north>${DEGREES})${DEGREE}${N_OR_S} (?<east>${DEGREES})${DEGREE}${E_OR_W}${WITHIN}`,
  `(?<north>${POINTED})${DEGREE} (?<east>${POINTED})${DEGREE}${WITHIN}`,
  // RFC 5870
  `geo:(?<north>${DEGREES}),(?<east>${DEGREES})(?:,${ALTITUDE})?(?:;crs=wgs84)?(?:;u=${ACCURACY})?`,
  // ODK and Kobo
  `(?<north>${POINTED}) (?<east>${POINTED}) ${ALTITUDE}(?: ${ACCURACY})?`,
].map((way) => new RegExp(`^${way}$`, 'i'));

/** Characters; more than any of these ways needs. */
const MAX_LENGTH = 200;

/** Matches the results of `readLocation`. In the common part of JavaScript's and PostgreSQL's regular expressions. */
export const LOCATION_PATTERN = '^(-?[0-9.]+), (-?[0-9.]+)(?: ±[0-9.]+ m)?$';
const LOCATION = new RegExp(LOCATION_PATTERN);

/**
 * A location as it is stored, in degrees of WGS 84: latitude, longitude and, if known, the accuracy in meters: `52.520008,
 * 13.404954 ±12 m`. Null for a text that names no place on earth.
 */
export function readLocation(text: string): string | null {
  if (text.length > MAX_LENGTH) return null;
  const written = text.trim().replace(/\s+/g, ' ').replaceAll('\u2212', '-');
  for (const way of WAYS) {
    const found = way.exec(written)?.groups;
    if (!found) continue;
    const { north = '', ns = '', east = '', ew = '', accuracy = '' } = found;
    if ((ns === '') !== (ew === '')) return null;
    const latitude = degreesOf(north, ns, 90);
    const longitude = degreesOf(east, ew, 180);
    if (latitude === null || longitude === null) return null;
    // An accuracy of 0 means that it is unknown.
    return `${latitude}, ${longitude}${Number(accuracy) > 0 ? ` ±${accuracy} m` : ''}`;
  }
  return null;
}

/** Latitude and longitude from a result of `readLocation`; null for any other text. */
export function coordinatesOf(text: string): [latitude: string, longitude: string] | null {
  // Other texts may look similar, such as a day and a time.
  if (readLocation(text) !== text) return null;
  const [, latitude, longitude] = LOCATION.exec(text) ?? [];
  return latitude && longitude ? [latitude, longitude] : null;
}

/** South and west are negative, told by a letter or by a sign, but not by both. */
function degreesOf(digits: string, letter: string, limit: number): string | null {
  if (Math.abs(Number(digits)) > limit) return null;
  if (letter === '') return digits.replace('+', '');
  if (!/^\d/.test(digits)) return null;
  return /[sw]/i.test(letter) && Number(digits) > 0 ? `-${digits}` : digits;
}
