import { plainDigits } from './plain-digits.ts';
import { announceChange } from './style.ts';

/** Inserts the fixed characters of a mask while the visitor types at the end; text that does not fit is left to the check. */
export function enhanceMask(element: HTMLElement): void {
  const input = element as HTMLInputElement;
  const mask = [...(input.dataset.mask ?? '')].filter((sign) => sign !== '?');
  // With optional places the mask can be filled in several ways.
  const isFixed = !input.dataset.mask?.includes('?');
  const tidy = (event: Event) => {
    const at = input.selectionStart;
    const isAtEnd = at === input.value.length;
    const plain = plainDigits(input.value);
    if (plain !== input.value) {
      input.value = plain;
      if (!isAtEnd) input.setSelectionRange(at, at);
    }
    if (!isFixed) return;
    if (!isAtEnd || (event as InputEvent).inputType?.startsWith('delete')) return;
    const typed = [...input.value].filter((sign) => /[\p{L}\p{N}]/u.test(sign));
    const text = fill(mask, typed);
    if (text !== null && text !== input.value) input.value = text;
  };
  // Text that an input method is still composing must not be touched; only `compositionend` tells when it is finished.
  input.addEventListener('input', (event) => (event as InputEvent).isComposing || tidy(event));
  // Programs that fill in forms may tell of nothing else.
  input.addEventListener('change', tidy);
  input.addEventListener('compositionend', () => announceChange(input));
  // Text that was typed before this part was loaded.
  if (input.value !== '') tidy(new Event('input'));
}

/** @returns null when the characters do not fit the mask */
function fill(mask: readonly string[], typed: readonly string[]): string | null {
  const rest = [...typed];
  let text = '';
  for (const place of mask) {
    const next = rest[0];
    if (place === '9' || place === 'a' || place === '*') {
      if (next === undefined) return text;
      if (!fits(place, next)) return null;
      text += rest.shift();
    } else {
      if (next === undefined) return text;
      text += place;
    }
  }
  return rest.length > 0 ? null : text;
}

function fits(place: string, sign: string): boolean {
  if (place === '9') return /\d/.test(sign);
  return place === 'a' ? /[a-z]/i.test(sign) : /[a-z\d]/i.test(sign);
}
