import type { Property } from '../../../fields/property.ts';

/** How one option of a block is edited. */
export type OptionSpec = {
  key: string;
  label: string;
  /** Only if the label does not say everything. */
  help?: string;
  /** Shown only if this returns true. */
  when?: (block: Property) => boolean;
} & OptionInput;

/** Those that are edited by an input. */
export type SpecOf<Input extends OptionSpec['input']> = Extract<OptionSpec, { input: Input }>;

type OptionInput =
  | { input: 'switch' }
  | {
      input: 'number';
      min?: number;
      max?: number;
      placeholder?: string;
      /** What is wrong with it, told beside the input too, because the head of the block may be out of sight. */
      problem?: (block: Property) => string | null;
    }
  | { input: 'text'; placeholder?: string; max?: number }
  | { input: 'address'; placeholder?: string }
  | { input: 'picture' }
  | { input: 'html'; placeholder?: string }
  | { input: 'code' }
  | { input: 'choice'; choices: readonly (readonly [string, string])[] }
  | { input: 'checks'; choices: readonly (readonly [string, string])[] }
  | { input: 'countries' }
  | { input: 'list'; key: 'rows' | 'columns'; word: string }
  | { input: 'options' }
  | { input: 'questions' }
  | { input: 'amount' }
  | { input: 'prefill' }
  | { input: 'image' };
