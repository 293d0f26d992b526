import type { PartId } from './parts.ts';

/** Only the keys of the parts; the router needs no more. */
const PARTS: Record<PartId, true> = {
  appearance: true,
  texts: true,
  languages: true,
  access: true,
  submissions: true,
  after: true,
  calculations: true,
  notifications: true,
  search: true,
  advanced: true,
  danger: true,
};

/** The part and the translated language in the address. */
export function readSettingsSearch({ part, language }: Record<string, unknown>): {
  part?: string;
  language?: string;
} {
  if (typeof part !== 'string' || !Object.hasOwn(PARTS, part)) return {};
  return { part, ...(part === 'languages' && typeof language === 'string' && { language }) };
}
