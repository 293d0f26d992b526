interface Slot {
  accepts: (character: string) => boolean;
  optional: boolean;
}

/** The check for a mask that `isMask` accepts. */
export function compileMask(mask: string): (text: string) => boolean {
  const slots = parseMask(mask);
  return (text) => matchesMask(slots, text);
}

function parseMask(mask: string): Slot[] {
  const slots: Slot[] = [];
  for (const token of mask) {
    const last = slots.at(-1);
    if (token === '?' && last !== undefined) last.optional = true;
    else slots.push({ accepts: slotFor(token), optional: false });
  }
  return slots;
}

/** Tracks every slot that the text may have reached, so optional slots cost at most mask length × text length. */
function matchesMask(slots: readonly Slot[], text: string): boolean {
  if (text.length > slots.length) return false;
  let reached = withSkips(slots, new Set([0]));
  for (const character of text) {
    const next = new Set<number>();
    for (const at of reached) if (slots[at]?.accepts(character)) next.add(at + 1);
    if (next.size === 0) return false;
    reached = withSkips(slots, next);
  }
  return reached.has(slots.length);
}

function withSkips(slots: readonly Slot[], reached: Set<number>): Set<number> {
  // a Set visits members added during iteration, so runs of optional slots are skipped too
  for (const at of reached) if (slots[at]?.optional) reached.add(at + 1);
  return reached;
}

function slotFor(token: string): Slot['accepts'] {
  if (token === '9') return isDigit;
  if (token === 'a') return isLetter;
  if (token === '*') return (character) => isDigit(character) || isLetter(character);
  return (character) => character === token;
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9' && character.length === 1;
}

function isLetter(character: string): boolean {
  return /^[A-Za-z]$/.test(character);
}
