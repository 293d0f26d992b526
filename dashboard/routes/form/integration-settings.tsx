import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { formQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { fieldsOf } from '../../calculations/fields.ts';
import { CaptchaNotice } from '../../integrations/captcha-notice.tsx';
import { bodyOf, changesOf, type Draft, draftOf } from '../../integrations/draft.ts';
import { IntegrationForm } from '../../integrations/integration-form.tsx';
import { type MailDraft, mailBodyOf, mailDraftOf } from '../../integrations/mail-draft.ts';
import { MailForm } from '../../integrations/mail-form.tsx';
import { isMail, type ProviderId, wordToDelete } from '../../integrations/providers.ts';
import { type Integration, integrationQuery, integrationsQuery } from '../../integrations/queries.ts';
import { isWithin } from '../../lib/place.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Card } from '../../ui/page.tsx';

const HERE = '/app/workspaces/$workspaceId/forms/$formId/integrations/$integrationId';

const SAVE = '[type=submit]';

interface Saving {
  body: ReturnType<typeof bodyOf>;
  /** Makes what was sent the state that later changes are told from. */
  onSaved(): void;
}

/** The settings of an integration, and its deletion. */
export function IntegrationSettings({
  integration,
  returnsFocus,
  onDirty,
}: {
  integration: Integration;
  /** Set when they are about to be shown anew, because they were saved by the button that has the focus. */
  returnsFocus: RefObject<boolean>;
  onDirty(isDirty: boolean): void;
}) {
  const { formId, integrationId } = useParams({ from: HERE });
  const { data: form } = useSuspenseQuery(formQuery(formId));
  const provider = integration.integration_id;
  const properties = fieldsOf(form);
  // The initial values, because others may save the integration meanwhile.
  const [first] = useState(integration);
  const [savedMail, setSavedMail] = useState<MailDraft | null>(null);
  const [saved, setSaved] = useState<Draft | null>(null);
  const save = useAction(
    ({ body }: Saving) =>
      api.put('/open/forms/{form}/integrations/{integrationId}', {
        path: { form: formId, integrationId },
        body,
      }),
    {
      refresh: [integrationsQuery(formId).queryKey],
      toast: 'Saved, and in force from now on.',
      onDone: (_, { onSaved }) => {
        returnsFocus.current = box.current?.querySelector(SAVE) === document.activeElement;
        onSaved();
      },
    },
  );
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (returnsFocus.current) box.current?.querySelector<HTMLElement>(SAVE)?.focus();
    returnsFocus.current = false;
  }, [returnsFocus]);
  const common = { properties, errors: save.errors, isSaving: save.isRunning, action: 'Save', onDirty };
  return (
    <div ref={box} className="grid max-w-2xl grid-cols-1 gap-5">
      {provider === 'email_confirmation' && !form.use_captcha && <CaptchaNotice />}
      <Card title="Settings">
        {isMail(provider) ? (
          <MailForm
            {...common}
            id={provider}
            start={mailDraftOf(first)}
            saved={savedMail}
            title={form.title}
            isEditable={form.editable_submissions === true}
            onSave={(draft) => {
              const before = mailBodyOf(savedMail ?? mailDraftOf(first), provider);
              const body = changesOf(before, mailBodyOf(draft, provider));
              save.run({ body, onSaved: () => setSavedMail(draft) });
            }}
          />
        ) : (
          <IntegrationForm
            {...common}
            provider={provider as ProviderId}
            start={draftOf(first)}
            saved={saved}
            hasSecret={integration.data.webhook_secret !== undefined}
            title={form.title}
            onSave={(draft) => {
              const before = bodyOf(saved ?? draftOf(first), provider as ProviderId);
              const body = changesOf(before, bodyOf(draft, provider as ProviderId));
              save.run({ body, onSaved: () => setSaved(draft) });
            }}
          />
        )}
      </Card>
      <Delete integration={integration} />
    </div>
  );
}

function Delete({ integration }: { integration: Integration }) {
  const { formId, integrationId, workspaceId } = useParams({ from: HERE });
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const router = useRouter();
  const navigate = useNavigate();
  const remove = useAction(
    () =>
      api.delete('/open/forms/{form}/integrations/{integrationId}', {
        path: { form: formId, integrationId },
      }),
    {
      toast: 'The integration was deleted.',
      onDone: async () => {
        if (isWithin(router, `/forms/${formId}/integrations/${integrationId}`))
          await navigate({
            to: '/workspaces/$workspaceId/forms/$formId/integrations',
            params: { workspaceId, formId },
            ignoreBlocker: true,
          });
        client.removeQueries({ queryKey: integrationQuery(formId, integrationId).queryKey });
        await client.invalidateQueries({ queryKey: integrationsQuery(formId).queryKey });
      },
    },
  );
  return (
    <>
      <Card
        title="Delete"
        description="Deliveries that still wait are cancelled. To stop for a while, deactivate it."
        actions={
          <Button look="danger" icon={<Trash2 className="size-4" />} onClick={() => setAsking(true)}>
            Delete integration
          </Button>
        }
      />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Delete this integration?"
        action="Delete integration"
        typed={wordToDelete(integration)}
        isRunning={remove.isRunning}
        onConfirm={() => remove.run()}
      >
        <p>Its log and its secret go with it, and deliveries that still wait are cancelled.</p>
      </ConfirmDialog>
    </>
  );
}
