import { useParams } from '@tanstack/react-router';
import { WaitingScreen } from '../../responses/apart/waiting-screen.tsx';

const ROUTE = '/app/workspaces/$workspaceId/forms/$formId/responses/unconfirmed';

/** Responses of a form whose senders have not confirmed their address yet. */
export function FormUnconfirmed() {
  const { workspaceId, formId } = useParams({ from: ROUTE });
  return <WaitingScreen kind="unconfirmed" workspaceId={workspaceId} formId={formId} />;
}
