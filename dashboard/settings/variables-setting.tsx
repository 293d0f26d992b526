import { Plus, Trash2 } from 'lucide-react';
import { newId } from '../form-builder/new-id.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Input, Select } from '../ui/input.tsx';
import type { OwnSettingProps } from './own-setting-props.ts';
import { Problems } from './problems.tsx';
import type { Values } from './setting.ts';

type Variable = Values['computed_variables'][number];

const RESULTS = [
  ['auto', 'As it comes'],
  ['number', 'Number'],
  ['text', 'Text'],
] as const;

/** Names with formulas, one below the other. */
export function VariablesSetting({ setting, changes, isDisabled }: OwnSettingProps) {
  const variables = changes.values.computed_variables;
  const { errors } = changes;
  const set = (next: Variable[]) => changes.change(setting, next);
  const replace = (index: number, part: Partial<Variable>) =>
    set(variables.map((variable, at) => (at === index ? { ...variable, ...part } : variable)));
  const key = (index: number, member: string) => `computed_variables.${index}.${member}`;
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 font-medium">{setting.label}</legend>
      {variables.map((variable, index) => (
        <div
          key={variable.id}
          className="grid items-start gap-2 rounded-lg border border-line p-3 sm:grid-cols-[1fr_2fr_9rem_auto]"
        >
          <Field name={key(index, 'name')} label="Name" errors={errors}>
            <Input
              value={variable.name}
              maxLength={100}
              disabled={isDisabled}
              onChange={({ target }) => replace(index, { name: target.value })}
            />
          </Field>
          <Field name={key(index, 'formula')} label="Formula" errors={errors}>
            <Input
              dir="ltr"
              className="font-mono text-[0.8125rem]"
              value={variable.formula}
              maxLength={2_000}
              disabled={isDisabled}
              onChange={({ target }) => replace(index, { formula: target.value })}
            />
          </Field>
          <Field name={key(index, 'result_type')} label="Result" errors={errors}>
            <Select
              value={variable.result_type ?? 'auto'}
              disabled={isDisabled}
              onChange={({ target }) =>
                replace(index, { result_type: target.value as (typeof RESULTS)[number][0] })
              }
            >
              {RESULTS.map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
          <IconButton
            label={`Remove ${variable.name || 'variable'}`}
            className="sm:mt-6.5"
            disabledReason={isDisabled ? 'You cannot change this.' : null}
            onClick={() => set(variables.filter((_, at) => at !== index))}
          >
            <Trash2 className="size-4" />
          </IconButton>
          <Problems texts={errors[key(index, 'id')] ?? []} />
        </div>
      ))}
      <Problems texts={errors.computed_variables ?? []} />
      <div>
        <Button
          size="sm"
          icon={<Plus className="size-4" />}
          disabledReason={isDisabled ? 'You cannot change this.' : null}
          onClick={() => set([...variables, { id: `cv_${newId()}`, name: '', formula: '' }])}
        >
          Add variable
        </Button>
      </div>
    </fieldset>
  );
}
