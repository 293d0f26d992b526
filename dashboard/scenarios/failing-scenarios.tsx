import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { scenarioRunQuery, scenariosQuery } from './queries.ts';

interface FailingScenariosProps {
  formId: string;
  /** Saves the draft. */
  save(): Promise<unknown>;
  /** Shown where none fails. */
  children: ReactNode;
}

/** The scenarios that the draft fails. */
export function FailingScenarios({ formId, save, children }: FailingScenariosProps) {
  const { workspaceId } = useParams({ from: '/app/workspaces/$workspaceId/forms/$formId' });
  const { data: scenarios = [] } = useQuery({ ...scenariosQuery(formId), staleTime: 0 });
  const {
    data: run,
    error,
    isFetching,
  } = useQuery({
    ...scenarioRunQuery(formId, 'draft', save),
    enabled: scenarios.length > 0,
  });
  const failed = run?.results.filter(({ passed }) => !passed) ?? [];
  if (isFetching) return <p className="text-muted">Running the scenarios …</p>;
  if (error) return <p className="text-warn">The scenarios could not be run. {error.message}</p>;
  if (failed.length === 0) return children;
  return (
    <section className="grid gap-1.5">
      <h3 className="flex items-center gap-2 font-medium">
        <CircleX aria-hidden="true" className="size-4 text-bad" />
        {failed.length === 1 ? 'A scenario fails' : `${failed.length} scenarios fail`}
      </h3>
      <ul className="grid max-h-64 gap-2 overflow-y-auto px-2">
        {failed.map(({ id, name, blocks_publishing, differences }) => (
          <li key={id} className="wrap-anywhere">
            <bdi className="font-medium">{name}</bdi>
            {blocks_publishing && ' keeps the form from being published'}
            {differences.map(({ about, id: of, message }) => (
              <span key={`${about} ${of}`} className="block text-muted" dir="auto">
                {message}
              </span>
            ))}
          </li>
        ))}
      </ul>
      <Link
        to="/workspaces/$workspaceId/forms/$formId/build/scenarios"
        params={{ workspaceId, formId }}
        className="justify-self-start px-2 underline"
      >
        Go to the scenarios
      </Link>
    </section>
  );
}
