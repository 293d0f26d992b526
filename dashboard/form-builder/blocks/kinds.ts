import { isOn } from '../../../fields/block-options/options.ts';
import type { JsonValue, Property } from '../../../fields/property.ts';
import { canonicalTypeName, OPTION_TYPES } from '../../../fields/type-names.ts';
import { newId } from '../new-id.ts';

/** What can be added to a form, as people think of it; several kinds may be one type with different options. */
export interface Kind {
  key: string;
  label: string;
  group: Group;
  /** Canonical type. */
  type: string;
  /** Synonyms for the search. */
  words: string;
  /** Options that distinguish it from others of its type, and that a new block begins with. */
  options?: Record<string, JsonValue>;
  /** Whether a block of the type is of this kind; the first kind of a type takes the rest. */
  matches?: (block: Property) => boolean;
}

type Group = 'Text' | 'Choice' | 'Rating' | 'Contact' | 'Date and number' | 'Files' | 'Layout';
export const GROUPS: readonly Group[] = [
  'Text',
  'Choice',
  'Contact',
  'Date and number',
  'Rating',
  'Files',
  'Layout',
];

const isFlagged = (key: string) => (block: Property) => isOn(block[key]);
const hasPictures = ({ option_display_mode: mode }: Property) =>
  mode === 'text_and_image' || mode === 'image_only';

const ALL = [
  { key: 'text', label: 'Short text', group: 'Text', type: 'text', words: 'line input answer name' },
  {
    key: 'long-text',
    label: 'Long text',
    group: 'Text',
    type: 'text',
    words: 'textarea paragraph message comment',
    options: { multi_lines: true },
    matches: isFlagged('multi_lines'),
  },
  { key: 'rich-text', label: 'Rich text', group: 'Text', type: 'rich_text', words: 'formatted editor html' },
  {
    key: 'password',
    label: 'Secret text',
    group: 'Text',
    type: 'text',
    words: 'password pin',
    options: { secret_input: true },
    matches: isFlagged('secret_input'),
  },
  {
    key: 'radio',
    label: 'One choice',
    group: 'Choice',
    type: 'select',
    words: 'radio single select option multiple choice',
    options: { without_dropdown: true },
    matches: isFlagged('without_dropdown'),
  },
  { key: 'dropdown', label: 'Dropdown', group: 'Choice', type: 'select', words: 'select list one choice' },
  {
    key: 'multi-select',
    label: 'Several choices',
    group: 'Choice',
    type: 'multi_select',
    words: 'checkboxes tags multiple select list',
  },
  {
    key: 'pictures',
    label: 'Picture choice',
    group: 'Choice',
    type: 'select',
    words: 'image photo cards',
    options: { option_display_mode: 'text_and_image', without_dropdown: true },
    matches: hasPictures,
  },
  {
    key: 'checkbox',
    label: 'Checkbox',
    group: 'Choice',
    type: 'checkbox',
    words: 'consent agree terms yes tick',
  },
  {
    key: 'switch',
    label: 'Switch',
    group: 'Choice',
    type: 'checkbox',
    words: 'toggle yes no on off',
    options: { use_toggle_switch: true },
    matches: isFlagged('use_toggle_switch'),
  },
  {
    key: 'matrix',
    label: 'Matrix',
    group: 'Choice',
    type: 'matrix',
    words: 'grid table rows columns likert',
  },
  {
    key: 'ranking',
    label: 'Ranking',
    group: 'Choice',
    type: 'ranking',
    words: 'order sort rank priority put in order',
  },
  {
    key: 'repeat',
    label: 'Repeated questions',
    group: 'Choice',
    type: 'repeat',
    words: 'repeat group entries list rows people items several times subform loop add another',
  },
  { key: 'email', label: 'E-mail', group: 'Contact', type: 'email', words: 'email mail address contact' },
  {
    key: 'phone',
    label: 'Phone',
    group: 'Contact',
    type: 'phone_number',
    words: 'telephone mobile number contact',
  },
  { key: 'url', label: 'Web address', group: 'Contact', type: 'url', words: 'url link website' },
  { key: 'date', label: 'Date', group: 'Date and number', type: 'date', words: 'day time calendar birthday' },
  {
    key: 'date-range',
    label: 'Date range',
    group: 'Date and number',
    type: 'date',
    words: 'from to period days',
    options: { date_range: true },
    matches: isFlagged('date_range'),
  },
  {
    key: 'number',
    label: 'Number',
    group: 'Date and number',
    type: 'number',
    words: 'amount quantity age integer',
  },
  {
    key: 'payment',
    label: 'Payment',
    group: 'Date and number',
    type: 'payment',
    words: 'pay money price stripe card checkout fee donation',
  },
  { key: 'slider', label: 'Slider', group: 'Date and number', type: 'slider', words: 'range number' },
  { key: 'rating', label: 'Stars', group: 'Rating', type: 'rating', words: 'rating star score' },
  { key: 'scale', label: 'Scale', group: 'Rating', type: 'scale', words: 'nps opinion linear score numbers' },
  {
    key: 'files',
    label: 'File upload',
    group: 'Files',
    type: 'files',
    words: 'attachment document image photo pdf',
  },
  { key: 'signature', label: 'Signature', group: 'Files', type: 'signature', words: 'sign draw' },
  { key: 'barcode', label: 'Barcode or QR', group: 'Files', type: 'barcode', words: 'scan camera ean code' },
  {
    key: 'location',
    label: 'Location',
    group: 'Contact',
    type: 'location',
    words: 'place gps coordinates position map geopoint latitude longitude where',
  },
  {
    key: 'page-break',
    label: 'New page',
    group: 'Layout',
    type: 'nf-page-break',
    words: 'page break step section next',
  },
  {
    key: 'content',
    label: 'Text block',
    group: 'Layout',
    type: 'nf-text',
    words: 'heading paragraph description title content statement welcome introduction',
  },
  { key: 'divider', label: 'Divider', group: 'Layout', type: 'nf-divider', words: 'line separator' },
  { key: 'image', label: 'Image', group: 'Layout', type: 'nf-image', words: 'picture photo' },
  { key: 'video', label: 'Video', group: 'Layout', type: 'nf-video', words: 'film youtube vimeo' },
  { key: 'audio', label: 'Audio', group: 'Layout', type: 'nf-audio', words: 'sound music podcast' },
  { key: 'code', label: 'Code', group: 'Layout', type: 'nf-code', words: 'html script embed' },
] as const satisfies readonly Kind[];
export type KindKey = (typeof ALL)[number]['key'];

