import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A screen about the form that is being built, with the way back to the builder. */
export function BesideBuilder({ title, children }: { title: string; children: ReactNode }) {
  const { workspaceId, formId } = useParams({ from: '/app/workspaces/$workspaceId/forms/$formId' });
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 className="text-base font-semibold">{title}</h2>
        <Link
          to="/workspaces/$workspaceId/forms/$formId/build"
          params={{ workspaceId, formId }}
          className="text-muted hover:text-ink"
        >
          Back to building
        </Link>
      </div>
      {children}
    </div>
  );
}
