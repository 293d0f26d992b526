import { typedNumber } from '../../../../fields/as-text/typed-number.ts';

/**
 * Turns full-width characters and digits of any script into ASCII, and removes the invisible marks that pasted text may bring.
 */
export function plainDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Nd}/gu, (digit) => typedNumber(digit, 'en') ?? digit);
}
