import type { ConditionGroup, Property } from '../../fields/property.ts';
import type { Errors } from '../api/client.ts';
import { Problems } from '../settings/problems.tsx';
import { Button } from '../ui/button.tsx';
import { ConditionField } from './condition-field.tsx';

interface FormEndProps {
  conditions: ConditionGroup | null;
  properties: readonly Property[];
  errors: Errors;
  isSaving: boolean;
  action: string;
  onChange(part: { conditions: ConditionGroup | null }): void;
}

/** The end of every integration's form: its condition, and the button to save. */
export function FormEnd({ conditions, properties, errors, isSaving, action, onChange }: FormEndProps) {
  return (
    <>
      <ConditionField
        conditions={conditions}
        properties={properties}
        problems={errors.logic ?? []}
        onChange={(changed) => onChange({ conditions: changed })}
      />
      <div className="grid grid-cols-1 justify-items-start gap-2">
        <Problems texts={errors.integration_id ?? []} />
        <Button type="submit" look="primary" isRunning={isSaving}>
          {action}
        </Button>
      </div>
    </>
  );
}
