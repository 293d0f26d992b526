import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { FlaskConical, Plus } from 'lucide-react';
import { useState } from 'react';
import { type Form, formQuery } from '../../api/queries.ts';
import { BesideBuilder } from '../../form-builder/beside-builder.tsx';
import { draftQuery, type FormDraft } from '../../form-builder/saving/draft.ts';
import { useRefusal } from '../../lib/workspace.ts';
import { AddScenario } from '../../scenarios/add-scenario.tsx';
import {
  type Against,
  namedParts,
  type Scenario,
  type ScenarioRun,
  scenarioRunQuery,
  scenariosQuery,
} from '../../scenarios/queries.ts';
import { ScenarioCard } from '../../scenarios/scenario-card.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/input.tsx';
import { Load, together } from '../../ui/load.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState, Notice } from '../../ui/states.tsx';

const HERE = '/app/workspaces/$workspaceId/forms/$formId/build/scenarios';

/** Answers that the form is tried with, and what should come of them. */
export function FormScenarios() {
  const { formId } = useParams({ from: HERE });
  const { data: form } = useSuspenseQuery(formQuery(formId));
  const draft = useQuery(draftQuery(formId));
  const scenarios = useQuery(scenariosQuery(formId));
  return (
    <BesideBuilder title="Scenarios">
      <Load query={together(scenarios, draft)} skeleton={<Skeleton className="h-96 rounded-xl" />}>
        {([all, changed]) => <Scenarios key={formId} form={form} draft={changed} scenarios={all} />}
      </Load>
    </BesideBuilder>
  );
}

interface ScenariosProps {
  form: Form;
  draft: FormDraft | null;
  scenarios: Scenario[];
}

function Scenarios({ form, draft, scenarios }: ScenariosProps) {
  const formId = String(form.id);
  const roleRefusal = useRefusal('user');
  const refusal = form.trash_ends_at ? 'The form is in the trash.' : roleRefusal;
  const [isAdding, setAdding] = useState(false);
  const [added, setAdded] = useState<number | null>(null);
  const [against, setAgainst] = useState<Against>('draft');
  const run = useQuery({ ...scenarioRunQuery(formId, against), enabled: scenarios.length > 0 });
  const parts = namedParts(form, against === 'draft' ? draft : null);
  const onAdded = (id: number) => {
    setAdding(false);
    setAdded(id);
  };
  const add = (
    <Button
      look="primary"
      icon={<Plus className="size-4" />}
      disabledReason={refusal}
      onClick={() => setAdding(true)}
    >
      Add a scenario
    </Button>
  );
  if (scenarios.length === 0 && !isAdding)
    return (
      <EmptyState icon={<FlaskConical />} title="No scenarios yet" action={add}>
        A scenario is a set of answers and what should come of them: whether they are accepted, what is shown,
        what is calculated and where they lead. All of them run whenever you look here and before you publish.
      </EmptyState>
    );
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div aria-live="polite">
          <Summary run={run.data} count={scenarios.length} />
        </div>
        <div className="flex flex-wrap items-end gap-2">
          {draft !== null && (
            <Field name="against" label="Run against" isLabelHidden>
              <Select
                value={against}
                onChange={({ target }) => setAgainst(target.value === 'published' ? 'published' : 'draft')}
              >
                <option value="draft">With unpublished changes</option>
                <option value="published">As published</option>
              </Select>
            </Field>
          )}
          {scenarios.length > 0 && (
            <Button isRunning={run.isFetching} onClick={() => void run.refetch()}>
              Run again
            </Button>
          )}
          {!isAdding && add}
        </div>
      </div>
      {run.error && <Notice tone="bad">{run.error.message}</Notice>}
      {isAdding && (
        <AddScenario
          form={form}
          draft={draft}
          parts={namedParts(form, draft)}
          onAdded={onAdded}
          onClose={() => setAdding(false)}
        />
      )}
      <div className="grid grid-cols-1 gap-3">
        {scenarios.map((scenario) => (
          <ScenarioCard
            key={scenario.id}
            formId={formId}
            scenario={scenario}
            result={run.data?.results.find(({ id }) => id === scenario.id)}
            parts={parts}
            isAdded={scenario.id === added}
          />
        ))}
      </div>
    </>
  );
}

function Summary({ run, count }: { run: ScenarioRun | undefined; count: number }) {
  if (count === 0) return null;
  if (!run) return <p className="text-muted">Running …</p>;
  const failed = run.results.filter(({ passed }) => !passed).length;
  if (failed > 0) return <p className="font-medium">{`${failed} of ${count} fail.`}</p>;
  return <p className="font-medium">{count === 1 ? 'The scenario passes.' : 'All pass.'}</p>;
}
