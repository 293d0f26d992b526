import type { OptionSpec } from '../options/option-spec.ts';
import { limitsPlaces } from './choice-list.ts';

export const PLACES_LEFT: OptionSpec = {
  key: 'shows_places_left',
  label: 'Show how many places are left',
  input: 'switch',
  when: limitsPlaces,
};
export const SHUFFLE: OptionSpec = {
  key: 'shuffle_options',
  label: 'Order of the options',
  input: 'choice',
  choices: [
    ['none', 'As listed here'],
    ['all', 'Another for everybody'],
    ['except_last', 'Another for everybody, the last one stays'],
  ],
};
export const CHOICE_DISPLAY: readonly OptionSpec[] = [
  {
    key: 'option_display_mode',
    label: 'Options are shown as',
    input: 'choice',
    choices: [
      ['text_only', 'Text'],
      ['text_and_image', 'Text and picture'],
      ['image_only', 'Picture only'],
    ],
  },
  {
    key: 'option_image_size',
    label: 'Size of the pictures',
    input: 'choice',
    choices: [
      ['md', 'Medium'],
      ['sm', 'Small'],
      ['lg', 'Large'],
    ],
    when: ({ option_display_mode: mode }) => mode === 'text_and_image' || mode === 'image_only',
  },
  { key: 'allow_creation', label: 'People may add an option of their own', input: 'switch' },
];
