import type { AnswerRules, FieldType } from '../field-type.ts';

/** Blocks that show something and ask nothing: never required, and values sent for them are not stored. */
const RULES: Omit<AnswerRules, 'name'> = { kind: 'layout', compile: () => () => null, isEmpty: () => true };

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
  ...RULES,
  checkOptions: () => [],
  toText: () => '',
  csvKind: 'text',
  answerSchema: () => ({ not: {} }),
  operators: [],
}));
