import type { FieldType } from '../field-type.ts';

/** Blocks that show something and ask nothing: never required, and a value sent for one is never stored. */
export const LAYOUT_TYPES: readonly FieldType[] = [
  'nf-text',
  'nf-page-break',
  'nf-divider',
  'nf-image',
  'nf-video',
  'nf-audio',
  'nf-code',
].map((name) => ({
  name,
  kind: 'layout',
  checkOptions: () => [],
  compile: () => () => null,
  isEmpty: () => true,
  toText: () => '',
  csvKind: 'text',
  operators: [],
}));
