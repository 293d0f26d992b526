import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Other screens link here to publish. The parameter is removed, so that a reload does not ask again. */
export function usePublishLink(isRefused: boolean, ask: (what: 'publish') => void): void {
  const { publish } = useSearch({ from: '/app/workspaces/$workspaceId/forms/$formId/build' });
  const navigate = useNavigate({ from: '/workspaces/$workspaceId/forms/$formId/build' });
  useEffect(() => {
    if (!publish) return;
    if (!isRefused) ask('publish');
    void navigate({ search: {}, replace: true });
  }, [publish, isRefused, ask, navigate]);
}
