import { useState } from 'react';
import { ATTRIBUTION_KEYS } from '../../fields/attribution-keys.ts';
import { isOn, stringList } from '../../fields/block-options/options.ts';
import { optionNames } from '../../fields/choices/choices.ts';
import { withChosen } from '../../fields/choices/exclusive-options.ts';
import { rankedNames } from '../../fields/choices/ranking-places.ts';
import { ownMember, type Property } from '../../fields/property.ts';
import { canonicalTypeName, NUMBER_TYPES } from '../../fields/type-names.ts';
import type { Form } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { CopyField } from '../ui/copy-button.tsx';
import { Field } from '../ui/field.tsx';
import { Input, Select } from '../ui/input.tsx';
import { OrderInput } from '../ui/order-input.tsx';
import { Card } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';
import { type Prefill, parametersOf, prefilledLink } from './prefill.ts';
import { isPrefillable, questionsOf } from './questions.ts';

/** The most common attribution keys; the others are shown on request. */
const USUAL_KEYS = 5;

/** Builds a link that fills in answers and attribution. */
export function PrefillShare({ form }: { form: Form }) {
  const [values, setValues] = useState<Prefill>({});
  const [showsAll, setShowsAll] = useState(false);
  const questions = questionsOf(form).filter(isPrefillable);
  const set = (name: string, value: string | readonly string[]) =>
    setValues((former) => ({ ...former, [name]: value }));
  const link = prefilledLink(form.share_url, values);
  const isEmpty = link === form.share_url;
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-5">
      <div className="sticky top-16 z-10">
        <Card
          title="Link"
          className="shadow-sm"
          actions={
            <Button size="sm" look="quiet" disabled={isEmpty} onClick={() => setValues({})}>
              Clear
            </Button>
          }
        >
          <CopyField text={link} label="Prefilled link" />
        </Card>
      </div>
      <Card title="Answers" description="Visitors can change them, unless the field is hidden or disabled.">
        {questions.length === 0 ? (
          <EmptyState title="Nothing to fill in yet">Add questions to the form first.</EmptyState>
        ) : (
          <div className="grid grid-cols-1 gap-4">
            {questions.flatMap((question) =>
              parametersOf(question).map(([name, label, asked]) => (
                <Parameter
                  key={name}
                  question={asked}
                  name={name}
                  label={label}
                  value={ownMember(values, name) ?? ''}
                  onChange={(value) => set(name, value)}
                />
              )),
            )}
          </div>
        )}
      </Card>
      <Card title="Where visitors come from" description="Stored with each answer, and shown in its details.">
        <div className="grid gap-4 sm:grid-cols-2">
          {ATTRIBUTION_KEYS.slice(0, showsAll ? undefined : USUAL_KEYS).map((key) => (
            <Field key={key} name={key} label={key}>
              <Input dir="ltr" value={values[key] ?? ''} onChange={({ target }) => set(key, target.value)} />
            </Field>
          ))}
        </div>
        {!showsAll && (
          <Button size="sm" look="quiet" className="mt-3" onClick={() => setShowsAll(true)}>
            Show all keys
          </Button>
        )}
      </Card>
    </div>
  );
}

interface ParameterProps {
  question: Property;
  name: string;
  label: string;
  value: string | readonly string[];
  onChange(value: string | readonly string[]): void;
}

function Parameter({ question, name, label, value, onChange }: ParameterProps) {
  const type = canonicalTypeName(question.type);
  const text = typeof value === 'string' ? value : '';
  const shownLabel = (
    <bdi className="wrap-anywhere">
      {label}
      {isOn(question.hidden) && <span className="font-normal text-muted"> (hidden)</span>}
    </bdi>
  );
  if (type === 'multi_select') {
    const chosen = typeof value === 'string' ? [] : value;
    return (
      <fieldset className="grid grid-cols-1 gap-1.5">
        <legend className="mb-1.5 font-medium">{shownLabel}</legend>
        {optionNames(question, type).map((option) => (
          <Checkbox
            key={option}
            label={<bdi>{option}</bdi>}
            checked={chosen.includes(option)}
            onChange={({ target }) =>
              onChange(
                target.checked
                  ? withChosen(question, chosen, option)
                  : chosen.filter((other) => other !== option),
              )
            }
          />
        ))}
      </fieldset>
    );
  }
  if (type === 'ranking')
    return (
      <OrderInput
        label={shownLabel}
        names={rankedNames(question)}
        value={typeof value === 'string' ? [] : value}
        none="Leave it open"
        onChange={onChange}
      />
    );
  if (type === 'checkbox')
    return (
      <Checkbox
        label={shownLabel}
        checked={text === 'on'}
        onChange={({ target }) => onChange(target.checked ? 'on' : '')}
      />
    );
  const choices =
    type === 'select' ? optionNames(question, type) : type === 'matrix' ? stringList(question.columns) : [];
  return (
    <Field name={name} label={shownLabel}>
      {choices.length > 0 ? (
        <Select value={text} onChange={({ target }) => onChange(target.value)}>
          <option value="">Leave it open</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </Select>
      ) : (
        <Input
          type={inputType(question, type)}
          step="any"
          value={text}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

function inputType(question: Property, type: string): string {
  if (type === 'date') return isOn(question.with_time) ? 'datetime-local' : 'date';
  return NUMBER_TYPES.includes(type) ? 'number' : 'text';
}
