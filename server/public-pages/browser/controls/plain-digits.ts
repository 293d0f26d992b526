import { typedNumber } from '../../../../fields/typed-number.ts';

/** Full-width signs and the digits of any script as ours, without marks that nobody sees, as they come with what is pasted. */
export function plainDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Nd}/gu, (digit) => typedNumber(digit, 'en') ?? digit);
}
