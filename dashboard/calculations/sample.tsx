import { useState } from 'react';
import { flagOf } from '../../fields/as-text/flag-words.ts';
import { asNumber } from '../../fields/block-options/options.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import { compileVariables } from '../../fields/formulas/variables.ts';
import { type Answers, type JsonValue, ownMember, type Property } from '../../fields/property.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { type Calculation, shownName } from './fields.ts';
import { namedIn } from './formula-names.ts';

interface SampleProps {
  calculations: readonly Calculation[];
  questions: readonly Property[];
}

/** The results for made-up answers. */
export function Sample({ calculations, questions }: SampleProps) {
  const [typed, setTyped] = useState<Record<string, string>>({});
  const named = new Set(calculations.flatMap(({ formula }) => [...namedIn(formula)]));
  const asked = questions.filter(({ id }) => named.has(id));
  if (asked.length === 0) return null;
  const answers: Answers = Object.fromEntries(
    asked.map((question) => [question.id, answerOf(question, ownMember(typed, question.id) ?? '')]),
  );
  const values = compileVariables(calculations);
  const set = (id: string, text: string) => setTyped((now) => ({ ...now, [id]: text }));
  return (
    <details className="rounded-lg border border-line">
      <summary className="cursor-pointer rounded-lg px-4 py-2.5 font-medium hover:bg-hover">Try it</summary>
      <div className="grid gap-4 border-t border-line px-4 py-3 sm:grid-cols-2">
        <div className="grid content-start gap-3">
          {asked.map((question) =>
            isTick(question) ? (
              <Checkbox
                key={question.id}
                label={<bdi>{shownName(question)}</bdi>}
                checked={ownMember(typed, question.id) === 'true'}
                onChange={({ target }) => set(question.id, String(target.checked))}
              />
            ) : (
              <Field
                key={question.id}
                name={`sample ${question.id}`}
                label={<bdi>{shownName(question)}</bdi>}
              >
                <Input
                  value={ownMember(typed, question.id) ?? ''}
                  onChange={({ target }) => set(question.id, target.value)}
                />
              </Field>
            ),
          )}
        </div>
        <dl className="grid content-start gap-x-4 gap-y-1" aria-live="polite">
          {calculations.map((calculation) => (
            <div key={calculation.id} className="min-w-0 break-words">
              <dt className="text-muted">
                <bdi>{calculation.name.trim() || 'Without a name'}</bdi>
              </dt>
              <dd dir="auto" className="font-medium tabular-nums">
                {values.get(calculation.id)?.(answers) ?? 'Nothing'}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </details>
  );
}

function isTick(question: Property): boolean {
  return fieldTypeOf(question.type).csvKind === 'boolean' && !('repeatedBy' in question);
}

/** The answer by the question's type; several choices or entries are typed with commas. */
function answerOf(question: Property, text: string): JsonValue {
  if ('repeatedBy' in question) {
    const { repeatedBy: _, ...one } = question;
    return text.trim() === '' ? null : text.split(',').map((part) => answerOf(one, part.trim()));
  }
  switch (fieldTypeOf(question.type).csvKind) {
    case 'boolean':
      return flagOf(text) ?? false;
    case 'number':
      return asNumber(text) ?? null;
    case 'list':
    case 'entries':
      return text.split(',').flatMap((part) => part.trim() || []);
    default:
      return text;
  }
}
