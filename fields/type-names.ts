/** Types of fields by their canonical names. */
export const INPUT_TYPES = [
  'text',
  'rich_text',
  'number',
  'rating',
  'scale',
  'slider',
  'select',
  'multi_select',
  'checkbox',
  'date',
  'email',
  'url',
  'phone_number',
  'matrix',
  'ranking',
  'files',
  'signature',
  'barcode',
  'location',
  'repeat',
  'payment',
  'computed',
] as const;
export type InputType = (typeof INPUT_TYPES)[number];

const LAYOUT = /^nf-(?:text|page-break|divider|image|video|audio|code)$/;

/**
 * The canonical name, with `-` and `_` taken as the same: `multi-select` as `multi_select`, `nf_text` as `nf-text`; `unknown` for
 * any other.
 */
export function canonicalTypeName(typeName: string): string {
  const name = typeName.replaceAll('-', '_');
  if ((INPUT_TYPES as readonly string[]).includes(name)) return name;
  const layoutName = name.replaceAll('_', '-');
  return LAYOUT.test(layoutName) ? layoutName : 'unknown';
}

/** Whether blocks of a type ask nothing. */
export function isLayoutBlock(typeName: string): boolean {
  return canonicalTypeName(typeName).startsWith('nf-');
}

/** Types whose answers can be shown in summary, without revealing a single person's. */
export const SUMMARISED_TYPES: readonly string[] = [
  'select',
  'multi_select',
  'checkbox',
  'rating',
  'scale',
  'slider',
  'number',
  'matrix',
  'ranking',
] satisfies InputType[];

/** Types whose answers are numbers. */
export const NUMBER_TYPES: readonly string[] = ['number', 'rating', 'scale', 'slider'] satisfies InputType[];

/** Types that let people choose among options. */
export const CHOICE_TYPES: readonly string[] = ['select', 'multi_select'] satisfies InputType[];

/** Types with a list of options: those to choose from, and those to put in order. */
export const OPTION_TYPES: readonly string[] = ['select', 'multi_select', 'ranking'] satisfies InputType[];

/** Types whose answers refer to files. */
export const FILE_TYPES: readonly string[] = ['files', 'signature'] satisfies InputType[];

export function holdsFiles(canonicalName: string): boolean {
  return FILE_TYPES.includes(canonicalName);
}
