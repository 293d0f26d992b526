import { type ReactNode, useState } from 'react';
import { choicesOf } from '../../fields/choices.ts';
import { nameWithoutId } from '../../fields/name-without-id.ts';
import { isBlank, isOn, stringList } from '../../fields/options.ts';
import { isJsonObject, type JsonValue, type Property } from '../../fields/property.ts';
import { rankedNames } from '../../fields/ranking-places.ts';
import { textOf } from '../../fields/text-of.ts';
import { canonicalTypeName, holdsFiles, NUMBER_TYPES } from '../../fields/type-names.ts';
import { typedNumber, writtenNumber } from '../../fields/typed-number.ts';
import type { Errors } from '../api/client.ts';
import { HtmlEditor } from '../form-builder/html-editor.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Field, useFieldProps } from '../ui/field.tsx';
import { Input, Select, Textarea } from '../ui/input.tsx';
import { OrderInput } from '../ui/order-input.tsx';
import { UserText } from '../ui/user-text.tsx';
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
  const { property, answer, language, errors, hint, onChange } = props;
  const { id, name } = property;
  const type = canonicalTypeName(property.type);
  const label = <bdi className="wrap-anywhere">{name}</bdi>;
  if (type === 'checkbox' && !isOfOtherType(property, answer))
    return (
      <Checkbox
        label={label}
        hint={errors[id] ? <span className="text-bad">{errors[id].join(' ')}</span> : hint}
        checked={answer === true}
        aria-invalid={errors[id] ? true : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
    );
  const isForeign = holdsEntries(answer) && type !== 'repeat';
  const describedBy = [hint && `${id}-hint`, errors[id] && `${id}-problem`].filter(Boolean).join(' ');
  if (type === 'rich_text' && !isForeign)
    return (
      <HtmlEditor
        label={name}
        value={textOf(answer ?? '')}
        isReadOnly={false}
        hint={hint}
        problems={errors[id] ?? []}
        onChange={(html) => onChange(html ?? '')}
      />
    );
  if (
    isForeign ||
    ['checkbox', 'multi_select', 'ranking', 'matrix', 'repeat'].includes(type) ||
    holdsFiles(type) ||
    (type === 'date' && isOn(property.date_range))
  )
    return (
      <fieldset
        className="grid min-w-0 gap-2"
        data-refused={errors[id] && ''}
        aria-describedby={describedBy || undefined}
      >
        <legend className="mb-1.5 font-medium">{label}</legend>
        <Parts {...props} type={type} />
        {hint && (
          <p id={`${id}-hint`} className="text-[0.8125rem] text-muted">
            {hint}
          </p>
        )}
        {errors[id] && (
          <p id={`${id}-problem`} role="alert" className="text-[0.8125rem] text-bad">
            {errors[id].join(' ')}
          </p>
        )}
      </fieldset>
    );
  return (
    <Field name={id} label={label} hint={hint} errors={errors}>
      <One property={property} type={type} answer={answer} language={language} onChange={onChange} />
    </Field>
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

function Parts({
  property,
  type,
  answer,
  language,
  onChange,
}: AnswerInputProps & { type: string }): ReactNode {
  if (holdsFiles(type)) {
    const names = Array.isArray(answer) ? answer : answer ? [answer] : [];
    if (names.length === 0) return <p className="text-muted">No file</p>;
    return names.map((name) => (
      <Removable
        key={String(name)}
        text={nameWithoutId(String(name))}
        onRemove={() => onChange(Array.isArray(answer) ? answer.filter((other) => other !== name) : '')}
      />
    ));
  }
  if (isOfOtherType(property, answer))
    return (
      <>
        <Removable text={answerText(property, answer)} onRemove={() => onChange(null)} />
        <p className="text-[0.8125rem] text-muted">
          Given when the question had another type. Remove it to answer anew.
        </p>
      </>
    );
  if (type === 'repeat')
    return (
      <EntriesInput
        property={property}
        answer={answer}
        language={language}
        AnswerInput={AnswerInput}
        onChange={onChange}
      />
    );
  if (type === 'ranking')
    return (
      <OrderInput
        names={rankedNames(property)}
        value={isBlank(answer) ? [] : [answer ?? ''].flat().map(textOf)}
        none="No answer"
        onChange={onChange}
      />
    );
  if (type === 'matrix') {
    const rows = isJsonObject(answer) ? answer : {};
    return stringList(property.rows).map((row) => (
      <Field key={row} name={`${property.id}.${row}`} label={<bdi className="font-normal">{row}</bdi>}>
        <Select
          className="w-full"
          value={textOf(rows[row] ?? '')}
          onChange={(event) => onChange(withMember(rows, row, event.target.value))}
        >
          <option value="">No answer</option>
          {stringList(property.columns).map((column) => (
            <option key={column} value={column}>
              {column}
            </option>
          ))}
        </Select>
      </Field>
    ));
  }
  const values = isBlank(answer) ? [] : [answer ?? ''].flat().map(textOf);
  if (type === 'date')
    return (
      <div className="grid grid-cols-2 gap-2">
        {['From', 'To'].map((label, index) => (
          <Field
            key={label}
            name={`${property.id}.${index}`}
            label={<span className="font-normal">{label}</span>}
          >
            <DateInput
              isTimed={isTimed(property, values[index] ?? '')}
              text={values[index] ?? ''}
              onChange={(text) =>
                onChange(range(index === 0 ? [text, values[1] ?? ''] : [values[0] ?? '', text]))
              }
            />
          </Field>
        ))}
      </div>
    );
  const names = choicesOf(property, 'multi_select').map(({ name }) => name);
  return withOthers(names, values).map((name) => (
    <Checkbox
      key={name}
      label={<bdi>{name}</bdi>}
      checked={values.includes(name)}
      onChange={(event) =>
        onChange(event.target.checked ? [...values, name] : values.filter((other) => other !== name))
      }
    />
  ));
}

/** Whether it was given when the question had another type: it can be read and removed, but not edited. */
function isOfOtherType(property: Property, answer: JsonValue | undefined): boolean {
  if (answer === undefined || isBlank(answer)) return false;
  return shownType(property, answer) !== canonicalTypeName(property.type);
}

function Removable({ text, onRemove }: { text: string; onRemove(): void }) {
  return (
    <div className="flex items-center justify-between gap-3">
      <UserText text={text} />
      <Button size="sm" onClick={onRemove}>
        Remove
      </Button>
    </div>
  );
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

/** Two empty ends are no answer; a single end is sent, and refused by the form's rules. */
function range(texts: [string, string]): JsonValue {
  return texts.some((text) => text !== '') ? texts : [];
}

function withOthers(names: string[], chosen: string[]): string[] {
  return [...new Set([...names, ...chosen])];
}

function withMember(rows: { [key: string]: JsonValue | undefined }, row: string, column: string): JsonValue {
  const entries = Object.entries({ ...rows, [row]: column }).filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined && entry[1] !== '',
  );
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}
