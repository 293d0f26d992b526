import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { formQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { fieldsOf } from '../../calculations/fields.ts';
import { CaptchaNotice } from '../../integrations/captcha-notice.tsx';
import { chatById } from '../../integrations/chats.ts';
import { bodyOf, newDraft } from '../../integrations/draft.ts';
import { IntegrationForm } from '../../integrations/integration-form.tsx';
import { mailBodyOf, newMailDraft } from '../../integrations/mail-draft.ts';
import { MailForm } from '../../integrations/mail-form.tsx';
import { MailServerNotice } from '../../integrations/mail-server-notice.tsx';
import { NotForViewers } from '../../integrations/not-for-viewers.tsx';
import { isMail, MAILS, PROVIDERS } from '../../integrations/providers.ts';
import { integrationsQuery } from '../../integrations/queries.ts';
import { useRefusal, useUser } from '../../lib/workspace.ts';
import { BackLink } from '../../shell/back-link.tsx';
import { HoldContext } from '../../ui/hold.ts';
import { Card } from '../../ui/page.tsx';

export function NewIntegration() {
  const params = useParams({ from: '/app/workspaces/$workspaceId/forms/$formId' });
  const { provider: wanted } = useSearch({
    from: '/app/workspaces/$workspaceId/forms/$formId/integrations/new',
  });
  const [webhook] = PROVIDERS;
  const chat = chatById(wanted);
  const provider = [...PROVIDERS, ...MAILS].find(({ id }) => id === wanted) ?? webhook;
  const refusal = useRefusal('user');
  const navigate = useNavigate();
  const { data: form } = useSuspenseQuery(formQuery(params.formId));
  const { email } = useUser();
  const [isAdded, setAdded] = useState(false);
  const create = useAction(
    (body: ReturnType<typeof bodyOf>) =>
      api.post('/open/forms/{form}/integrations', { path: { form: params.formId }, body }),
    {
      refresh: [integrationsQuery(params.formId).queryKey],
      toast: ({ form_integration: { notice } }) =>
        notice ?? 'The integration is active. Send a test to see what arrives.',
      leadsTo: ({ form_integration: { id } }) =>
        navigate({
          to: '/workspaces/$workspaceId/forms/$formId/integrations/$integrationId',
          params: { ...params, integrationId: String(id) },
          replace: true,
          ignoreBlocker: true,
        }),
      onDone: () => setAdded(true),
    },
  );
  if (refusal || !provider) return <NotForViewers />;
  const properties = fieldsOf(form);
  const { id } = provider;
  const common = {
    properties,
    errors: create.errors,
    isSaving: create.isRunning,
    isAdded,
    action: 'Add integration',
  };
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-4">
      <BackLink to="/workspaces/$workspaceId/forms/$formId/integrations" params={params}>
        All integrations
      </BackLink>
      {isMail(id) && <MailServerNotice />}
      {id === 'email_confirmation' && !form.use_captcha && <CaptchaNotice />}
      <Card
        title={`New: ${chat?.name ?? provider.name}`}
        description={chat ? 'A message in a channel for every new response.' : provider.about}
      >
        {/* It is left as soon as the integration is there. */}
        <HoldContext value={{ isHeld: create.isRunning, hold: () => {} }}>
          {isMail(id) ? (
            <MailForm
              {...common}
              key={id}
              id={id}
              start={newMailDraft(id, email, properties)}
              title={form.title}
              isEditable={form.editable_submissions === true}
              onSave={(draft) => create.run(mailBodyOf(draft, id))}
            />
          ) : (
            <IntegrationForm
              {...common}
              key={chat?.id ?? id}
              provider={id}
              start={newDraft(chat?.id)}
              hasSecret={false}
              title={form.title}
              onSave={(draft) => create.run(bodyOf(draft, id))}
            />
          )}
        </HoldContext>
      </Card>
    </div>
  );
}
