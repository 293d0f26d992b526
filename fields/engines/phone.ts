import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  ParseError,
  parsePhoneNumberWithError,
  validatePhoneNumberLength,
} from 'libphonenumber-js';
import type { ParsedPhone, PhoneProblem } from '../engines.ts';

const MAX_PHONE = 64; // characters
const COUNTRY_LETTERS = /^[A-Za-z]{2}(?=[+\d(])/;
/** The value of a country picker if no number was typed: `FR+33`. */
const DIAL_CODE = /^\+\d{1,3}$/;

/**
 * Accepts any possible number, assigned or not, because new ranges are opened before copies of the numbering plan are updated.
 */
export function parsePhone(text: string): ParsedPhone {
  if (text.length > MAX_PHONE) return { problem: 'too_long' };
  const letters = COUNTRY_LETTERS.exec(text)?.[0];
  const digits = letters === undefined ? text : text.slice(letters.length);
  const country = letters?.toUpperCase() as CountryCode | undefined; // the library checks it
  if (DIAL_CODE.test(digits) && isDialCode(digits.slice(1), country)) return { e164: '' };
  try {
    const number = parsePhoneNumberWithError(digits, {
      extract: false,
      ...(country && { defaultCountry: country }),
    });
    if (!number.isPossible()) return { problem: problemOf(validatePhoneNumberLength(number.number)) };
    if (number.ext !== undefined) return { problem: 'invalid' };
    // The library knows no country for a number that is not assigned.
    const origin = number.country ?? country;
    return { e164: number.number, ...(origin && { country: origin }) };
  } catch (error) {
    return { problem: error instanceof ParseError ? problemOf(error.message) : 'invalid' };
  }
}

/** Whether a country has this calling code: the named one, or any if none is named. */
function isDialCode(code: string, country: CountryCode | undefined): boolean {
  return getCountries().some(
    (known) => (country === undefined || known === country) && getCountryCallingCode(known) === code,
  );
}

function problemOf(reason: string | undefined): PhoneProblem {
  if (reason === 'TOO_SHORT') return 'too_short';
  if (reason === 'TOO_LONG') return 'too_long';
  return reason === 'INVALID_COUNTRY' ? 'invalid_country' : 'invalid';
}
