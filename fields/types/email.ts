import { isLongerThan } from '../characters.ts';
import type { AnswerCheck, AnswerRules, FieldContext, FieldType } from '../field-type.ts';
import { TEXT_OPERATORS } from '../operator-names.ts';
import { integerProblems } from '../option-checks.ts';
import { isBlank } from '../options.ts';
import type { Property } from '../property.ts';
import { textOf } from '../text-of.ts';
import { characterLimit } from './text.ts';

/** Octet limits of RFC 5321 section 4.5.3.1, counted here in characters. */
const MAX_ADDRESS = 254;
const MAX_LOCAL_PART = 64;
const MAX_LABEL = 63;

const PLAIN = /^[\w+-]+(?:\.[\w+-]+)*@[a-z\d]+(?:-[a-z\d]+)*(?:\.[a-z\d]+(?:-[a-z\d]+)*)+$/i;
const LOCAL_PART = /^[^\s\p{C}"(),:;<>@[\\\]]+$/u;
const LABEL = /^[\p{L}\p{M}\p{N}-]+$/u;

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
  operators: TEXT_OPERATORS,
};

/**
 * The dot-atom addresses of RFC 5322, with the international letters of RFC 6531 and at least one dot in the
 * domain; no quoted local parts, no comments, no address literals. Linear time.
 */
export function isEmailAddress(text: string): boolean {
  // A part of those below that is told by one look.
  if (text.length <= MAX_LABEL && PLAIN.test(text)) return true;
  if (text.length > MAX_ADDRESS) return false;
  const at = text.lastIndexOf('@');
  const localPart = text.slice(0, at);
  const labels = text.slice(at + 1).split('.');
  return (
    at > 0 &&
    localPart.length <= MAX_LOCAL_PART &&
    localPart.split('.').every((atom) => LOCAL_PART.test(atom)) &&
    labels.length > 1 &&
    labels.every(isLabel)
  );
}

function isLabel(label: string): boolean {
  return label.length <= MAX_LABEL && LABEL.test(label) && !label.startsWith('-') && !label.endsWith('-');
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
