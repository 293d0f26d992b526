import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import type { Ending } from '../../fields/logic/endings.ts';
import type { Property } from '../../fields/property.ts';
import type { Errors } from '../api/client.ts';
import { ConditionTree } from '../form-builder/logic/condition-group.tsx';
import { newGroup, readGroup } from '../form-builder/logic/condition-tree.ts';
import { neverMetReason } from '../form-builder/logic/never-met.ts';
import { conditionSentence } from '../integrations/condition-field.tsx';
import { IconButton } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { NextAddress, ThankYouText } from './after-sending.tsx';
import { Problems } from './problems.tsx';

const MAX_NAME = 100;

interface EndingCardProps {
  ending: Ending;
  /** Index in the list. */
  index: number;
  isLast: boolean;
  /** Fields to mention; conditions ask for some of them. */
  fields: readonly Property[];
  /** Those that conditions may ask for. */
  asked: readonly Property[];
  errors: Errors;
  refusal: string | null;
  onChange(part: Partial<Ending>): void;
  onMove(steps: -1 | 1): void;
  onRemove(): void;
}

/** One ending: when it is reached, and what visitors see or where they are led then. */
export function EndingCard(props: EndingCardProps) {
  const { ending, index, fields, asked, errors, refusal, onChange } = props;
  const key = (member: string) => `endings.${index}.${member}`;
  const called = ending.name.trim() || `ending ${index + 1}`;
  const conditions = readGroup(ending.conditions) ?? newGroup();
  const sentence = conditionSentence(conditions, fields)?.replace(/^Only when/, 'When');
  const never = neverMetReason(ending.conditions, fields);
  const text = { fields, isDisabled: refusal !== null };
  return (
    <fieldset
      data-ending={ending.id}
      className="grid min-w-0 grid-cols-1 gap-4 rounded-lg border border-line p-3 sm:p-4"
    >
      <legend className="sr-only">{called}</legend>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-3">
        <Field name={key('name')} label="Name" hint="For you; visitors do not see it." errors={errors}>
          <Input
            value={ending.name}
            maxLength={MAX_NAME}
            disabled={refusal !== null}
            onChange={({ target }) => onChange({ name: target.value })}
          />
        </Field>
        <EndingButtons {...props} called={called} />
      </div>
      <section className="grid grid-cols-1 gap-2" aria-label={`When ${called} is reached`}>
        <h3 className="font-medium">Condition</h3>
        <p dir="auto" className="rounded-lg bg-sunken px-3 py-2 break-words">
          {sentence ?? 'Always'}
        </p>
        <ConditionTree
          group={conditions}
          fields={asked}
          isValidation={false}
          isReadOnly={refusal !== null}
          onChange={(next) => onChange({ conditions: next })}
        />
        <Problems texts={errors[key('conditions')] ?? (never === null ? [] : [`Never reached: ${never}`])} />
      </section>
      <ThankYouText
        {...text}
        label="Thank-you text then"
        value={ending.submitted_text ?? ''}
        problems={errors[key('submitted_text')] ?? []}
        onChange={(html) => onChange({ submitted_text: html === '' ? null : html })}
      />
      <NextAddress
        {...text}
        label="Or another page then"
        value={ending.redirect_url ?? ''}
        problems={errors[key('redirect_url')] ?? []}
        onChange={(address) => onChange({ redirect_url: address.trim() === '' ? null : address })}
      />
      <Problems texts={errors[key('id')] ?? []} />
    </fieldset>
  );
}

function EndingButtons({
  called,
  index,
  isLast,
  refusal,
  onMove,
  onRemove,
}: EndingCardProps & { called: string }) {
  return (
    <div className="mt-6.5 flex">
      <IconButton
        label={`Move ${called} up`}
        data-steps={-1}
        disabledReason={refusal ?? (index === 0 ? 'It is the first one.' : null)}
        onClick={() => onMove(-1)}
      >
        <ArrowUp className="size-4" />
      </IconButton>
      <IconButton
        label={`Move ${called} down`}
        data-steps={1}
        disabledReason={refusal ?? (isLast ? 'It is the last one.' : null)}
        onClick={() => onMove(1)}
      >
        <ArrowDown className="size-4" />
      </IconButton>
      <IconButton label={`Remove ${called}`} disabledReason={refusal} onClick={onRemove}>
        <Trash2 className="size-4" />
      </IconButton>
    </div>
  );
}
