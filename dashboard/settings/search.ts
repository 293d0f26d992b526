import type { PartId } from './parts.ts';

/** The parts, here without what they hold: the router needs no more. */
const PARTS: Record<PartId, true> = {
  appearance: true,
  texts: true,
  access: true,
  submissions: true,
  after: true,
  notifications: true,
  search: true,
  advanced: true,
  danger: true,
};

/** Which part of the settings the address names. */
export function readSettingsSearch({ part }: Record<string, unknown>): { part?: string } {
  return typeof part === 'string' && Object.hasOwn(PARTS, part) ? { part } : {};
}
