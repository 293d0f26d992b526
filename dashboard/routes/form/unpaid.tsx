import { useParams } from '@tanstack/react-router';
import { WaitingScreen } from '../../responses/apart/waiting-screen.tsx';

const ROUTE = '/app/workspaces/$workspaceId/forms/$formId/responses/unpaid';

/** Responses of a form whose senders have not paid yet. */
export function FormUnpaid() {
  const { workspaceId, formId } = useParams({ from: ROUTE });
  return <WaitingScreen kind="unpaid" workspaceId={workspaceId} formId={formId} />;
}
