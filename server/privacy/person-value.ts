import type { Answers, JsonValue, Property } from '../../fields/property.ts';
import { wordsIn } from '../../fields/texts/plain-text.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { caselessAddress, parseEmail } from '../accounts/email.ts';
import { invalid } from '../http/errors.ts';
import type { SecretBox } from '../secret-box.ts';

/** The value that a person is searched by. */
export interface PersonValue {
  text: string;
  /** E-mail addresses match in any letter case; all other values exactly. */
  kind: 'email' | 'other';
}

/** Characters. */
export const VALUE_MAX_LENGTH = 1_000;
const PURPOSE = 'erasure';

/** @throws HttpError 422 on `value` */
export function personValue(given: string): PersonValue {
  const text = given.trim();
  if (text === '') throw invalid({ value: ['The value field is required.'] });
  // Answers contain neither, and PostgreSQL cannot store them in a text.
  if (text.includes('\0') || !text.isWellFormed()) throw invalid({ value: ['The value format is invalid.'] });
  return { text, kind: parseEmail(text) === null ? 'other' : 'email' };
}

/** Whether an answer, or any text or number in it, is the value, apart from surrounding blanks. */
export function isValue(value: PersonValue, answer: JsonValue | undefined): boolean {
  if (typeof answer === 'string')
    return comparable(value.kind, answer.trim()) === comparable(value.kind, value.text);
  if (typeof answer === 'number') return String(answer) === value.text;
  if (answer === null || typeof answer !== 'object') return false;
  return Object.values(answer).some((member) => isValue(value, member));
}

/**
 * The fields of a submission whose answer is the value.
 * @param properties definitions of the fields; of rich texts in them the words count
 */
export function fieldsWith(
  value: PersonValue,
  answers: Answers,
  properties: readonly Property[] = [],
): string[] {
  const rich = new Set(richTextIds(properties));
  return Object.keys(answers).filter((id) => {
    const answer = answers[id];
    return (
      isValue(value, answer) ||
      (rich.has(id) && typeof answer === 'string' && isValue(value, wordsIn(answer)))
    );
  });
}

/** Ids of the fields whose answers are markup. */
export function richTextIds(properties: readonly Property[]): string[] {
  return properties.flatMap(({ id, type }) => (canonicalTypeName(type) === 'rich_text' ? id : []));
}

/**
 * A hash that shows whether a known value was erased, and reveals nothing without the value and the key of this
 * installation.
 */
export function valueHash(secrets: Pick<SecretBox, 'sign'>, { text, kind }: PersonValue): string {
  return secrets.sign(`${kind}:${comparable(kind, text)}`, PURPOSE);
}

function comparable(kind: PersonValue['kind'], text: string): string {
  return kind === 'email' ? caselessAddress(text) : text;
}
