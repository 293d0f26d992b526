import { type ReactNode, useState } from 'react';
import { textOf } from '../../../fields/as-text/text-of.ts';
import { typedNumber, writtenNumber } from '../../../fields/as-text/typed-number.ts';
import { isBlank, isOn } from '../../../fields/block-options/options.ts';
import { choicesOf } from '../../../fields/choices/choices.ts';
import { rankedNames } from '../../../fields/choices/ranking-places.ts';
import { isJsonObject, type JsonValue, ownMember, type Property } from '../../../fields/property.ts';
import { canonicalTypeName, holdsFiles, NUMBER_TYPES } from '../../../fields/type-names.ts';
import type { Errors } from '../../api/client.ts';
import { HtmlEditor } from '../../form-builder/texts/html-editor.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field, useFieldProps } from '../../ui/field.tsx';
import { Input, Select, Textarea } from '../../ui/input.tsx';
import { OrderInput } from '../../ui/order-input.tsx';
import {
  ChoiceParts,
  FileParts,
  MatrixParts,
  RangeParts,
  Removable,
  valuesIn,
  withOthers,
} from './answer-parts.tsx';
import { holdsEntries, shownType } from './answer-shape.ts';
import { answerText } from './answer-text.ts';
import { DateInput, isTimed } from './date-input.tsx';
import { EntriesInput } from './entries-input.tsx';

interface AnswerInputProps {
  property: Property;
  answer: JsonValue | undefined;
  /** Language of the form, which decides how numbers are written. */
  language: string;
  errors: Errors;
  hint?: string | undefined;
  onChange(answer: JsonValue): void;
}

/** Edits one answer. Values are sent as entered, and the service checks them by the form's rules. */
export function AnswerInput(props: AnswerInputProps) {
  const { property, answer, language, hint, onChange } = props;
  const { id, name } = property;
  const problems = ownMember(props.errors, id);
  const type = canonicalTypeName(property.type);
  const label = <bdi className="wrap-anywhere">{name}</bdi>;
  if (type === 'checkbox' && !isOfOtherType(property, answer))
    return (
      <Checkbox
        label={label}
        hint={problems ? <span className="text-bad">{problems.join(' ')}</span> : hint}
        checked={answer === true}
        aria-invalid={problems ? true : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
    );
  const isForeign = holdsEntries(answer) && type !== 'repeat';
  if (isForeign || hasParts(property, type))
    return (
      <Group id={id} label={label} hint={hint} problem={problems?.join(' ')}>
        <Parts {...props} type={type} />
      </Group>
    );
  if (type === 'rich_text')
    return (
      <HtmlEditor
        label={name}
        value={textOf(answer ?? '')}
        isReadOnly={false}
        hint={hint}
        problems={problems ?? []}
        onChange={(html) => onChange(html ?? '')}
      />
    );
  return (
    <Field name={id} label={label} hint={hint} errors={props.errors}>
      <One property={property} type={type} answer={answer} language={language} onChange={onChange} />
    </Field>
  );
}

/** Whether an answer is entered in several inputs, or in parts that can be removed. */
function hasParts(property: Property, type: string): boolean {
  return (
    ['checkbox', 'multi_select', 'ranking', 'matrix', 'repeat'].includes(type) ||
    holdsFiles(type) ||
    (type === 'date' && isOn(property.date_range))
  );
}

interface GroupProps {
  id: string;
  label: ReactNode;
  hint: string | undefined;
  problem: string | undefined;
  children: ReactNode;
}

/** Several inputs for one answer, with what is said about all of them. */
function Group({ id, label, hint, problem, children }: GroupProps) {
  const isRefused = problem !== undefined;
  const describedBy = [hint && `${id}-hint`, isRefused && `${id}-problem`].filter(Boolean).join(' ');
  return (
    <fieldset
      className="grid min-w-0 gap-2"
      data-refused={isRefused ? '' : undefined}
      aria-describedby={describedBy || undefined}
    >
      <legend className="mb-1.5 font-medium">{label}</legend>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-[0.8125rem] text-muted">
          {hint}
        </p>
      )}
      {isRefused && (
        <p id={`${id}-problem`} role="alert" className="text-[0.8125rem] text-bad">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

interface OneProps {
  property: Property;
  type: string;
  answer: JsonValue | undefined;
  language: string;
  onChange(answer: JsonValue): void;
}

const INPUT_TYPES: Record<string, string> = { email: 'email', url: 'url', phone_number: 'tel' };

function One({ property, type, answer, language, onChange }: OneProps): ReactNode {
  const text = textOf(answer ?? '');
  const described = useFieldProps();
  if (type === 'select') {
    const names = choicesOf(property, 'select').map((choice) => choice.name);
    if (names.length > 0 && !isOn(property.allow_creation))
      return (
        <Select className="w-full" value={text} onChange={(event) => onChange(event.target.value)}>
          <option value="">No answer</option>
          {withOthers(names, text === '' ? [] : [text]).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
      );
  }
  if (NUMBER_TYPES.includes(type)) return <NumberInput text={text} language={language} onChange={onChange} />;
  if (type === 'date') return <DateInput isTimed={isTimed(property, text)} text={text} onChange={onChange} />;
  if (isOn(property.multi_lines) || text.includes('\n'))
    return <Textarea value={text} onChange={(event) => onChange(event.target.value)} />;
  if (isJsonObject(answer)) return <Input {...described} value={text} readOnly />;
  return (
    <Input
      type={INPUT_TYPES[type] ?? 'text'}
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function Parts({ type, ...props }: AnswerInputProps & { type: string }): ReactNode {
  const { property, answer, language, onChange } = props;
  if (holdsFiles(type)) return <FileParts answer={answer} onChange={onChange} />;
  if (isOfOtherType(property, answer))
    return (
      <>
        <Removable text={answerText(property, answer)} onRemove={() => onChange(null)} />
        <p className="text-[0.8125rem] text-muted">
          Given when the question had another type. Remove it to answer anew.
        </p>
      </>
    );
  switch (type) {
    case 'repeat':
      return (
        <EntriesInput
          property={property}
          answer={answer}
          language={language}
          AnswerInput={AnswerInput}
          onChange={onChange}
        />
      );
    case 'ranking':
      return (
        <OrderInput
          names={rankedNames(property)}
          value={valuesIn(answer)}
          none="No answer"
          onChange={onChange}
        />
      );
    case 'matrix':
      return <MatrixParts property={property} answer={answer} onChange={onChange} />;
    case 'date':
      return <RangeParts property={property} answer={answer} onChange={onChange} />;
    default:
      return <ChoiceParts property={property} answer={answer} onChange={onChange} />;
  }
}

/** Whether it was given when the question had another type: it can be read and removed, but not edited. */
function isOfOtherType(property: Property, answer: JsonValue | undefined): boolean {
  if (answer === undefined || isBlank(answer)) return false;
  return shownType(property, answer) !== canonicalTypeName(property.type);
}

/** Written as on the form's page. A text that is no number, or ambiguous, is sent as a list, which the rules refuse. */
function NumberInput({
  text,
  language,
  onChange,
}: {
  text: string;
  language: string;
  onChange(answer: JsonValue): void;
}) {
  const [typed, setTyped] = useState(() => writtenNumber(text, language));
  return (
    <Input
      inputMode="decimal"
      value={typed}
      onChange={({ target }) => {
        const now = target.value.trim();
        setTyped(target.value);
        onChange(now === '' ? '' : (typedNumber(now, language) ?? [now]));
      }}
    />
  );
}
