import { Plus } from 'lucide-react';
import type { ConditionGroup, Property } from '../../fields/property.ts';
import { ConditionTree } from '../form-builder/logic/condition-group.tsx';
import { newCondition, newGroup } from '../form-builder/logic/condition-tree.ts';
import { askable, validationSentence } from '../form-builder/logic/logic-words.ts';
import { Problems } from '../settings/problems.tsx';
import { Button } from '../ui/button.tsx';

interface ConditionFieldProps {
  conditions: ConditionGroup | null;
  properties: readonly Property[];
  problems: string[];
  onChange(conditions: ConditionGroup | null): void;
}

/** Chooses which submissions are sent: all, or those that meet a condition. */
export function ConditionField({ conditions, properties, problems, onChange }: ConditionFieldProps) {
  const fields = askable(properties);
  const [first] = fields;
  return (
    <section className="grid grid-cols-1 gap-3" aria-label="Condition">
      <h3 className="font-medium">Send for</h3>
      {conditions === null ? (
        <div className="flex flex-wrap items-center gap-3">
          <span>Every response</span>
          <Button
            size="sm"
            icon={<Plus className="size-4" />}
            disabledReason={first ? null : 'The form asks nothing yet.'}
            onClick={() => first && onChange(newGroup([newCondition(first)]))}
          >
            Add a condition
          </Button>
        </div>
      ) : (
        <>
          <p dir="auto" className="rounded-lg bg-sunken px-3 py-2 break-words">
            {conditionSentence(conditions, properties) ?? 'Every response'}
          </p>
          <ConditionTree group={conditions} fields={fields} isValidation={false} onChange={onChange} />
          <div>
            <Button size="sm" look="quiet" onClick={() => onChange(null)}>
              Send for every response
            </Button>
          </div>
        </>
      )}
      <Problems texts={problems} />
    </section>
  );
}

/** `Only when Topic is Support`; null without a condition. */
export function conditionSentence(
  conditions: ConditionGroup | null,
  properties: readonly Property[],
): string | null {
  if (conditions === null) return null;
  const blocks = new Map(properties.map((property) => [property.id, property]));
  const validation = { error_conditions: { conditions } };
  const sentence = validationSentence({ id: '', type: 'text', name: '', validation }, blocks);
  return sentence?.replace(/^Accept only/, 'Only') ?? null;
}
