/** Red, green and blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];

export const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** Smallest contrast of text with its background (WCAG 2.2, 1.4.3). */
const TEXT_CONTRAST = 4.5;
/** Share by which a color moves towards black or white in one step. */
const SHADE = 0.04;

const HEX = /^#?([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const FUNCTION = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*(?:[,/].*)?\)$/i;

/** Reads `#rgb`, `#rrggbb`, `#rrggbbaa` (ignoring the last part) and `rgb(r, g, b)`; null for anything else. */
export function parseColor(text: string): Rgb | null {
  const hex = HEX.exec(text.trim())?.[1];
  if (hex !== undefined) {
    const digits = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
    return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) as unknown as Rgb;
  }
  const parts = FUNCTION.exec(text.trim())?.slice(1, 4).map(Number);
  return parts?.every((part) => part <= 255) ? (parts as unknown as Rgb) : null;
}

/** `#rrggbb`. */
export function colorText(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Black or white, whichever contrasts more with the color; always at least 4.5 to 1. */
export function readableOn(color: Rgb): Rgb {
  return contrast(color, WHITE) >= TEXT_CONTRAST ? WHITE : BLACK;
}

/** The color for text: made darker or lighter until it is readable on the background. */
export function asText(color: Rgb, background: Rgb): Rgb {
  const towards = luminance(background) > 0.18 ? BLACK : WHITE;
  let text = color;
  for (let share = 0; contrast(text, background) < TEXT_CONTRAST && share <= 1; share += SHADE) {
    text = color.map((part, index) => part + ((towards[index] ?? 0) - part) * share) as unknown as Rgb;
  }
  return contrast(text, background) < TEXT_CONTRAST ? towards : text;
}

/** From 1 to 21 (WCAG 2.2, contrast ratio). */
export function contrast(one: Rgb, other: Rgb): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** WCAG 2.2, relative luminance. */
function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
