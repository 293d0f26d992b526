import { isOn } from '../../../fields/block-options/options.ts';
import type { Property } from '../../../fields/property.ts';
import { MAX_ENTRIES } from '../../../fields/repeated-questions.ts';
import type { InputType } from '../../../fields/type-names.ts';
import { CHOICE_DISPLAY, PLACES_LEFT, SHUFFLE } from '../lists/choice-options.ts';
import { AUTOFILL } from './autofill-options.ts';
import type { OptionSpec } from './option-spec.ts';

const on = (key: string) => (block: Property) => isOn(block[key]);
const off = (key: string) => (block: Property) => !isOn(block[key]);

const MAX_CHARACTERS: OptionSpec = {
  key: 'max_char_limit',
  label: 'Limit of characters',
  input: 'number',
  min: 1,
  placeholder: 'No limit',
};
const SHOW_LIMIT: OptionSpec = {
  key: 'show_char_limit',
  label: 'Show how many are left',
  input: 'switch',
  when: ({ max_char_limit: limit }) => Boolean(limit),
};
const MASK: OptionSpec = {
  key: 'input_mask',
  label: 'Pattern to fill in',
  input: 'text',
  placeholder: '(999) 999-9999',
  help: '9 is a digit, a a letter, * either; ? makes the one before it optional.',
};
const CODE: OptionSpec = {
  key: 'content',
  label: 'HTML',
  input: 'code',
  help: 'Runs in a frame of its own, where your operator allows it. Only admins of the workspace can add code.',
};
const steps = (name: string, defaults: readonly [string, string, string]): readonly OptionSpec[] => [
  { key: `${name}_min_value`, label: 'Lowest', input: 'number', placeholder: defaults[0] },
  { key: `${name}_max_value`, label: 'Highest', input: 'number', placeholder: defaults[1] },
  { key: `${name}_step_value`, label: 'Step', input: 'number', placeholder: defaults[2] },
];
const FILE_SIZE: OptionSpec = {
  key: 'max_file_size',
  label: 'Largest file (MB)',
  input: 'number',
  min: 1,
  placeholder: 'As the workspace allows',
};

