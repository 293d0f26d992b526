import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { BackLink } from '../shell/back-link.tsx';

/** A screen about the form that is being built, with the way back to the builder. */
export function BesideBuilder({ title, children }: { title: string; children: ReactNode }) {
  const { workspaceId, formId } = useParams({ from: '/app/workspaces/$workspaceId/forms/$formId' });
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="grid gap-1">
        <BackLink to="/workspaces/$workspaceId/forms/$formId/build" params={{ workspaceId, formId }}>
          Back to building
        </BackLink>
        <h2 className="text-base font-semibold">{title}</h2>
      </div>
      {children}
    </div>
  );
}
