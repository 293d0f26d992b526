/** Texts of refused answers. `name` is the field's name as the form shows it. */
export interface Messages {
  required(name: string): string;
  validText(name: string): string;
  maskMismatch(mask: string): string;
  number(name: string): string;
  integer(name: string): string;
  inexactNumber(name: string): string;
  list(name: string): string;
  matrixObject(name: string): string;
  boolean(name: string): string;
  accepted(name: string): string;
  selectedInvalid(name: string): string;
  email(name: string): string;
  format(name: string): string;
  date(name: string): string;
  dateAfterYesterday(name: string): string;
  dateBeforeTomorrow(name: string): string;
  fromDateRequired(): string;
  toDateRequired(): string;
  fromDateAfterToDate(): string;
  minValue(name: string, limit: number): string;
  maxValue(name: string, limit: number): string;
  minCharacters(name: string, limit: number): string;
  maxCharacters(name: string, limit: number): string;
  maxItems(name: string, limit: number): string;
  minSelection(count: number): string;
  maxSelection(count: number): string;
  ratingMissing(): string;
  phoneTooShort(name: string): string;
  phoneTooLong(name: string): string;
  phoneCountry(name: string): string;
  phoneInvalid(name: string): string;
  matrixInvalid(row: string): string;
  matrixMissing(row: string): string;
  matrixRequired(row: string): string;
  customInvalid(): string;
}

const english: Messages = {
  required: (name) => `The ${name} field is required.`,
  validText: (name) => `The ${name} must be a valid text.`,
  maskMismatch: (mask) => `Does not match the required format: ${mask}`,
  number: (name) => `The ${name} must be a number.`,
  integer: (name) => `The ${name} must be an integer.`,
  inexactNumber: (name) => `The ${name} cannot be stored exactly.`,
  list: (name) => `The ${name} must be an array.`,
  matrixObject: (name) => `The ${name} field must be an array.`,
  boolean: (name) => `The ${name} field must be true or false.`,
  accepted: (name) => `The ${name} must be accepted.`,
  selectedInvalid: (name) => `The selected ${name} is invalid.`,
  email: (name) => `The ${name} must be a valid email address.`,
  format: (name) => `The ${name} format is invalid.`,
  date: (name) => `The ${name} is not a valid date.`,
  dateAfterYesterday: (name) => `The ${name} must be a date after yesterday.`,
  dateBeforeTomorrow: (name) => `The ${name} must be a date before tomorrow.`,
  fromDateRequired: () => 'From date is required',
  toDateRequired: () => 'To date is required',
  fromDateAfterToDate: () => 'From date must be before or equal to To date',
  minValue: (name, limit) => `The ${name} must be at least ${limit}.`,
  maxValue: (name, limit) => `The ${name} may not be greater than ${limit}.`,
  minCharacters: (name, limit) => `The ${name} must be at least ${limit} characters.`,
  maxCharacters: (name, limit) => `The ${name} may not be greater than ${limit} characters.`,
  maxItems: (name, limit) => `The ${name} may not have more than ${limit} items.`,
  minSelection: (count) => `Please select at least ${count} ${count === 1 ? 'option' : 'options'}`,
  maxSelection: (count) => `Please select no more than ${count} ${count === 1 ? 'option' : 'options'}`,
  ratingMissing: () => 'A rating must be selected',
  phoneTooShort: (name) => `The ${name} is too short.`,
  phoneTooLong: (name) => `The ${name} is too long.`,
  phoneCountry: (name) => `The ${name} does not have a valid country code.`,
  phoneInvalid: (name) => `The ${name} is not a valid phone number.`,
  matrixInvalid: (row) => `Invalid value for row '${row}'.`,
  matrixMissing: (row) => `Missing value for row '${row}'.`,
  matrixRequired: (row) => `Value for row '${row}' is required.`,
  customInvalid: () => 'Invalid input',
};

/** One catalogue per form language; a language without one reads English. */
const CATALOGUES: ReadonlyMap<string, Messages> = new Map([['en', english]]);

/** The texts for a form's language (two letters). */
export function messagesFor(language: string): Messages {
  return CATALOGUES.get(language) ?? english;
}
