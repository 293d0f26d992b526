/** Ids of the parts, here without what they hold: the router needs no more. */
const IDS = 'appearance texts access submissions after notifications search advanced danger'.split(' ');

/** Which part of the settings the address names. */
export function readSettingsSearch({ part }: Record<string, unknown>): { part?: string } {
  return typeof part === 'string' && IDS.includes(part) ? { part } : {};
}
