import { useParams } from '@tanstack/react-router';
import { WaitingScreen } from '../../responses/apart/waiting-screen.tsx';

const ROUTE = '/app/workspaces/$workspaceId/forms/$formId/responses/paid';

/** Responses that were paid when their form could not take them any more. */
export function FormPaid() {
  const { workspaceId, formId } = useParams({ from: ROUTE });
  return <WaitingScreen kind="paid" workspaceId={workspaceId} formId={formId} />;
}
