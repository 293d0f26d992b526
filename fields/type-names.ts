/** Types of blocks by their canonical names. */
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
];
const LAYOUT = /^nf-(?:text|page-break|divider|image|video|audio|code)$/;

/**
 * The canonical name, with `-` and `_` taken as the same: `multi-select` as `multi_select`, `nf_text` as `nf-text`; `unknown` for
 * any other.
 */
export function canonicalTypeName(typeName: string): string {
  const name = typeName.replaceAll('-', '_');
  if (INPUT_TYPES.includes(name)) return name;
  const layoutName = name.replaceAll('_', '-');
  return LAYOUT.test(layoutName) ? layoutName : 'unknown';
}

/** Whether blocks of a type ask nothing. */
export function isLayoutBlock(typeName: string): boolean {
  return canonicalTypeName(typeName).startsWith('nf-');
}

/** Types whose answers can be shown in summary, without revealing a single person's. */
export const SUMMARISED_TYPES = [
  'select',
  'multi_select',
  'checkbox',
  'rating',
  'scale',
  'slider',
  'number',
  'matrix',
  'ranking',
];

/** Types whose answers are numbers. */
export const NUMBER_TYPES: readonly string[] = ['number', 'rating', 'scale', 'slider'];

/** Types whose answers refer to files. */
export const FILE_TYPES = ['files', 'signature'];

export function holdsFiles(canonicalName: string): boolean {
  return FILE_TYPES.includes(canonicalName);
}
