/** Puts the fixed signs of a mask where they belong while one types at the end; what does not fit is left to the check. */
export function enhanceMask(element: HTMLElement): void {
  const input = element as HTMLInputElement;
  const mask = [...(input.dataset.mask ?? '')].filter((sign) => sign !== '?');
  // With optional places there are several ways to fill it in.
  if (input.dataset.mask?.includes('?')) return;
  input.addEventListener('input', (event) => {
    const isAtEnd = input.selectionStart === input.value.length;
    if (!isAtEnd || (event as InputEvent).inputType?.startsWith('delete')) return;
    const typed = [...input.value].filter((sign) => /[\p{L}\p{N}]/u.test(sign));
    const text = fill(mask, typed);
    if (text !== null && text !== input.value) input.value = text;
  });
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
