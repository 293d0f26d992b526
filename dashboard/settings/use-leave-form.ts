import { useNavigate, useParams, useRouter } from '@tanstack/react-router';
import type { FormSummary } from '../api/queries.ts';
import { isWithin } from '../lib/place.ts';

/** Leaves the screens of a form for the list of forms; who has gone elsewhere by then stays there. */
export function useLeaveForm({ workspace_id }: Pick<FormSummary, 'workspace_id'>) {
  // The form may have been opened by its slug.
  const { formId } = useParams({ from: '/app/workspaces/$workspaceId/forms/$formId' });
  const router = useRouter();
  const navigate = useNavigate();
  return async ({ ignoreBlocker = false } = {}): Promise<void> => {
    if (!isWithin(router, `/forms/${formId}`)) return;
    await navigate({
      to: '/workspaces/$workspaceId/forms',
      params: { workspaceId: String(workspace_id) },
      ignoreBlocker,
    });
  };
}
