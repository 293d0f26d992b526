import { IMAGE_LAYOUTS } from '../block-options/check-image.ts';
import { asNumber, isOneOf } from '../block-options/options.ts';
import { isJsonObject, type Property } from '../property.ts';
import { type Html, html } from './html.ts';
import { safeUrl } from './safe-url.ts';

/** The picture of a block. */
interface BlockImage {
  layout: string;
  markup: Html;
  /** Focal point and brightness. */
  css: string;
}

/** The picture of a block, or null; `id` is given to the picture's element. */
export function blockImage({ image }: Property, id: string): BlockImage | null {
  if (!isJsonObject(image)) return null;
  const url = safeUrl(image.url);
  if (url === null) return null;
  const layout = isOneOf(IMAGE_LAYOUTS, image.layout) ? String(image.layout) : 'between';
  const alt = typeof image.alt === 'string' ? image.alt : '';
  return {
    layout,
    markup: html`<img class="picture" id="${id}" src="${url}" alt="${alt}" loading="lazy" decoding="async">`,
    css: pictureCss(`#${id}`, image.focal_point, image.brightness),
  };
}

/** Rules for a picture that is cut to its frame: focal point in percent, brightness from −100 to 100. */
function pictureCss(selector: string, focalPoint: unknown, brightness: unknown): string {
  const declarations: string[] = [];
  if (isJsonObject(focalPoint)) {
    const x = within(asNumber(focalPoint.x), 0, 100) ?? 50;
    const y = within(asNumber(focalPoint.y), 0, 100) ?? 50;
    if (x !== 50 || y !== 50) declarations.push(`object-position:${x}% ${y}%`);
  }
  const light = within(asNumber(brightness), -100, 100) ?? 0;
  if (light !== 0) declarations.push(`filter:brightness(${(100 + light) / 100})`);
  return declarations.length === 0 ? '' : `${selector}{${declarations.join(';')}}`;
}

function within(number: number | undefined, min: number, max: number): number | undefined {
  return number === undefined ? undefined : Math.min(max, Math.max(min, number));
}
