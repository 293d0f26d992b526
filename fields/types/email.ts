import { textSchema } from '../answer-schema.ts';
import { textOf } from '../as-text/text-of.ts';
import { integerProblems } from '../block-options/option-checks.ts';
import { isBlank } from '../block-options/options.ts';
import type { AnswerCheck, AnswerRules, FieldContext, FieldType } from '../field-type.ts';
import { TEXT_OPERATORS } from '../logic/operator-names.ts';
import type { Property } from '../property.ts';
import { isLongerThan } from '../texts/characters.ts';
import { characterLimit } from './text.ts';

/** RFC 5321 section 4.5.3.1 counts octets, this counts characters. */
const MAX_ADDRESS = 254;

const ATOM = '[^\\s\\p{C}"(),.:;<>@[\\\\\\]]+';
const LETTER = '[\\p{L}\\p{M}\\p{N}]';
/** A label of a domain: up to 63 characters. */
const LABEL = `${LETTER}([\\p{L}\\p{M}\\p{N}-]{0,61}${LETTER})?`;
/** At most 64 characters before the `@`. No part contains a separator, so matching is fast for every text. */
const ADDRESS = new RegExp(`^(?=.{1,64}@)${ATOM}(\\.${ATOM})*@${LABEL}(\\.${LABEL})+$`, 'u');

export const emailRules: AnswerRules = {
  name: 'email',
  kind: 'input',
  compile: compileEmail,
  isEmpty: isBlank,
};

export const emailType: FieldType = {
  ...emailRules,
  checkOptions: (property) => integerProblems(property, 'max_char_limit', 1),
  toText: textOf,
  csvKind: 'text',
  answerSchema: (property) => ({
    ...textSchema(Math.min(characterLimit(property), MAX_ADDRESS)),
    pattern: '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
    description: 'An e-mail address; may contain letters of any script.',
  }),
  operators: TEXT_OPERATORS,
};

/**
 * The dot-atom addresses of RFC 5322 with the international letters of RFC 6531, and at least one dot in the domain; no quoted
 * local parts, comments or address literals. Linear time.
 */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_ADDRESS && ADDRESS.test(text);
}

function compileEmail(property: Property, { messages }: FieldContext): AnswerCheck {
  const { name } = property;
  const limit = characterLimit(property);
  return (answer, report) => {
    if (typeof answer !== 'string' || !isEmailAddress(answer)) report(messages.email(name));
    else if (isLongerThan(answer, limit)) report(messages.maxCharacters(name, limit));
    return answer;
  };
}
