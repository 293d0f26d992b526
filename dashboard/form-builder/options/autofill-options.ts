import { isOn } from '../../../fields/block-options/options.ts';
import type { OptionSpec } from './option-spec.ts';

type Choices = readonly (readonly [string, string])[];

const LABEL = 'Browsers fill in';
const HELP = 'What the question asks visitors about themselves. Their browser can then offer it.';
/** For questions that are usually about the visitor anyway. */
const OWN: Choices = [
  ['', 'The visitor’s own'],
  ['off', 'Nothing: it is somebody else’s'],
];
const PERSON: Choices = [
  ['name', 'Full name'],
  ['given-name', 'First name'],
  ['additional-name', 'Middle name'],
  ['family-name', 'Last name'],
  ['honorific-prefix', 'Title, such as Dr'],
];
const PLACE: Choices = [
  ['street-address', 'Street address, in several lines'],
  ['address-line1', 'Address line 1'],
  ['address-line2', 'Address line 2'],
  ['postal-code', 'Postal code'],
  ['address-level2', 'Town'],
  ['address-level1', 'State or region'],
  ['country-name', 'Country'],
];

const autofill = (choices: Choices): OptionSpec => ({
  key: 'autocomplete',
  label: LABEL,
  input: 'choice',
  choices,
});

/** What browsers may fill into a question, by its type. */
export const AUTOFILL = {
  text: {
    ...autofill([
      ['', 'As they guess'],
      ['off', 'Nothing'],
      ...PERSON,
      ...PLACE,
      ['organization', 'Organisation'],
      ['organization-title', 'Job title'],
      ['bday', 'Date of birth'],
    ]),
    help: HELP,
    when: ({ secret_input: isSecret }) => !isOn(isSecret),
  },
  select: {
    ...autofill([
      ['', 'As they guess'],
      ['off', 'Nothing'],
      ['honorific-prefix', 'Title, such as Dr'],
      ['sex', 'Gender'],
      ['address-level1', 'State or region'],
      ['country-name', 'Country'],
      ['language', 'Language'],
    ]),
    help: HELP,
    when: ({ without_dropdown: isOpen }) => !isOn(isOpen),
  },
  date: {
    ...autofill([
      ['', 'As they guess'],
      ['off', 'Nothing'],
      ['bday', 'Date of birth'],
    ]),
    when: ({ with_time: hasTime, date_range: isRange }) => !isOn(hasTime) && !isOn(isRange),
  },
  own: autofill(OWN),
} satisfies Record<string, OptionSpec>;
