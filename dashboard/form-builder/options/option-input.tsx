import { isOn } from '../../../fields/block-options/options.ts';
import type { JsonValue, Property } from '../../../fields/property.ts';
import { Fallbacks } from '../../integrations/fallbacks.tsx';
import { PictureInput } from '../../pictures/picture-input.tsx';
import { Switch } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, Select, Textarea } from '../../ui/input.tsx';
import { useBuilder } from '../builder-context.ts';
import { ChoiceList } from '../lists/choice-editor.tsx';
import { Checks, Countries, Names } from '../lists/list-options.tsx';
import { QuestionList } from '../lists/question-list.tsx';
import { HtmlEditor } from '../texts/html-editor.tsx';
import { AmountInput } from './amount-input.tsx';
import { ImageInput } from './image-input.tsx';
import type { OptionSpec, SpecOf } from './option-spec.ts';
import { PrefillInput } from './prefill-input.tsx';

interface OptionInputProps {
  block: Property;
  /** Blocks of the whole form. */
  blocks: readonly Property[];
  spec: OptionSpec;
}

/** The input for one option of a block, as the table defines it. */
export function OptionInput({ block, blocks, spec }: OptionInputProps) {
  const option = useOption(block, spec.key);
  const { value, isOff, set } = option;
  switch (spec.input) {
    case 'switch':
      return <SwitchOption spec={spec} {...option} />;
    case 'choice':
      return <ChoiceOption spec={spec} {...option} />;
    case 'number':
      return <NumberOption spec={spec} problem={spec.problem?.(block) ?? null} {...option} />;
    case 'text':
    case 'address':
      return <TextOption spec={spec} {...option} />;
    case 'picture':
      return <PictureOption spec={spec} {...option} />;
    case 'code':
      return <CodeOption spec={spec} {...option} />;
    case 'html':
      return (
        <HtmlOption
          spec={spec}
          textOf={spec.key === 'content' ? block.id : undefined}
          blocks={blocks}
          {...option}
        />
      );
    case 'checks':
      return <Checks spec={spec} value={value} isOff={isOff} onChange={set} />;
    case 'countries':
      return <Countries spec={spec} value={value} isOff={isOff} onChange={set} />;
    case 'list':
      return <Names block={block} spec={spec} />;
    case 'options':
      return <ChoiceList block={block} />;
    case 'questions':
      return (
        <QuestionList
          block={block}
          label={spec.label}
          renderOption={(question, one) => <OptionInput block={question} blocks={[]} spec={one} />}
        />
      );
    case 'amount':
      return <AmountInput block={block} blocks={blocks} isOff={isOff} />;
    case 'prefill':
      return <PrefillInput block={block} label={spec.label} isOff={isOff} onChange={set} />;
    case 'image':
      return <ImageInput value={value} isOff={isOff} onChange={set} />;
  }
}

interface Option {
  value: JsonValue | undefined;
  /** The value as an input shows it. */
  text: string;
  /** Whether it cannot be changed. */
  isOff: boolean;
  /** @param next undefined: the option has its default. @param isTyped whether it is one of many changes while somebody types */
  set(next: JsonValue | undefined, isTyped?: boolean): void;
}

/** What a block has for an option, and how that is changed. */
function useOption(block: Property, key: string): Option {
  const { edit, refusal } = useBuilder();
  const value = block[key];
  return {
    value,
    text: typeof value === 'string' || typeof value === 'number' ? String(value) : '',
    isOff: refusal !== null,
    set: (next, isTyped = true) =>
      edit({ do: 'change', id: block.id, members: { [key]: next }, ...(isTyped && { isTyped }) }),
  };
}

type Props<Input extends OptionSpec['input']> = Option & { spec: SpecOf<Input> };

function SwitchOption({ spec, value, isOff, set }: Props<'switch'>) {
  return (
    <Switch
      label={spec.label}
      hint={spec.help}
      checked={isOn(value)}
      disabled={isOff}
      onChange={(event) => set(event.target.checked, false)}
    />
  );
}

/** The first choice is the default, which is not stored. */
function ChoiceOption({ spec, text, isOff, set }: Props<'choice'>) {
  const usual = spec.choices[0]?.[0];
  return (
    <Field name={spec.key} label={spec.label} hint={spec.help}>
      <Select
        className="w-full"
        disabled={isOff}
        value={text || usual}
        onChange={({ target }) => set(target.value === usual ? undefined : target.value)}
      >
        {spec.choices.map(([key, label]) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  );
}

function NumberOption({ spec, problem, text, isOff, set }: Props<'number'> & { problem: string | null }) {
  return (
    <Field
      name={spec.key}
      label={spec.label}
      hint={spec.help}
      errors={problem === null ? {} : { [spec.key]: [problem] }}
    >
      <Input
        type="number"
        step="any"
        min={spec.min}
        max={spec.max}
        readOnly={isOff}
        placeholder={spec.placeholder}
        value={text}
        onChange={({ target }) => set(target.value === '' ? undefined : Number(target.value))}
      />
    </Field>
  );
}

function TextOption({ spec, text, isOff, set }: Props<'text' | 'address'>) {
  return (
    <Field name={spec.key} label={spec.label} hint={spec.help}>
      <Input
        {...(spec.input === 'address' && { type: 'url', dir: 'ltr', inputMode: 'url' as const })}
        readOnly={isOff}
        maxLength={spec.input === 'text' ? spec.max : undefined}
        placeholder={spec.input === 'address' ? 'https://' : spec.placeholder}
        value={text}
        onChange={({ target }) => set(target.value || undefined)}
      />
    </Field>
  );
}

function PictureOption({ spec, text, isOff, set }: Props<'picture'>) {
  return (
    <Field name={spec.key} label={spec.label} hint={spec.help}>
      <PictureInput
        label={spec.label}
        isOff={isOff}
        value={text}
        onChange={(address) => set(address || undefined)}
      />
    </Field>
  );
}

function CodeOption({ spec, text, isOff, set }: Props<'code'>) {
  const { mayAddCode } = useBuilder();
  return (
    <Field name={spec.key} label={spec.label} hint={spec.help}>
      <Textarea
        dir="ltr"
        rows={8}
        spellCheck={false}
        className="font-mono text-[0.8125rem]"
        readOnly={isOff || !mayAddCode}
        value={text}
        onChange={({ target }) => set(target.value || undefined)}
      />
    </Field>
  );
}

interface HtmlOptionProps extends Props<'html'> {
  /** Id of the block whose text it is; undefined where it is another of its options. */
  textOf: string | undefined;
  blocks: readonly Property[];
}

/** A text that may mention answers and calculations. */
function HtmlOption({ spec, text, isOff, set, textOf, blocks }: HtmlOptionProps) {
  const { calculations } = useBuilder();
  const fields = [...blocks, ...calculations];
  return (
    <div className="grid grid-cols-1 gap-2">
      <HtmlEditor
        label={spec.label}
        value={text}
        isReadOnly={isOff}
        hint={spec.help}
        placeholder={spec.placeholder}
        textOf={textOf}
        fields={fields}
        onChange={set}
      />
      {!isOff && <Fallbacks of={spec.label.toLowerCase()} text={text} fields={fields} onChange={set} />}
    </div>
  );
}
