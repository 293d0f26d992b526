import type { AnswerSchema } from '../answer-schema.ts';
import { textOf } from '../as-text/text-of.ts';
import { flagProblems, textListProblems } from '../block-options/option-checks.ts';
import { isBlank, isOn, stringList } from '../block-options/options.ts';
import type { AnswerCheck, AnswerRules, FieldContext, FieldType } from '../field-type.ts';
import { TEXT_OPERATORS } from '../logic/operator-names.ts';
import type { Property } from '../property.ts';
import { compileText, maskedSchema } from './text.ts';

const MIN_CHARACTERS = 6;

/** Country letters and a number (`FR+33749119783`), or only the number; stored as E.164 without the letters. */
export const phoneNumberRules: AnswerRules = {
  name: 'phone_number',
  kind: 'input',
  compile: (property, context) =>
    isOn(property.use_simple_text_input) ? compileText(property, context) : compilePhone(property, context),
  isEmpty: isBlank,
};

export const phoneNumberType: FieldType = {
  ...phoneNumberRules,
  checkOptions: (property) => [
    ...flagProblems(property, ['use_simple_text_input']),
    ...textListProblems(property, 'unavailable_countries'),
  ],
  toText: textOf,
  csvKind: 'text',
  answerSchema: phoneSchema,
  operators: TEXT_OPERATORS,
};

function phoneSchema(property: Property): AnswerSchema {
  if (isOn(property.use_simple_text_input)) return maskedSchema(property);
  return { type: 'string', pattern: '^\\+[0-9]+$', description: 'A number with its country code, as E.164.' };
}

function compilePhone(property: Property, { engines, messages }: FieldContext): AnswerCheck {
  const { name } = property;
  const refusedCountries = new Set(
    stringList(property.unavailable_countries).map((country) => country.toUpperCase()),
  );
  const texts = {
    too_short: messages.phoneTooShort(name),
    too_long: messages.phoneTooLong(name),
    invalid_country: messages.phoneCountry(name),
    invalid: messages.phoneInvalid(name),
  };
  return (answer, report) => {
    if (typeof answer !== 'string') {
      report(messages.validText(name));
      return answer;
    }
    const phone = engines.parsePhone(answer);
    const isDialCode = 'e164' in phone && phone.e164 === '';
    if (answer.length < MIN_CHARACTERS && !isDialCode) {
      report(messages.minCharacters(name, MIN_CHARACTERS));
      return answer;
    }
    if ('problem' in phone) {
      report(texts[phone.problem]);
      return answer;
    }
    if (phone.country !== undefined && refusedCountries.has(phone.country)) report(texts.invalid_country);
    return phone.e164;
  };
}
