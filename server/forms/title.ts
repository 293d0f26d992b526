/** Characters of a title. */
export const TITLE_LENGTH = 255;

/** Cuts a title that is too long, as the API family does; by characters, so that no surrogate pair is split. */
export function cutTitle(title: string): string {
  return title.length > TITLE_LENGTH ? [...title].slice(0, TITLE_LENGTH).join('') : title;
}
