/** Degrees, with the digits that were sent: nothing is rounded. */
const DEGREES = '([+-]?\\d{1,3}(?:\\.\\d{1,15})?)\\s*°?\\s*';
const METERS = '(\\d{1,8}(?:\\.\\d{1,15})?)';
/** An altitude, which is not kept. */
const ALTITUDE = '-?\\d{1,6}(?:\\.\\d{1,15})?';

/** `52.52, 13.405`, `52.52 13.405`, `33.87° S, 151.21° E`, with what follows. */
const PLACE = new RegExp(
  `^(?:geo:)?${DEGREES}([NS])?\\s*[,;\\s]\\s*${DEGREES}([EW])?((?:[\\s,;(±]).*)?$`,
  'i',
);
/** How accuracy is told: as Formstead writes it, as geo addresses do (RFC 5870), as ODK and Kobo do. */
const ACCURACIES = [
  new RegExp(`^\\(?±\\s*${METERS}\\s*m\\)?$`),
  new RegExp(`^(?:,${ALTITUDE})?(?:;crs=wgs84)?(?:;u=${METERS})?$`, 'i'),
  new RegExp(`^${ALTITUDE}(?:\\s+${METERS})?$`),
];

/** What `readLocation` makes of a text. In the common part of JavaScript's and PostgreSQL's regular expressions. */
export const LOCATION_PATTERN = '^(-?[0-9.]+), (-?[0-9.]+)(?: ±[0-9.]+ m)?$';

/**
 * A place in degrees of WGS 84, as it is stored: latitude, longitude and, where it is known, within how many meters that is
 * right: `52.520008, 13.404954 ±12 m`. Null for a text that names no place on earth.
 */
export function readLocation(text: string): string | null {
  const place = text.length > 200 ? null : PLACE.exec(text.trim());
  if (!place) return null;
  const [, north = '', ns = '', east = '', ew = '', rest = ''] = place;
  const latitude = degreesOf(north, ns, 90);
  const longitude = degreesOf(east, ew, 180);
  const accuracy = accuracyOf(rest.trim());
  if (latitude === null || longitude === null || accuracy === null) return null;
  // Who does not know it writes 0.
  return `${latitude}, ${longitude}${Number(accuracy) > 0 ? ` ±${accuracy} m` : ''}`;
}

/** Latitude and longitude of a text that `readLocation` made; null for any other. */
export function coordinatesOf(text: string): [latitude: string, longitude: string] | null {
  const [, latitude, longitude] = new RegExp(LOCATION_PATTERN).exec(text) ?? [];
  return latitude && longitude ? [latitude, longitude] : null;
}

/** South and west are below zero, told by a letter or by the sign, not by both. */
function degreesOf(digits: string, letter: string, limit: number): string | null {
  if (Math.abs(Number(digits)) > limit) return null;
  if (letter === '') return digits.replace('+', '');
  if (!/^\d/.test(digits)) return null;
  return /[sw]/i.test(letter) && Number(digits) > 0 ? `-${digits}` : digits;
}

/** '' where it is not told, null where something else is said there. */
function accuracyOf(rest: string): string | null {
  for (const pattern of ACCURACIES) {
    const found = pattern.exec(rest);
    if (found) return found[1] ?? '';
  }
  return null;
}
