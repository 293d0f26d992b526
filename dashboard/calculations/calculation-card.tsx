import { Trash2 } from 'lucide-react';
import type { Property } from '../../fields/property.ts';
import type { Errors } from '../api/client.ts';
import { Problems } from '../settings/problems.tsx';
import { IconButton } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Input, Select } from '../ui/input.tsx';
import type { Calculation } from './fields.ts';
import { FormulaInput } from './formula-input.tsx';
import type { FormulaNames } from './formula-names.ts';

const RESULTS = [
  ['auto', 'Automatic'],
  ['number', 'A number'],
  ['text', 'A text'],
] as const;
const MAX_NAME = 100;

interface CalculationCardProps {
  calculation: Calculation;
  /** Index in the list. */
  index: number;
  /** The fields its formula may use. */
  fields: readonly Property[];
  names: FormulaNames;
  errors: Errors;
  refusal: string | null;
  onChange(part: Partial<Calculation>): void;
  /** Called when the name is complete: formulas may use it now. */
  onNamed(): void;
  onRemove(): void;
}

export function CalculationCard({
  calculation,
  index,
  fields,
  names,
  errors,
  refusal,
  onChange,
  onNamed,
  onRemove,
}: CalculationCardProps) {
  const { name, formula, result_type: type } = calculation;
  const key = (member: string) => `computed_variables.${index}.${member}`;
  const called = name.trim() || `calculation ${index + 1}`;
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-3 rounded-lg border border-line p-3 sm:p-4">
      <legend className="sr-only">{called}</legend>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-3 sm:grid-cols-[minmax(0,1fr)_10rem_auto]">
        <Field name={key('name')} label="Name" errors={errors}>
          <Input
            value={name}
            maxLength={MAX_NAME}
            disabled={refusal !== null}
            onChange={({ target }) => onChange({ name: target.value })}
            onBlur={onNamed}
          />
        </Field>
        <Field
          name={key('result_type')}
          label="Result"
          errors={errors}
          className="max-sm:order-last max-sm:col-span-2"
        >
          <Select
            className="w-full"
            value={type ?? 'auto'}
            disabled={refusal !== null}
            onChange={({ target }) => onChange({ result_type: target.value as (typeof RESULTS)[number][0] })}
          >
            {RESULTS.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <IconButton label={`Remove ${called}`} className="mt-6.5" disabledReason={refusal} onClick={onRemove}>
          <Trash2 className="size-4" />
        </IconButton>
      </div>
      <FormulaInput
        name={key('formula')}
        of={called}
        formula={formula}
        names={names}
        fields={fields}
        errors={errors}
        refusal={refusal}
        onChange={(next) => onChange({ formula: next })}
      />
      <Problems texts={errors[key('id')] ?? []} />
    </fieldset>
  );
}
