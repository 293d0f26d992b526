import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Property } from '../../fields/property.ts';
import { api } from '../api/client.ts';
import { formQuery } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { bodyOf, newDraft } from '../integrations/draft.ts';
import { IntegrationForm } from '../integrations/integration-form.tsx';
import { PROVIDERS } from '../integrations/providers.ts';
import { integrationsQuery } from '../integrations/queries.ts';
import { useRefusal } from '../lib/workspace.ts';
import { Card } from '../ui/page.tsx';
import { Notice } from '../ui/states.tsx';

export function NewIntegration() {
  const params = useParams({ from: '/app/workspaces/$workspaceId/forms/$formId' });
  const { provider: wanted } = useSearch({
    from: '/app/workspaces/$workspaceId/forms/$formId/integrations/new',
  });
  const [webhook] = PROVIDERS;
  const provider = PROVIDERS.find(({ id }) => id === wanted) ?? webhook;
  const refusal = useRefusal('user');
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: form } = useSuspenseQuery(formQuery(params.formId));
  const [start] = useState(newDraft);
  const create = useAction(
    (body: ReturnType<typeof bodyOf>) =>
      api.post('/open/forms/{form}/integrations', { path: { form: params.formId }, body }),
    {
      toast: 'The integration is active. Send a test to see what arrives.',
      onDone: async ({ form_integration: { id } }) => {
        await client.invalidateQueries({ queryKey: integrationsQuery(params.formId).queryKey });
        await navigate({
          to: '/workspaces/$workspaceId/forms/$formId/integrations/$integrationId',
          params: { ...params, integrationId: String(id) },
          replace: true,
        });
      },
    },
  );
  if (refusal || !provider) return <Notice>{refusal}</Notice>;
  return (
    <div className="grid max-w-2xl gap-4">
      <Link
        to="/workspaces/$workspaceId/forms/$formId/integrations"
        params={params}
        className="justify-self-start text-muted hover:text-ink"
      >
        All integrations
      </Link>
      <Card title={`New: ${provider.name}`} description={provider.about}>
        <IntegrationForm
          provider={provider.id}
          start={start}
          hasSecret={false}
          properties={form.properties as unknown as Property[]}
          errors={create.errors}
          isSaving={create.isRunning}
          action="Add integration"
          onSave={(draft) => create.run(bodyOf(draft, provider.id))}
        />
      </Card>
    </div>
  );
}