/** Options that only one type has. */
const OWN: Readonly<Record<string, readonly OptionSpec[]>> = {
  text: [
    { key: 'multi_lines', label: 'Several lines', input: 'switch', when: off('secret_input') },
    { key: 'secret_input', label: 'Hide what is typed', input: 'switch' },
    MAX_CHARACTERS,
    SHOW_LIMIT,
    MASK,
    {
      key: 'slot_char',
      label: 'Character for open places',
      input: 'text',
      placeholder: '_',
      max: 1,
      when: ({ input_mask: mask }) => Boolean(mask),
    },
    {
      key: 'generates_uuid',
      label: 'Fill with a unique id',
      input: 'switch',
      help: 'Each answer gets a random one. Best for hidden fields.',
    },
    {
      key: 'generates_auto_increment_id',
      label: 'Fill with a running number',
      input: 'switch',
      help: 'The first answer gets 1, the next 2.',
    },
    AUTOFILL.text,
  ],
  rich_text: [MAX_CHARACTERS, SHOW_LIMIT],
  number: [
    { key: 'number_min_value', label: 'Lowest', input: 'number', placeholder: 'Any' },
    { key: 'number_max_value', label: 'Highest', input: 'number', placeholder: 'Any' },
    { key: 'whole_number', label: 'Whole numbers only', input: 'switch' },
    { ...MAX_CHARACTERS, label: 'Limit of digits' },
  ],
  email: [MAX_CHARACTERS, AUTOFILL.own],
  url: [MAX_CHARACTERS, AUTOFILL.own],
  phone_number: [
    {
      key: 'use_simple_text_input',
      label: 'Take any text',
      input: 'switch',
      help: 'Without a country to choose and without a check of the number.',
    },
    {
      key: 'unavailable_countries',
      label: 'Countries that cannot be chosen',
      input: 'countries',
      when: off('use_simple_text_input'),
    },
    { ...MAX_CHARACTERS, when: on('use_simple_text_input') },
    { ...MASK, when: on('use_simple_text_input') },
    AUTOFILL.own,
  ],
  barcode: [
    {
      key: 'decoders',
      label: 'Codes to look for',
      input: 'checks',
      choices: [
        ['qr_reader', 'QR code'],
        ['ean_reader', 'EAN-13'],
        ['ean_8_reader', 'EAN-8'],
        ['upc_reader', 'UPC-A'],
        ['upc_e_reader', 'UPC-E'],
        ['code_128_reader', 'Code 128'],
        ['code_39_reader', 'Code 39'],
      ],
      help: 'All of them when none is chosen.',
    },
    MAX_CHARACTERS,
  ],
  rating: [{ key: 'rating_max_value', label: 'Stars', input: 'number', min: 1, placeholder: '5' }],
  scale: [
    ...steps('scale', ['1', '5', '1']),
    {
      key: 'scale_min_label',
      label: 'Words for the lowest',
      input: 'text',
      max: 100,
      placeholder: 'Not at all likely',
    },
    {
      key: 'scale_max_label',
      label: 'Words for the highest',
      input: 'text',
      max: 100,
      placeholder: 'Extremely likely',
    },
  ],
  payment: [
    { key: 'amount', label: 'Amount', input: 'amount' },
    // Edited with the amount.
    { key: 'currency', label: 'Currency', input: 'amount', when: () => false },
  ],
  slider: steps('slider', ['0', '50', '1']),
  select: [
    { key: 'options', label: 'Options', input: 'options' },
    SHUFFLE,
    PLACES_LEFT,
    {
      key: 'without_dropdown',
      label: 'Show all options at once',
      input: 'switch',
      when: ({ option_display_mode: mode }) => mode !== 'text_and_image' && mode !== 'image_only',
    },
    ...CHOICE_DISPLAY,
    AUTOFILL.select,
  ],
  multi_select: [
    { key: 'options', label: 'Options', input: 'options' },
    SHUFFLE,
    PLACES_LEFT,
    { key: 'min_selection', label: 'At least', input: 'number', min: 0, placeholder: '0' },
    { key: 'max_selection', label: 'At most', input: 'number', min: 1, placeholder: 'All' },
    ...CHOICE_DISPLAY,
  ],
  ranking: [{ key: 'options', label: 'Options', input: 'options' }, SHUFFLE],
  checkbox: [{ key: 'use_toggle_switch', label: 'Look like a switch', input: 'switch' }],
  date: [
    { key: 'with_time', label: 'With a time', input: 'switch' },
    { key: 'date_range', label: 'From one day to another', input: 'switch' },
    { key: 'prefill_today', label: 'Begin with today', input: 'switch' },
    { key: 'disable_past_dates', label: 'No days before today', input: 'switch' },
    { key: 'disable_future_dates', label: 'No days after today', input: 'switch' },
    AUTOFILL.date,
  ],
  matrix: [
    { key: 'rows', label: 'Rows', input: 'list', word: 'Row' },
    { key: 'columns', label: 'Columns', input: 'list', word: 'Column' },
  ],
  repeat: [
    { key: 'questions', label: 'Questions of each entry', input: 'questions' },
    {
      key: 'entry_name',
      label: 'What an entry is called',
      input: 'text',
      max: 100,
      placeholder: 'Person',
    },
    { key: 'min_entries', label: 'At least', input: 'number', min: 0, placeholder: '0' },
    { key: 'max_entries', label: 'At most', input: 'number', min: 1, placeholder: `${MAX_ENTRIES}` },
  ],
  files: [
    { key: 'multiple', label: 'Several files', input: 'switch' },
    { key: 'camera_upload', label: 'Offer the camera', input: 'switch' },
    FILE_SIZE,
    {
      key: 'allowed_file_types',
      label: 'Kinds of files',
      input: 'text',
      placeholder: 'pdf, png, jpg',
      help: 'Their endings, with commas between. Empty for all.',
    },
  ],
  signature: [FILE_SIZE],
  location: [],
  // Only other clients add blocks of this type.
  computed: [],
  'nf-text': [{ key: 'content', label: 'Text', input: 'html', placeholder: 'Write something here' }],
  'nf-page-break': [
    { key: 'next_btn_text', label: 'Button that goes on', input: 'text', placeholder: 'Next' },
    { key: 'previous_btn_text', label: 'Button that goes back', input: 'text', placeholder: 'Previous' },
  ],
  'nf-image': [
    { key: 'image_block', label: 'Image', input: 'picture' },
    { key: 'alt', label: 'What it shows', input: 'text', help: 'Read out to people who cannot see it.' },
    { key: 'link', label: 'Leads to', input: 'address' },
  ],
  'nf-video': [{ key: 'video_block', label: 'Address of the video', input: 'address' }],
  'nf-audio': [{ key: 'audio_block', label: 'Address of the sound', input: 'address' }],
  'nf-code': [CODE],
} satisfies Record<InputType, readonly OptionSpec[]> & Record<`nf-${string}`, readonly OptionSpec[]>;

/** Options that only blocks of this canonical type have, whether or not they are shown at the moment. */
export function ownOptions(type: string): readonly OptionSpec[] {
  return OWN[type] ?? [];
}
