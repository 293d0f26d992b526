/**
 * A value of unknown direction, isolated from the text around it (Unicode FSI and PDI), for languages written from right to left.
 */
export function isolated(place: string): string {
  return `\u2068${place}\u2069`;
}

export const NAME = `«${isolated('{name}')}»`;
export const ROW = `«${isolated('{row}')}»`;
export const NAMES = isolated('{names}');
export const TYPES = isolated('{types}');
export const HOST = isolated('{host}');
