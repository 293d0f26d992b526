import { Link, useNavigate } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import type { Form } from '../api/queries.ts';
import { Button, buttonClasses } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';

interface NoResponsesProps {
  form: Form;
  isFiltered: boolean;
  isPartial: boolean;
}

/** In place of an empty list: why it is empty, and what to do next. */
export function NoResponses({ form, isFiltered, isPartial }: NoResponsesProps) {
  const params = { workspaceId: String(form.workspace_id), formId: String(form.id) };
  const navigate = useNavigate({ from: '/workspaces/$workspaceId/forms/$formId/responses' });
  if (isFiltered)
    return (
      <EmptyState
        icon={<Inbox />}
        title="No responses match"
        action={<Button onClick={() => void navigate({ search: {} })}>Show all responses</Button>}
      />
    );
  if (isPartial)
    return (
      <EmptyState icon={<Inbox />} title="No partial responses">
        {form.enable_partial_submissions
          ? 'Answers of people who left before the end appear here.'
          : 'This form keeps answers only once they are sent. Its settings can change that.'}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<Inbox />}
      title="No responses yet"
      action={
        <Link
          to="/workspaces/$workspaceId/forms/$formId/share"
          params={params}
          className={buttonClasses('primary')}
        >
          Share the form
        </Link>
      }
    >
      They appear here the moment they are sent.
    </EmptyState>
  );
}