/** In the order of the palette; `kindOf` looks at special kinds before the general one of their type. */
export const KINDS: readonly Kind[] = ALL;

const GENERAL: ReadonlyMap<string, Kind> = new Map(
  KINDS.toReversed()
    .filter((kind) => kind.matches === undefined)
    .map((kind) => [kind.type, kind]),
);
const SPECIAL = KINDS.filter((kind) => kind.matches !== undefined).toSorted(
  // Pictures first, because they may be shown without a dropdown too.
  (one, other) => Number(other.key === 'pictures') - Number(one.key === 'pictures'),
);

/** The kind of a block; null for types that only other clients create. */
export function kindOf(block: Property): Kind | null {
  const type = canonicalTypeName(block.type);
  return SPECIAL.find((kind) => kind.type === type && kind.matches?.(block)) ?? GENERAL.get(type) ?? null;
}

/** The kinds whose names or synonyms contain these words; those named so come first, because Enter adds the first. */
export function searchKinds(text: string): readonly Kind[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = KINDS.filter(({ label, words: more, group }) => {
    const all = `${label} ${more} ${group}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const isCalledSo = ({ label }: Kind) => {
    const names = label.toLowerCase().split(' ');
    return words.every((word) => names.some((name) => name.startsWith(word)));
  };
  return found.toSorted((one, other) => Number(isCalledSo(other)) - Number(isCalledSo(one)));
}

/** A new block, ready to be rendered. */
export function newBlock(kind: Kind): Property {
  const isInput = !kind.type.startsWith('nf-');
  return {
    id: newId(),
    type: kind.type,
    name: kind.label,
    ...(isInput && { hidden: false, required: false }),
    ...startOf(kind),
    ...kind.options,
  };
}

/** The initial members of a block of this kind besides its options. */
export function startOf({ key, type }: Kind): Record<string, JsonValue> {
  if (OPTION_TYPES.includes(type)) {
    const names = key === 'pictures' ? [] : ['Option 1', 'Option 2', 'Option 3'];
    return { [type]: { options: names.map((name) => ({ id: newId(), name })) } };
  }
  if (type === 'repeat') {
    const questions = [
      { id: newId(), type: 'text', name: 'Name', required: true },
      { id: newId(), type: 'number', name: 'Age', required: false },
    ];
    return { entry_name: 'Person', questions };
  }
  if (type === 'payment') return { amount: 10, currency: 'EUR' };
  if (type === 'matrix') return { rows: ['Row 1', 'Row 2'], columns: ['Column 1', 'Column 2', 'Column 3'] };
  return {};
}
