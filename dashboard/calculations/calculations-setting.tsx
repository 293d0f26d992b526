import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { namedAnswers } from '../../fields/formulas/named-answers.ts';
import type { Form } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { newId } from '../form-builder/new-id.ts';
import { definitionOf, draftQuery } from '../form-builder/saving/draft.ts';
import { integrationsQuery } from '../integrations/queries.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import type { OwnSettingProps } from '../settings/own-setting-props.ts';
import { Problems } from '../settings/problems.tsx';
import { questionsOf } from '../share/questions.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CalculationCard } from './calculation-card.tsx';
import { asFields, type Calculation, fieldsOf } from './fields.ts';
import { type FormulaNames, formulaNames } from './formula-names.ts';
import { formulaProblems, leadingTo, plainWords } from './formula-problems.ts';
import { FunctionList } from './function-list.tsx';
import { Sample } from './sample.tsx';
import { usesOf } from './uses.ts';

/** Formulas are checked after a pause of so many milliseconds. */
const PAUSE_MS = 600;
const UNCHANGEABLE = 'You cannot change this.';

/** The calculations of a form: a list of names with formulas. */
export function CalculationsSetting({ setting, changes, isDisabled }: OwnSettingProps) {
  const { stored, values, errors } = changes;
  const calculations: readonly Calculation[] = values.computed_variables;
  const refusal = isDisabled ? UNCHANGEABLE : null;
  const box = useRef<HTMLDivElement>(null);
  const set = (next: readonly Calculation[]) => changes.change(setting, next);
  const names = useMemo(() => namesIn(stored, calculations), [stored, calculations]);
  const problems = useProblems(stored, calculations);
  const removal = useRemoval(changes, names, set);
  const replace = (id: string, part: Partial<Calculation>) =>
    set(calculations.map((one) => (one.id === id ? { ...one, ...part } : one)));
  // A formula may have used the name before the calculation had it.
  const settleNames = () =>
    set(calculations.map((one) => ({ ...one, formula: names.toIds(names.toNames(one.formula)) })));
  const add = () => {
    flushSync(() => set([...calculations, { id: `cv_${newId()}`, name: '', formula: '' }]));
    box.current?.querySelector<HTMLElement>('fieldset:last-of-type input')?.focus();
  };
  const questions = namedAnswers(questionsOf(stored));
  return (
    <div ref={box} className="grid grid-cols-1 gap-3">
      {calculations.length === 0 && <p className="text-muted">No calculations yet.</p>}
      {calculations.map((calculation, index) => {
        const { id } = calculation;
        const key = `computed_variables.${index}.formula`;
        const problem = problems.get(id);
        const refused = errors[key]?.map((text) => plainWords(names.toNames(text)));
        const excluded = leadingTo(id, calculations);
        return (
          <CalculationCard
            key={id}
            calculation={calculation}
            index={index}
            fields={[...questions, ...asFields(calculations.filter((other) => !excluded.has(other.id)))]}
            names={names}
            errors={{ ...errors, [key]: problem ? [problem] : (refused ?? []) }}
            refusal={refusal}
            onChange={(part) => replace(id, part)}
            onNamed={settleNames}
            onRemove={() => removal.ask(calculation)}
          />
        );
      })}
      <Problems texts={errors.computed_variables ?? []} />
      <Button
        size="sm"
        className="justify-self-start"
        icon={<Plus className="size-4" />}
        disabledReason={refusal}
        onClick={add}
      >
        Add calculation
      </Button>
      {!isDisabled && <Sample calculations={calculations} questions={questions} />}
      <FunctionList />
      {removal.question}
    </div>
  );
}

/** Problems of formulas, updated after a pause in typing. */
function useProblems(form: Form, calculations: readonly Calculation[]): ReadonlyMap<string, string> {
  const settled = useDebounced(calculations, PAUSE_MS);
  return useMemo(
    () => formulaProblems(settled, definitionOf(form, null).properties, namesIn(form, settled)),
    [form, settled],
  );
}

/** Includes deleted questions, so that formulas show their names; the problem says that they are gone. */
function namesIn({ properties, removed_properties: removed }: Form, calculations: readonly Calculation[]) {
  const deleted = fieldsOf({ properties: removed, computed_variables: [] });
  return formulaNames(
    namedAnswers([...fieldsOf({ properties, computed_variables: calculations }), ...deleted]),
  );
}

/** Removes a calculation, and asks first if it is still used. */
function useRemoval(
  { stored, values }: OwnSettingProps['changes'],
  names: FormulaNames,
  set: (next: readonly Calculation[]) => void,
) {
  const [asked, setAsked] = useState<{ calculation: Calculation; uses: readonly string[] } | null>(null);
  const client = useQueryClient();
  const remove = ({ id }: Calculation) => {
    const others: Calculation[] = values.computed_variables.filter((one) => one.id !== id);
    // Formulas that use it keep its name.
    const { toIds } = namesIn(stored, others);
    set(others.map((one) => ({ ...one, formula: toIds(names.toNames(one.formula)) })));
  };
  // Waits for the network, because without integrations and draft a used calculation would be removed without asking.
  const readOthers = async (_calculation: Calculation) => {
    const integrations = client.fetchQuery(integrationsQuery(String(stored.id)));
    return { draft: await client.fetchQuery(draftQuery(stored.id)), integrations: await integrations };
  };
  const asking = useAction(readOthers, {
    onDone({ draft, integrations }, calculation) {
      const blocks = [null, draft].flatMap((one) => definitionOf(stored, one).properties);
      const uses = usesOf(calculation, { settings: values, blocks, integrations });
      if (uses.length > 0) setAsked({ calculation, uses });
      else remove(calculation);
    },
  });
  const question = asked && (
    <ConfirmDialog
      isOpen
      onClose={() => setAsked(null)}
      title={`Remove ${asked.calculation.name.trim() || 'the calculation'}?`}
      action="Remove calculation"
      onConfirm={() => {
        remove(asked.calculation);
        setAsked(null);
      }}
    >
      <p>
        It is still used here. Calculations that count with it have to be changed before you can save;
        everything else does without it, as if it had no value.
      </p>
      <ul className="grid list-disc gap-1 ps-5 wrap-anywhere">
        {asked.uses.map((use) => (
          <li key={use}>
            <bdi>{use}</bdi>
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
  return { question, ask: asking.run };
}
