import { isOn } from '../../fields/options.ts';
import type { Property } from '../../fields/property.ts';
import { MAX_ENTRIES } from '../../fields/repeated-questions.ts';
import { canonicalTypeName, isLayoutBlock } from '../../fields/type-names.ts';
import { CHOICE_DISPLAY, PLACES_LEFT, SHUFFLE } from './choice-options.ts';
import { RETENTION } from './retention-option.ts';

/** How one option of a block is edited. */
export type OptionSpec = {
  key: string;
  label: string;
  /** Only if the label does not say everything. */
  help?: string;
  /** Shown only if this returns true. */
  when?: (block: Property) => boolean;
} & OptionInput;

type OptionInput =
  | { input: 'switch'; isOnByDefault?: boolean }
  | { input: 'number'; min?: number; max?: number; placeholder?: string }
  | { input: 'text'; placeholder?: string; max?: number }
  | { input: 'address'; placeholder?: string }
  | { input: 'picture' }
  | { input: 'html'; placeholder?: string }
  | { input: 'code' }
  | { input: 'choice'; choices: readonly (readonly [string, string])[] }
  | { input: 'checks'; choices: readonly (readonly [string, string])[] }
  | { input: 'countries' }
  | { input: 'list'; word: string }
  | { input: 'options' }
  | { input: 'questions' }
  | { input: 'prefill' }
  | { input: 'image' };

const on = (key: string) => (block: Property) => isOn(block[key]);
const off = (key: string) => (block: Property) => !isOn(block[key]);

const MAX_CHARACTERS: OptionSpec = {
  ...{ key: 'max_char_limit', label: 'Limit of characters', input: 'number', min: 1 },
  placeholder: 'No limit',
};
const SHOW_LIMIT: OptionSpec = {
  ...{ key: 'show_char_limit', label: 'Show how many are left', input: 'switch' },
  when: ({ max_char_limit: limit }) => Boolean(limit),
};
const MASK: OptionSpec = {
  ...{ key: 'input_mask', label: 'Pattern to fill in', input: 'text', placeholder: '(999) 999-9999' },
  help: '9 is a digit, a a letter, * either; ? makes the one before it optional.',
};
const CODE: OptionSpec = {
  ...{ key: 'content', label: 'HTML', input: 'code' },
  help: 'Runs in a frame of its own, where your operator allows it. Only admins of the workspace can add code.',
};
const steps = (name: string, defaults: readonly [string, string, string]): readonly OptionSpec[] => [
  { key: `${name}_min_value`, label: 'Lowest', input: 'number', placeholder: defaults[0] },
  { key: `${name}_max_value`, label: 'Highest', input: 'number', placeholder: defaults[1] },
  { key: `${name}_step_value`, label: 'Step', input: 'number', placeholder: defaults[2] },
];
const FILE_SIZE: OptionSpec = {
  ...{ key: 'max_file_size', label: 'Largest file (MB)', input: 'number', min: 1 },
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
      ...{ key: 'slot_char', label: 'Character for open places', input: 'text', placeholder: '_', max: 1 },
      when: ({ input_mask: mask }) => Boolean(mask),
    },
    {
      ...{ key: 'generates_uuid', label: 'Fill with a unique id', input: 'switch' },
      help: 'Each answer gets a random one. Best for hidden fields.',
    },
    {
      ...{ key: 'generates_auto_increment_id', label: 'Fill with a running number', input: 'switch' },
      help: 'The first answer gets 1, the next 2.',
    },
  ],
  rich_text: [MAX_CHARACTERS, SHOW_LIMIT],
  number: [
    { key: 'number_min_value', label: 'Lowest', input: 'number', placeholder: 'Any' },
    { key: 'number_max_value', label: 'Highest', input: 'number', placeholder: 'Any' },
    { key: 'whole_number', label: 'Whole numbers only', input: 'switch' },
    { ...MAX_CHARACTERS, label: 'Limit of digits' },
  ],
  email: [MAX_CHARACTERS],
  url: [MAX_CHARACTERS],
  phone_number: [
    {
      ...{ key: 'use_simple_text_input', label: 'Take any text', input: 'switch' },
      help: 'Without a country to choose and without a check of the number.',
    },
    {
      ...{ key: 'unavailable_countries', label: 'Countries that cannot be chosen', input: 'countries' },
      when: off('use_simple_text_input'),
    },
    { ...MAX_CHARACTERS, when: on('use_simple_text_input') },
    { ...MASK, when: on('use_simple_text_input') },
  ],
  barcode: [
    {
      ...{ key: 'decoders', label: 'Codes to look for', input: 'checks' },
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
      ...{ key: 'scale_min_label', label: 'Words for the lowest', input: 'text', max: 100 },
      placeholder: 'Not at all likely',
    },
    {
      ...{ key: 'scale_max_label', label: 'Words for the highest', input: 'text', max: 100 },
      placeholder: 'Extremely likely',
    },
  ],
  slider: steps('slider', ['0', '50', '1']),
  select: [
    { key: 'options', label: 'Options', input: 'options' },
    SHUFFLE,
    PLACES_LEFT,
    {
      ...{ key: 'without_dropdown', label: 'Show all options at once', input: 'switch' },
      when: ({ option_display_mode: mode }) => mode !== 'text_and_image' && mode !== 'image_only',
    },
    ...CHOICE_DISPLAY,
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
  ],
  matrix: [
    { key: 'rows', label: 'Rows', input: 'list', word: 'Row' },
    { key: 'columns', label: 'Columns', input: 'list', word: 'Column' },
  ],
  repeat: [
    { key: 'questions', label: 'Questions of each entry', input: 'questions' },
    {
      ...{ key: 'entry_name', label: 'What an entry is called', input: 'text', max: 100 },
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
      ...{ key: 'allowed_file_types', label: 'Kinds of files', input: 'text', placeholder: 'pdf, png, jpg' },
      help: 'Their endings, with commas between. Empty for all.',
    },
  ],
  signature: [FILE_SIZE],
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
};

