import { useParams } from '@tanstack/react-router';
import { WaitingScreen } from '../../responses/apart/waiting-screen.tsx';

const ROUTE = '/app/workspaces/$workspaceId/forms/$formId/responses/set-aside';

/** Suspected spam of a form. */
export function FormSetAside() {
  const { workspaceId, formId } = useParams({ from: ROUTE });
  return <WaitingScreen kind="spam" workspaceId={workspaceId} formId={formId} />;
}
