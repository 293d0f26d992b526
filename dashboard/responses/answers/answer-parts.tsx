import { type ReactNode, useState } from 'react';
import { textOf } from '../../../fields/as-text/text-of.ts';
import { isBlank, stringList } from '../../../fields/block-options/options.ts';
import { choicesOf } from '../../../fields/choices/choices.ts';
import { withChosen } from '../../../fields/choices/exclusive-options.ts';
import { isJsonObject, type JsonValue, type Property } from '../../../fields/property.ts';
import { nameWithoutId } from '../../../fields/texts/name-without-id.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/input.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { DateInput, isTimed } from './date-input.tsx';

interface PartsProps {
  property: Property;
  answer: JsonValue | undefined;
  onChange(answer: JsonValue): void;
}

export function FileParts({ answer, onChange }: Omit<PartsProps, 'property'>): ReactNode {
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

export function MatrixParts({ property, answer, onChange }: PartsProps): ReactNode {
  const rows = isJsonObject(answer) ? answer : {};
  const present = stringList(property.rows);
  // A row that the form no longer has stays in sight when its answer is taken away.
  const [former] = useState(rows);
  return withOthers(present, Object.keys(former)).map((row) => {
    const chosen = textOf(rows[row] ?? '');
    // The service takes no other answer to such a row.
    const columns = present.includes(row) ? stringList(property.columns) : [textOf(former[row] ?? '')];
    return (
      <Field
        key={row}
        name={`${property.id}.${row}`}
        label={
          <span className="font-normal">
            <bdi>{row}</bdi>
            {!present.includes(row) && ' (removed)'}
          </span>
        }
      >
        <Select
          className="w-full"
          value={chosen}
          onChange={(event) => onChange(withMember(rows, row, event.target.value))}
        >
          <option value="">No answer</option>
          {withOthers(columns, chosen === '' ? [] : [chosen]).map((column) => (
            <option key={column} value={column}>
              {column}
            </option>
          ))}
        </Select>
      </Field>
    );
  });
}

export function RangeParts({ property, answer, onChange }: PartsProps) {
  const [from = '', to = ''] = valuesIn(answer);
  const ends = [
    { label: 'From', text: from, rangeWith: (text: string) => range([text, to]) },
    { label: 'To', text: to, rangeWith: (text: string) => range([from, text]) },
  ];
  return (
    <div className="grid grid-cols-2 gap-2">
      {ends.map(({ label, text, rangeWith }, index) => (
        <Field
          key={label}
          name={`${property.id}.${index}`}
          label={<span className="font-normal">{label}</span>}
        >
          <DateInput
            isTimed={isTimed(property, text)}
            text={text}
            onChange={(changed) => onChange(rangeWith(changed))}
          />
        </Field>
      ))}
    </div>
  );
}

export function ChoiceParts({ property, answer, onChange }: PartsProps): ReactNode {
  const chosen = valuesIn(answer);
  const names = choicesOf(property, 'multi_select').map(({ name }) => name);
  return withOthers(names, chosen).map((name) => (
    <Checkbox
      key={name}
      label={<bdi>{name}</bdi>}
      checked={chosen.includes(name)}
      onChange={(event) =>
        onChange(
          event.target.checked
            ? withChosen(property, chosen, name)
            : chosen.filter((other) => other !== name),
        )
      }
    />
  ));
}

export function Removable({ text, onRemove }: { text: string; onRemove(): void }) {
  return (
    <div className="flex items-center justify-between gap-3">
      <UserText text={text} />
      <Button size="sm" onClick={onRemove}>
        Remove
      </Button>
    </div>
  );
}

/** The values of a list; a single value is a list of one. */
export function valuesIn(answer: JsonValue | undefined): string[] {
  return isBlank(answer) ? [] : [answer ?? ''].flat().map(textOf);
}

/** Two empty ends are no answer; a single end is sent, and refused by the form's rules. */
function range(texts: [string, string]): JsonValue {
  return texts.some((text) => text !== '') ? texts : [];
}

export function withOthers(names: string[], chosen: string[]): string[] {
  return [...new Set([...names, ...chosen])];
}

function withMember(rows: { [key: string]: JsonValue | undefined }, row: string, column: string): JsonValue {
  const entries = Object.entries({ ...rows, [row]: column }).filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined && entry[1] !== '',
  );
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}
