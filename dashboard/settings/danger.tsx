import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { type Form, keysOfForm } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { isYetToBePublished } from '../lib/publishing.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/page.tsx';
import { showToast } from '../ui/toasts.tsx';
import { DeleteFormDialog, NewLinkDialog } from './form-dialogs.tsx';
import { useLeaveForm } from './use-leave-form.ts';
import { useTrash } from './use-trash.ts';

interface DangerProps {
  form: Form;
  refusal: string | null;
}

/** Actions that apply at once, and cannot be undone or not entirely. */
export function Danger(props: DangerProps) {
  return (
    <>
      {!props.form.trash_ends_at && <OpenOrClose {...props} />}
      <NewLink {...props} />
      <DeleteForm {...props} />
    </>
  );
}

function OpenOrClose(props: DangerProps) {
  return isYetToBePublished(props.form) ? <PublishForm {...props} /> : <CloseForm {...props} />;
}

function PublishForm({ form, refusal }: DangerProps) {
  const navigate = useNavigate();
  return (
    <Card
      title="Publish the form"
      description="From then on everybody who has the link can answer the questions that stand in the builder."
      actions={
        <Button
          disabledReason={refusal}
          onClick={() =>
            void navigate({
              to: '/workspaces/$workspaceId/forms/$formId/build',
              params: { workspaceId: String(form.workspace_id), formId: String(form.id) },
              search: { publish: true },
            })
          }
        >
          Publish …
        </Button>
      }
    />
  );
}

function CloseForm({ form, refusal }: DangerProps) {
  const isOpen = form.visibility === 'public';
  const set = useAction(
    (visibility: Form['visibility']) =>
      api.put('/open/forms/{form}', { path: { form: form.id }, body: { visibility } }),
    {
      refresh: keysOfForm(form),
      onDone: (_, visibility) =>
        showToast({
          text: visibility === 'closed' ? 'The form is closed.' : 'The form is open to answers.',
          undo: () => set.run(form.visibility),
        }),
    },
  );
  return (
    <Card
      title={isOpen ? 'Close the form' : 'Open the form'}
      description={
        isOpen
          ? 'From now on visitors read that it is closed. Answers stay.'
          : 'Everybody who has the link can answer.'
      }
      actions={
        <Button
          disabledReason={refusal}
          isRunning={set.isRunning}
          onClick={() => set.run(isOpen ? 'closed' : 'public')}
        >
          {isOpen ? 'Close form' : 'Open form'}
        </Button>
      }
    />
  );
}

function NewLink({ form, refusal }: DangerProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Card
        title="New link"
        description="For a link that got into wrong hands. The present one stops working, also where the form is embedded."
        actions={
          <Button disabledReason={refusal} onClick={() => setAsking(true)}>
            Regenerate link
          </Button>
        }
      />
      <NewLinkDialog form={form} isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  );
}

function DeleteForm({ form, refusal }: DangerProps) {
  const [isAsking, setAsking] = useState(false);
  const leave = useLeaveForm(form);
  // Asks about unsaved changes first, because the form may be restored.
  const { trash } = useTrash(form, () => leave());
  return (
    <>
      <Card
        title="Delete the form"
        description="With its answers, files and integrations, for everybody. In the trash it is offline, and can be restored for 30 days."
        actions={
          <>
            {!form.trash_ends_at && (
              <Button disabledReason={refusal} isRunning={trash.isRunning} onClick={() => trash.run()}>
                Move to trash
              </Button>
            )}
            <Button look="danger" disabledReason={refusal} onClick={() => setAsking(true)}>
              Delete for good
            </Button>
          </>
        }
      />
      <DeleteFormDialog
        form={form}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onDeleted={() => leave({ ignoreBlocker: true })}
      />
    </>
  );
}
