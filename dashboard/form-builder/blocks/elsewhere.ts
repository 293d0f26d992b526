import type { PartId } from '../../settings/parts.ts';

/** What people look for among the fields and find among the settings. */
interface Elsewhere {
  label: string;
  part: PartId;
  /** Synonyms for the search, as other products say it. */
  words: string;
}

/** Characters; fewer would find too much. */
const MIN_SEARCH = 3;

const ELSEWHERE: readonly Elsewhere[] = [
  {
    label: 'Thank-you text, another page, endings',
    part: 'after',
    words: 'thanks you ending endings end screen final redirect after sending completion outcome disqualify',
  },
  {
    label: 'Calculations',
    part: 'calculations',
    words: 'calculated variable formula score total sum points result quiz',
  },
  {
    label: 'Colors, fonts and pictures',
    part: 'appearance',
    words: 'design theme style logo cover background look appearance branding',
  },
  {
    label: 'Confirmed e-mail addresses',
    part: 'access',
    words: 'double opt in optin confirm confirmation verify verification newsletter',
  },
  { label: 'Other languages', part: 'languages', words: 'translation translate multilingual' },
];

/** The settings in whose names or synonyms these words begin. */
export function searchElsewhere(text: string): readonly Elsewhere[] {
  const words = text.toLowerCase().match(/\w+/g) ?? [];
  if (words.join('').length < MIN_SEARCH) return [];
  return ELSEWHERE.filter(({ label, words: more }) => {
    const names = `${label} ${more}`.toLowerCase().split(/\W+/);
    return words.every((word) => names.some((name) => name.startsWith(word)));
  });
}

/** A field of any type can be hidden, so none is called so. */
export function asksForHidden(text: string): boolean {
  return /^hidden\b/i.test(text.trim());
}
