import type { OptionProblem } from '../field-type.ts';
import { isJsonObject } from '../property.ts';
import { asNumber, isOneOf, isUnset } from './options.ts';

export const IMAGE_LAYOUTS = [
  'between',
  'left-small',
  'right-small',
  'left-split',
  'right-split',
  'background',
];
const MAX_IMAGE_ALT = 125; // characters

/** What is wrong with the picture of a block. */
export function imageProblems(image: unknown): OptionProblem[] {
  if (isUnset(image)) return [];
  if (!isJsonObject(image)) return [{ path: 'image', message: 'The image must be an object.' }];
  const { url, alt, layout, focal_point: focus, brightness } = image;
  const { x, y } = isJsonObject(focus) ? focus : {};
  const problems: OptionProblem[] = [];
  const expect = (isFine: boolean, path: string, message: string) => {
    if (!isFine) problems.push({ path, message });
  };
  expect(isUnset(url) || isImageUrl(url), 'image.url', 'The image.url must be a valid URL.');
  expect(
    isUnset(alt) || (typeof alt === 'string' && alt.length <= MAX_IMAGE_ALT),
    'image.alt',
    `The image.alt may not be greater than ${MAX_IMAGE_ALT} characters.`,
  );
  expect(
    isUnset(layout) || isOneOf(IMAGE_LAYOUTS, layout),
    'image.layout',
    `The image.layout must be one of: ${IMAGE_LAYOUTS.join(', ')}`,
  );
  expect(
    isUnset(focus) || isJsonObject(focus),
    'image.focal_point',
    'The image.focal_point must be an object.',
  );
  expect(isBetween(x, 0, 100), 'image.focal_point.x', 'The image.focal_point.x must be between 0 and 100.');
  expect(isBetween(y, 0, 100), 'image.focal_point.y', 'The image.focal_point.y must be between 0 and 100.');
  expect(
    isBetween(brightness, -100, 100),
    'image.brightness',
    'The image.brightness must be between -100 and 100.',
  );
  return problems;
}

function isBetween(value: unknown, min: number, max: number): boolean {
  const number = asNumber(value);
  return isUnset(value) || (number !== undefined && number >= min && number <= max);
}

/** An absolute http(s) address, or a path on this server. */
function isImageUrl(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return value.startsWith('/') || /^https?:$/.test(URL.parse(value)?.protocol ?? '');
}