const WITHOUT_PLACEHOLDER = [
  'checkbox',
  'date',
  'rating',
  'scale',
  'matrix',
  'ranking',
  'repeat',
  'files',
  'signature',
];
const WITHOUT_PREFILL = ['files', 'signature', 'repeat'];

/** Options that only blocks of this canonical type have, whether or not they are shown at the moment. */
export function ownOptions(type: string): readonly OptionSpec[] {
  return OWN[type] ?? [];
}

/** Options of what the block asks and accepts. */
export function contentOptions(block: Property): OptionSpec[] {
  const type = canonicalTypeName(block.type);
  const common: OptionSpec[] = isLayoutBlock(block.type)
    ? []
    : [
        { key: 'help', label: 'Help', input: 'html' },
        ...(WITHOUT_PLACEHOLDER.includes(type) || isShownOpen(block)
          ? []
          : [{ key: 'placeholder', label: 'Placeholder', input: 'text' } as const]),
      ];
  return [...ownOptions(type), ...common].filter(({ when }) => when?.(block) ?? true);
}

/** Options of whether it must or may be answered, and its initial value. */
export function stateOptions(block: Property): OptionSpec[] {
  const hidden: OptionSpec = {
    ...{ key: 'hidden', label: 'Hidden', input: 'switch' },
    help: 'Always, or until its logic shows it.',
  };
  if (isLayoutBlock(block.type)) return block.type === 'nf-page-break' ? [] : [hidden];
  const type = canonicalTypeName(block.type);
  return [
    { key: 'required', label: 'Required', input: 'switch' },
    hidden,
    { key: 'disabled', label: 'Cannot be changed', input: 'switch' },
    ...(WITHOUT_PREFILL.includes(type)
      ? []
      : [{ key: 'prefill', label: 'Filled in with', input: 'prefill' } as const]),
    RETENTION,
  ];
}

/** Options of the block's look. */
export function lookOptions(block: Property): OptionSpec[] {
  const isLayout = isLayoutBlock(block.type);
  const look: OptionSpec[] = [
    {
      ...{ key: 'width', label: 'Width', input: 'choice' },
      choices: [
        ['full', 'Full'],
        ['3/4', 'Three quarters'],
        ['2/3', 'Two thirds'],
        ['1/2', 'Half'],
        ['1/3', 'One third'],
        ['1/4', 'One quarter'],
      ],
    },
    {
      ...{ key: 'align', label: 'Alignment', input: 'choice' },
      choices: [
        ['left', 'Start'],
        ['center', 'Center'],
        ['right', 'End'],
        ['justify', 'Justified'],
      ],
    },
    ...(isLayout
      ? []
      : ([
          { key: 'hide_field_name', label: 'Hide the name', input: 'switch', help: 'It is still read out.' },
          {
            ...{ key: 'help_position', label: 'Place of the help', input: 'choice' },
            choices: [
              ['below_input', 'Below the field'],
              ['above_input', 'Above the field'],
            ],
            when: ({ help }) => Boolean(help),
          },
        ] satisfies OptionSpec[])),
    ...(block.type === 'nf-code' || block.type === 'nf-image'
      ? []
      : [{ key: 'image', label: 'Picture', input: 'image' } as const]),
  ];
  return block.type === 'nf-page-break' ? [] : look.filter(({ when }) => when?.(block) ?? true);
}

/** Radios have no placeholder. */
function isShownOpen(block: Property): boolean {
  const type = canonicalTypeName(block.type);
  return type === 'multi_select' || (type === 'select' && isOn(block.without_dropdown));
}
