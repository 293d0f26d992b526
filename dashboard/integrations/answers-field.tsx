import { isOn } from '../../fields/block-options/options.ts';
import type { Property } from '../../fields/property.ts';
import { isLayoutBlock } from '../../fields/type-names.ts';
import { isCalculation } from '../calculations/fields.ts';
import { Problems } from '../settings/problems.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import type { MailDraft, MailId } from './mail-draft.ts';

interface AnswersFieldProps {
  id: MailId;
  draft: MailDraft;
  properties: readonly Property[];
  problems: readonly string[];
  onChange(part: Pick<MailDraft, 'answers' | 'fields'>): void;
}

/** Chooses which answers a mail contains. */
export function AnswersField({ id, draft, properties, problems, onChange }: AnswersFieldProps) {
  const { answers, fields } = draft;
  const questions = properties.filter((field) => !isLayoutBlock(field.type) && !isCalculation(field));
  const isConfirmation = id === 'email_confirmation';
  return (
    <div className="grid grid-cols-1 gap-3">
      <Field
        name="answers"
        label="Answers in the mail"
        hint={
          isConfirmation && answers !== 'none'
            ? 'Whoever fills in the form can have words of their own sent to any address.'
            : undefined
        }
      >
        <Select
          className="w-full sm:w-72"
          value={answers}
          onChange={({ target }) => onChange({ answers: target.value as MailDraft['answers'], fields })}
        >
          {isConfirmation && <option value="none">None</option>}
          <option value="all">{isConfirmation ? 'All that people saw' : 'All'}</option>
          <option value="chosen">Only chosen ones</option>
        </Select>
      </Field>
      {answers === 'chosen' && (
        <fieldset className="grid max-h-64 gap-2 overflow-y-auto rounded-lg border border-line p-3">
          <legend className="sr-only">Chosen answers</legend>
          {questions.length === 0 && <p className="text-muted">The form asks nothing yet.</p>}
          {questions.map(({ id: field, name, hidden }) => (
            <Checkbox
              key={field}
              label={
                <>
                  <bdi>{name.trim() || 'A field without a name'}</bdi>
                  {isOn(hidden) && <span className="text-muted"> (hidden)</span>}
                </>
              }
              checked={fields.includes(field)}
              onChange={({ target }) =>
                onChange({
                  answers,
                  fields: target.checked ? [...fields, field] : fields.filter((other) => other !== field),
                })
              }
            />
          ))}
        </fieldset>
      )}
      <Problems texts={problems} />
    </div>
  );
}
