import { CircleCheck, CircleX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { JsonValue } from '../../fields/property.ts';
import { api } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { useRefusal } from '../lib/workspace.ts';
import { answerText } from '../responses/answers/answer-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { EditScenario } from './edit-scenario.tsx';
import { expectedOf } from './expectation.ts';
import { type NamedParts, nameIn, type Scenario, type ScenarioResult, scenariosQuery } from './queries.ts';

interface ScenarioCardProps {
  formId: string;
  scenario: Scenario;
  /** Of the last run; undefined before the first. */
  result: ScenarioResult | undefined;
  parts: NamedParts;
  /** It was added just now, and takes the focus. */
  isAdded: boolean;
}

/** One scenario: whether it passed, what differed, and what it answers. */
export function ScenarioCard({ formId, scenario, result, parts, isAdded }: ScenarioCardProps) {
  const refusal = useRefusal('user');
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null);
  const path = { form: formId, scenarioId: String(scenario.id) };
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isAdded) heading.current?.focus();
  }, [isAdded]);
  const refresh = [scenariosQuery(formId).queryKey];
  const accept = useAction(
    (found: ScenarioResult) =>
      api.put('/open/forms/{form}/scenarios/{scenarioId}', {
        path,
        body: { expected: expectedOf(found.observed) },
      }),
    { refresh, toast: `${scenario.name} expects what happens now.` },
  );
  const remove = useAction(() => api.delete('/open/forms/{form}/scenarios/{scenarioId}', { path }), {
    refresh,
    refreshesAnyway: true,
    toast: `${scenario.name} is deleted.`,
  });
  return (
    <article
      aria-labelledby={`scenario-${scenario.id}`}
      className="grid grid-cols-1 gap-3 rounded-xl border border-line bg-surface p-4 sm:p-5"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-1 basis-52 flex-wrap items-center gap-x-2 gap-y-1">
          <h3
            ref={heading}
            id={`scenario-${scenario.id}`}
            tabIndex={-1}
            className="min-w-0 font-semibold wrap-anywhere"
          >
            <bdi>{scenario.name}</bdi>
          </h3>
          <Outcome result={result} />
          {scenario.blocks_publishing && <Badge>Blocks publishing</Badge>}
        </div>
        <div className="flex flex-wrap gap-2">
          {result && !result.passed && (
            <Button
              size="sm"
              disabledReason={refusal}
              isRunning={accept.isRunning}
              onClick={() => accept.run(result)}
            >
              Expect what happens now
            </Button>
          )}
          <Button size="sm" disabledReason={refusal} onClick={() => setAsked('edit')}>
            Edit
          </Button>
          <Button size="sm" look="quiet" disabledReason={refusal} onClick={() => setAsked('delete')}>
            Delete
          </Button>
        </div>
      </div>
      {result && result.differences.length > 0 && (
        <ul aria-label="What differs" className="grid list-disc gap-1 ps-5 wrap-anywhere">
          {result.differences.map(({ about, id, message }) => (
            <li key={`${about} ${id}`} dir="auto">
              {message}
            </li>
          ))}
        </ul>
      )}
      {result && result.unknown_answers.length > 0 && (
        <p className="text-muted wrap-anywhere">
          Has answers to fields that the form does not have: {result.unknown_answers.join(', ')}. They do not
          count.
        </p>
      )}
      <AnswerList scenario={scenario} parts={parts} />
      {asked === 'edit' && (
        <EditScenario
          formId={formId}
          scenario={scenario}
          result={result}
          parts={parts}
          onClose={() => setAsked(null)}
        />
      )}
      <ConfirmDialog
        isOpen={asked === 'delete'}
        onClose={() => setAsked(null)}
        title={`Delete ${scenario.name}?`}
        action="Delete scenario"
        isRunning={remove.isRunning}
        onConfirm={() => remove.run()}
      >
        <p>Its answers and what it expects are gone then.</p>
      </ConfirmDialog>
    </article>
  );
}

function Outcome({ result }: { result: ScenarioResult | undefined }) {
  if (!result) return <Badge>Running …</Badge>;
  return result.passed ? (
    <Badge tone="good">
      <CircleCheck aria-hidden="true" className="size-3.5" />
      Passed
    </Badge>
  ) : (
    <Badge tone="bad">
      <CircleX aria-hidden="true" className="size-3.5" />
      Failed
    </Badge>
  );
}

/** What it answers and expects, unfolded when wanted. */
function AnswerList({ scenario: { answers }, parts }: Pick<ScenarioCardProps, 'scenario' | 'parts'>) {
  const given = Object.entries(answers as Record<string, JsonValue>);
  return (
    <details>
      <summary className="cursor-pointer text-muted hover:text-ink">
        {given.length === 0 ? 'No answers' : 'Answers'}
      </summary>
      {given.length === 0 ? (
        <p className="mt-2 text-muted">It sends the form as it is, without answering anything.</p>
      ) : (
        <dl className="mt-2 grid grid-cols-1 gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,14rem)_minmax(0,1fr)]">
          {given.map(([id, answer]) => {
            const block = parts.blocks.find((one) => one.id === id) ?? { id, type: 'text', name: id };
            return (
              <div key={id} className="contents">
                <dt className="text-muted wrap-anywhere">
                  <bdi>{nameIn(parts.blocks, id)}</bdi>
                </dt>
                <dd className="mb-1 wrap-anywhere sm:mb-0">
                  <bdi>{answerText(block, answer) || '–'}</bdi>
                </dd>
              </div>
            );
          })}
        </dl>
      )}
    </details>
  );
}
