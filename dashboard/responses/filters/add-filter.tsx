import { ListFilter } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type FormEvent, useState } from 'react';
import { choicesOf } from '../../../fields/choices/choices.ts';
import type { Property } from '../../../fields/property.ts';
import { canonicalTypeName, NUMBER_TYPES, OPTION_TYPES } from '../../../fields/type-names.ts';
import { Button } from '../../ui/button.tsx';
import { DayInput } from '../../ui/day-input.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, Select } from '../../ui/input.tsx';
import { MAX_FILTERS, type ResponsesSearch } from '../search.ts';
import type { Column } from '../table/columns.ts';
import { comparedValue } from './compared-value.ts';
import { operatorName, operatorsOf, takesValue, withFilter } from './operators.ts';

/** Characters; limit of the API. */
const MAX_VALUE = 1_000;

interface AddFilterProps {
  filter: ResponsesSearch;
  all: Column[];
  onChange(part: ResponsesSearch): void;
}

export function AddFilter(props: AddFilterProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button icon={<ListFilter className="size-4" />}>
          <span className="max-lg:sr-only">Filter</span>
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={12}
          aria-label="Filter"
          className="animate-appear z-50 max-h-(--radix-popover-content-available-height) w-80 max-w-[calc(100vw-1.5rem)] overflow-y-auto rounded-lg border border-line bg-raised p-4 shadow-lg"
        >
          <Question {...props} onDone={() => setOpen(false)} />
          <Days {...props} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Filters by the answers to a question. */
function Question({ filter, all, onChange, onDone }: AddFilterProps & { onDone(): void }) {
  const fields = all.flatMap(({ property }) => property ?? []);
  const [id, setId] = useState(fields[0]?.id ?? '');
  const [operator, setOperator] = useState('');
  const [typed, setValue] = useState('');
  const property = fields.find((field) => field.id === id);
  if (!property) return null;
  const operators = operatorsOf(property);
  const chosen = operators.includes(operator) ? operator : (operators[0] ?? 'equals');
  const options = optionsFor(property, chosen);
  // A value typed for another comparison is ignored if it is not among the options.
  const isSeen = options.length === 0 || options.some(([option]) => option === typed);
  const value = isSeen ? typed : '';
  const isReady = !takesValue(chosen) || value.trim() !== '';
  const { filters = [] } = filter;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    // A chosen option is used unchanged, even if it ends in blanks.
    const isChoice = choicesOf(property, canonicalTypeName(property.type)).some(({ name }) => name === value);
    const added = {
      id,
      operator: chosen,
      value: takesValue(chosen) ? (isChoice ? value : comparedValue(property, value)) : '',
    };
    onChange({ filters: withFilter(filters, added, property) });
    onDone();
  };
  return (
    <form onSubmit={submit} className="mb-4 grid gap-3 border-b border-line pb-4">
      <Field name="field" label="Question">
        <Select
          className="w-full"
          value={id}
          onChange={(event) => {
            setId(event.target.value);
            setValue('');
          }}
        >
          {fields.map((field) => (
            <option key={field.id} value={field.id}>
              {field.name}
            </option>
          ))}
        </Select>
      </Field>
      <Field name="operator" label="Answer">
        <Select className="w-full" value={chosen} onChange={(event) => setOperator(event.target.value)}>
          {operators.map((one) => (
            <option key={one} value={one}>
              {operatorName(one)}
            </option>
          ))}
        </Select>
      </Field>
      {takesValue(chosen) && (
        <Field name="value" label="Value" isLabelHidden>
          <Value property={property} options={options} value={value} onChange={setValue} />
        </Field>
      )}
      <Button
        type="submit"
        look="primary"
        disabledReason={
          filters.length >= MAX_FILTERS
            ? `${MAX_FILTERS} filters at most`
            : isReady
              ? null
              : 'Give a value first'
        }
      >
        Add filter
      </Button>
    </form>
  );
}

type Option = [value: string, name: string];

/** The options for the value of a comparison; none if it is typed. */
function optionsFor(property: Property, operator: string): Option[] {
  const type = canonicalTypeName(property.type);
  if (type === 'checkbox')
    return [
      ['true', 'Yes'],
      ['false', 'No'],
    ];
  // For "contains" the value is typed: it may be a part of options, a former option, or a text of respondents.
  const isPart = operator === 'contains' || operator === 'does_not_contain';
  const isChosen = OPTION_TYPES.includes(type) && !isPart;
  return isChosen ? choicesOf(property, type).map(({ name }) => [name, name]) : [];
}

interface ValueProps {
  property: Property;
  options: Option[];
  value: string;
  onChange(value: string): void;
}

function Value({ property, options, value, onChange }: ValueProps) {
  const type = canonicalTypeName(property.type);
  if (options.length > 0)
    return (
      <Select className="w-full" value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">Choose …</option>
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </Select>
    );
  if (type === 'date') return <DayInput value={value} onChange={onChange} />;
  const isNumber = NUMBER_TYPES.includes(type);
  return (
    <Input
      type={isNumber ? 'number' : 'text'}
      {...(isNumber && { step: 'any' })}
      maxLength={MAX_VALUE}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Filters by day of submission. One below the other: beside each other, Firefox would show half of the year. */
function Days({ filter, onChange }: AddFilterProps) {
  return (
    <div className="grid gap-3">
      <Field name="from" label="Sent from">
        <DayInput value={filter.from ?? ''} onChange={(day) => onChange({ from: day || undefined })} />
      </Field>
      <Field name="to" label="Sent until">
        <DayInput value={filter.to ?? ''} onChange={(day) => onChange({ to: day || undefined })} />
      </Field>
    </div>
  );
}
