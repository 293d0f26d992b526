import { useEffect, useState } from 'react';
import { stringList } from '../../../fields/block-options/options.ts';
import { type Condition, isJsonObject, type JsonValue, type Property } from '../../../fields/property.ts';
import { FieldOptions } from '../../calculations/field-options.tsx';
import { kindOfGone } from '../../calculations/fields.ts';
import { classes } from '../../lib/classes.ts';
import { Input, Select } from '../../ui/input.tsx';
import { OrderInput } from '../../ui/order-input.tsx';
import { ChoiceChecks } from '../lists/choice-checks.tsx';
import { optionName, optionsOf } from '../lists/choice-list.ts';
import { MatrixRows } from '../lists/matrix-rows.tsx';
import { isUnseen, markSeen } from './condition-tree.ts';
import { answerTo, mentionedField, mentionOf, type ValueKind, valueKindOf } from './logic-words.ts';

interface ValueProps {
  condition: Condition;
  /** The field of the condition; null if it was deleted. */
  field: Property | null;
  fields: readonly Property[];
  isReadOnly: boolean;
  onChange(value: JsonValue): void;
}

/** Kinds of values that may be another field's answer. */
const COMPARABLE: readonly ValueKind[] = ['text', 'number', 'date', 'choice'];
/** Kinds of values that have room beside the comparison. */
const SHORT: readonly ValueKind[] = ['number', 'days', 'date', 'flag'];

/** Whether the input for the value is short enough to stand beside the comparison, which has a narrow list of words. */
export function hasShortValue(
  { value: { operator, value } }: Condition,
  { type }: Pick<Property, 'type'>,
): boolean {
  return mentionedField(value) === null && SHORT.includes(valueKindOf({ type }, operator));
}

/** The input for a condition's value, by type. */
export function ConditionValue({ condition, field, fields, isReadOnly, onChange }: ValueProps) {
  const { operator, value } = condition.value;
  /** Whether a missing value is marked: not before somebody had the time to enter it. */
  const [isMarked, setMarked] = useState(() => !isUnseen(condition));
  useEffect(() => markSeen(condition), [condition]);
  const type = field?.type ?? condition.value.property_meta?.type ?? 'text';
  const kind = valueKindOf({ type }, operator);
  if (kind === 'none') return null;
  const mention = mentionedField(value);
  const others = fields.filter(({ id }) => id !== condition.identifier);
  const canCompare = COMPARABLE.includes(kind) && others.length > 0;
  return (
    <>
      <div
        className={classes(
          'grid min-w-0 grid-cols-1',
          !hasShortValue(condition, { type }) && 'sm:col-span-2',
        )}
      >
        {mention === null ? (
          <PlainValue
            kind={kind}
            field={field}
            value={value}
            isMarked={isMarked}
            isReadOnly={isReadOnly}
            onChange={onChange}
            onLeave={() => setMarked(true)}
          />
        ) : (
          <Select
            aria-label="The answer to"
            className="w-full"
            disabled={isReadOnly}
            value={mention}
            onChange={(event) => onChange(mentionOf(event.target.value))}
          >
            {!others.some(({ id }) => id === mention) && (
              <option value={mention}>A deleted {kindOfGone(mention)}</option>
            )}
            <FieldOptions fields={others} nameOf={answerTo} />
          </Select>
        )}
      </div>
      {canCompare && !isReadOnly && (
        <button
          type="button"
          className="justify-self-start rounded text-[0.8125rem] text-accent hover:underline sm:col-span-2"
          onClick={() => onChange(mention === null ? mentionOf(others[0]?.id ?? '') : '')}
        >
          {mention === null ? 'Compare with another answer' : 'Compare with a fixed value'}
        </button>
      )}
    </>
  );
}

interface PlainProps {
  kind: ValueKind;
  field: Property | null;
  value: JsonValue | undefined;
  /** Whether it is shown as a mistake that there is none. */
  isMarked: boolean;
  isReadOnly: boolean;
  onChange(value: JsonValue): void;
  onLeave(): void;
}

function PlainValue({ kind, field, value, isMarked, isReadOnly, onChange, onLeave }: PlainProps) {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const isMissing = text === '' && isMarked;
  const common = {
    'aria-label': 'Value',
    readOnly: isReadOnly,
    'aria-invalid': isMissing || undefined,
    onBlur: onLeave,
  };
  const names = field ? [...new Set(optionsOf(field).map(optionName))].filter((name) => name !== '') : [];
  switch (kind) {
    case 'choice':
      if (names.length === 0) break;
      return (
        <Select
          aria-label="Value"
          className="w-full"
          disabled={isReadOnly}
          aria-invalid={isMissing || (text !== '' && !names.includes(text)) || undefined}
          value={text}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onLeave}
        >
          {!names.includes(text) && (
            <option value={text}>{text === '' ? 'Choose' : `${text} (no such option)`}</option>
          )}
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
      );
    case 'choices':
      if (names.length === 0) break;
      return <Choices names={names} value={value} isReadOnly={isReadOnly} onChange={onChange} />;
    case 'order':
      return (
        <OrderInput
          label="Value"
          isLabelHidden
          names={names}
          value={stringList(value)}
          none="No order"
          isOff={isReadOnly}
          onChange={onChange}
        />
      );
    case 'matrix':
      return <MatrixValue field={field} value={value} isReadOnly={isReadOnly} onChange={onChange} />;
    case 'flag':
      return (
        <Select
          aria-label="Value"
          className="w-full"
          disabled={isReadOnly}
          value={String(value !== false && value !== 'false')}
          onChange={(event) => onChange(event.target.value === 'true')}
        >
          <option value="true">ticked</option>
          <option value="false">not ticked</option>
        </Select>
      );
    case 'number':
    case 'days':
      return (
        <Input
          {...common}
          type="number"
          step="any"
          value={text}
          onChange={(event) => onChange(event.target.value === '' ? '' : Number(event.target.value))}
        />
      );
    case 'date':
      return (
        <Input
          {...common}
          type="date"
          value={text.slice(0, 10)}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    default:
  }
  return (
    <Input
      {...common}
      className={kind === 'pattern' ? 'font-mono' : ''}
      placeholder={kind === 'pattern' ? '^[A-Z]{2}\\d+$' : undefined}
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

type OfField = Omit<PlainProps, 'kind' | 'isMarked' | 'onLeave'>;

function Choices({ names, value, isReadOnly, onChange }: Omit<OfField, 'field'> & { names: string[] }) {
  const chosen = Array.isArray(value)
    ? value.map(String)
    : typeof value === 'string' && value !== ''
      ? [value]
      : [];
  return (
    <fieldset className="grid max-h-48 grid-cols-1 gap-1.5 overflow-y-auto rounded-lg border border-line p-2.5">
      <legend className="sr-only">Value</legend>
      <ChoiceChecks
        names={names}
        chosen={chosen}
        isOff={isReadOnly}
        onToggle={(name, isChosen) =>
          onChange(isChosen ? [...chosen, name] : chosen.filter((other) => other !== name))
        }
      />
    </fieldset>
  );
}

function MatrixValue({ field, value, isReadOnly, onChange }: OfField) {
  return (
    <fieldset className="grid gap-2">
      <legend className="sr-only">Value</legend>
      <MatrixRows
        rows={stringList(field?.rows)}
        columns={stringList(field?.columns)}
        value={isJsonObject(value) ? value : {}}
        none="Does not matter"
        isOff={isReadOnly}
        onChange={(wanted) => onChange(wanted as JsonValue)}
      />
    </fieldset>
  );
}
