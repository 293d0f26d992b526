import { MAX_RETENTION_DAYS, retentionProblems } from '../../../fields/block-options/answer-retention.ts';
import { isOn } from '../../../fields/block-options/options.ts';
import type { Property } from '../../../fields/property.ts';
import { canonicalTypeName, isLayoutBlock } from '../../../fields/type-names.ts';
import type { OptionSpec } from './option-spec.ts';
import { ownOptions } from './own-options.ts';
import { WRONG_RETENTION } from './retention-words.ts';

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
  'payment',
];
const WITHOUT_PREFILL = ['files', 'signature', 'repeat', 'payment'];
/** What is due is always paid, and only the service knows whether it was. */
const PAID = 'payment';

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
    key: 'hidden',
    label: 'Hidden',
    input: 'switch',
    help: 'Always, or until its logic shows it.',
  };
  if (isLayoutBlock(block.type)) return block.type === 'nf-page-break' ? [] : [hidden];
  const type = canonicalTypeName(block.type);
  if (type === PAID) return [hidden];
  return [
    { key: 'required', label: 'Required', input: 'switch' },
    hidden,
    { key: 'disabled', label: 'Cannot be changed', input: 'switch' },
    ...(WITHOUT_PREFILL.includes(type)
      ? []
      : [{ key: 'prefill', label: 'Filled in with', input: 'prefill' } as const]),
    {
      key: 'retention_days',
      label: 'Remove answers after (days)',
      input: 'number',
      min: 1,
      max: MAX_RETENTION_DAYS,
      placeholder: 'Never',
      help: 'Counted from the last change of the response. They are removed for good; the rest of the response stays.',
      problem: (of) => (retentionProblems(of).length > 0 ? WRONG_RETENTION : null),
    },
  ];
}

/** Options of the block's look. */
export function lookOptions(block: Property): OptionSpec[] {
  const isLayout = isLayoutBlock(block.type);
  const look: OptionSpec[] = [
    {
      key: 'width',
      label: 'Width',
      input: 'choice',
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
      key: 'align',
      label: 'Alignment',
      input: 'choice',
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
            key: 'help_position',
            label: 'Place of the help',
            input: 'choice',
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
