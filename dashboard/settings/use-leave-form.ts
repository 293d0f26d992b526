import { useNavigate, useRouter } from '@tanstack/react-router';
import type { FormSummary } from '../api/queries.ts';

/** Leaves the screens of a form for the list of forms; who has gone elsewhere by then stays there. */
export function useLeaveForm({ id, workspace_id }: Pick<FormSummary, 'id' | 'workspace_id'>) {
  const router = useRouter();
  const navigate = useNavigate();
  return async ({ ignoreBlocker = false } = {}): Promise<void> => {
    if (!`${router.state.location.pathname}/`.includes(`/forms/${id}/`)) return;
    await navigate({
      to: '/workspaces/$workspaceId/forms',
      params: { workspaceId: String(workspace_id) },
      ignoreBlocker,
    });
  };
}
