import { fillIn, type Template } from './template.ts';

/** Texts about refused answers. `name` is the field's name as the form shows it. */
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
  /** @param name of the option */
  optionFull(name: string): string;
  /** @param name of the option that rules out the others */
  exclusiveOption(name: string): string;
  email(name: string): string;
  format(name: string): string;
  date(name: string): string;
  location(name: string): string;
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
  minItems(name: string, limit: number): string;
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
  /** @param names of options, joined */
  rankingMissing(names: string): string;
  rankingRepeated(names: string): string;
  rankingPlaceTaken(place: string): string;
  customInvalid(): string;
  fileInvalid(): string;
  fileTooLarge(): string;
  /** `types` as shown, such as `pdf, png`. */
  fileType(types: string): string;
  /** Sums up several messages: the first one, and how many more there are. */
  andMore(first: string, count: number): string;
}

/**
 * The texts of one language. `{name}`, `{mask}`, `{row}`, `{names}`, `{place}`, `{types}` and `{first}` stand for the first
 * argument of the function with that name, `{limit}` and `{count}` for the last, which also decides the plural.
 */
export type MessageTemplates = Readonly<Record<keyof Messages, Template>>;

/** The functions for these texts; the language code decides the plurals. */
export function messagesFrom(templates: MessageTemplates, language: string): Messages {
  const messages = {} as Record<keyof Messages, (...values: (string | number)[]) => string>;
  for (const key of Object.keys(templates) as (keyof Messages)[]) {
    messages[key] = (first = '', last = first) =>
      fillIn(
        templates[key],
        {
          name: first,
          mask: first,
          row: first,
          names: first,
          place: first,
          types: first,
          first,
          limit: last,
          count: last,
        },
        language,
      );
  }
  return messages;
}
