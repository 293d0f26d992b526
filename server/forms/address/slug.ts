import { randomInt } from 'node:crypto';
import { parseUuid } from '../../http/schemas/ids.ts';

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** Characters of the part made from the title. */
const TITLE_PART = 80;
const RANDOM_PART = 6;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

/** A slug for a new form: its title in plain letters and six random characters, such as `cafe-menu-x4k2ma`. */
export function makeSlug(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, TITLE_PART)
    .replace(/^-+|-+$/g, '');
  return `${words || 'form'}-${randomPart()}`;
}

function randomPart(): string {
  return Array.from({ length: RANDOM_PART }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** Why a slug cannot be chosen, or null. Only digits would be read as a numeric id, and a UUID as that of another form. */
export function slugProblem(slug: string): string | null {
  if (!isSlug(slug)) return 'The custom slug can only contain lowercase letters, numbers, and hyphens.';
  if (/^[0-9]+$/.test(slug) || parseUuid(slug) !== null)
    return 'The custom slug may not be a number or a UUID.';
  return null;
}
