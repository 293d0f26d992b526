import type { Property } from '../../fields/property.ts';
import { isCalculation, kindOfGone, shownName } from '../calculations/fields.ts';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { mentionsIn, withFallback } from './mentions.ts';

interface FallbacksProps {
  /** The text with the mentions, such as `subject`. */
  of: string;
  text: string;
  fields: readonly Property[];
  onChange(text: string): void;
}

/** Inputs for the texts that replace mentions of unanswered fields. */
export function Fallbacks({ of, text, fields, onChange }: FallbacksProps) {
  const mentions = mentionsIn(text);
  if (mentions.length === 0) return null;
  return (
    <fieldset className="grid gap-2 rounded-lg bg-sunken p-3">
      <legend className="sr-only">Without an answer, {of}</legend>
      {mentions.map(({ fieldId, fallback }) => {
        const field = fields.find(({ id }) => id === fieldId);
        const name = field ? shownName(field, 'a') : `a deleted ${kindOfGone(fieldId)}`;
        return (
          <Field
            key={fieldId}
            name={`fallback ${fieldId}`}
            label={
              <>
                {field && isCalculation(field) ? 'Without a result of' : 'Without an answer to'}{' '}
                <bdi>{name}</bdi>
              </>
            }
          >
            <Input
              value={fallback}
              placeholder="Nothing"
              maxLength={255}
              onChange={({ target }) => onChange(withFallback(text, fieldId, target.value))}
            />
          </Field>
        );
      })}
    </fieldset>
  );
}
