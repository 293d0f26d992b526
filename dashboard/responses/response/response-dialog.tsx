import type { Form } from '../../api/queries.ts';
import { formatMoment } from '../../lib/format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import type { Submission } from '../queries.ts';
import { ResponseView } from './response-view.tsx';

interface ResponseDialogProps<Response extends Submission> {
  form: Form;
  /** null while the dialog is closed. */
  response: Response | null;
  description(response: Response): string;
  onClose(): void;
}

/** A response that is not among the others, to read it whole. */
export function ResponseDialog<Response extends Submission>({
  form,
  response,
  description,
  onClose,
}: ResponseDialogProps<Response>) {
  return (
    <Dialog
      isOpen={response !== null}
      onClose={onClose}
      size="lg"
      title={response ? formatMoment(response.created_at) : ''}
      description={response ? description(response) : ''}
    >
      {response && <ResponseView form={form} response={response} isOnlyAnswered={false} />}
    </Dialog>
  );
}
