const HEX = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i;
/** The color of forms for which none was chosen. */
export const USUAL_COLOR = '#3B82F6';
/** WCAG 2.2, 1.4.3. */
const TEXT_CONTRAST = 4.5;

/** Whether a color is hard to read as text on white. Pages correct that by themselves. */
export function isHardToRead(color: string): boolean {
  const digits = HEX.exec(color.trim())?.[1];
  if (digits === undefined) return false;
  const all = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(all.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) < TEXT_CONTRAST;
}
