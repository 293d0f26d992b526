import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { Power } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Property } from '../../../fields/property.ts';
import { api } from '../../api/client.ts';
import { formQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { chatOf } from '../../integrations/chats.ts';
import { DeliveryLog } from '../../integrations/delivery-log.tsx';
import { IntegrationHealth, IntegrationState } from '../../integrations/health.tsx';
import { NotForViewers } from '../../integrations/not-for-viewers.tsx';
import { destinationOf, integrationName, isMail, type ProviderId } from '../../integrations/providers.ts';
import {
  type Integration,
  integrationQuery,
  integrationsQuery,
  waitingQuery,
} from '../../integrations/queries.ts';
import { TestSend } from '../../integrations/test-send.tsx';
import { useFreshHealth } from '../../integrations/use-fresh-health.ts';
import { Verify } from '../../integrations/verify.tsx';
import { useRefusal } from '../../lib/workspace.ts';
import { BackLink } from '../../shell/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Load } from '../../ui/load.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Notice } from '../../ui/states.tsx';
import { TAB_CLASSES, TabBar } from '../../ui/tabs.tsx';
import { IntegrationSettings } from './integration-settings.tsx';

const HERE = '/app/workspaces/$workspaceId/forms/$formId/integrations/$integrationId';
const TABS = [
  [undefined, 'Deliveries'],
  ['settings', 'Settings'],
  ['verify', 'Verify'],
] as const;

export function FormIntegration() {
  const refusal = useRefusal('user');
  const { formId, integrationId } = useParams({ from: HERE });
  const integration = useQuery({
    ...integrationQuery(formId, integrationId),
    enabled: refusal === null,
  });
  if (refusal) return <NotForViewers />;
  return (
    <Load query={integration} skeleton={<Skeleton className="h-64 rounded-xl" />}>
      {(loaded) => <Loaded integration={loaded} />}
    </Load>
  );
}

function Loaded({ integration }: { integration: Integration }) {
  const params = useParams({ from: HERE });
  const { tab, state, since, until } = useSearch({ from: HERE });
  const [isDirty, setDirty] = useState(false);
  // Unsaved changes stay when others save this integration, or the service deactivates it.
  const [shown, setShown] = useState(integration.updated_at);
  if (!isDirty && shown !== integration.updated_at) setShown(integration.updated_at);
  const returnsFocus = useRef(false);
  // Mails and chats do not use our signature.
  const isVerified = !isMail(integration.integration_id) && chatOf(integration) === null;
  return (
    <div className="grid grid-cols-1 gap-5">
      <Head integration={integration} isDirty={isDirty} />
      <TabBar label="Integration">
        {TABS.filter(([key]) => key !== 'verify' || isVerified).map(([key, name]) => (
          <Link
            key={name}
            to="/workspaces/$workspaceId/forms/$formId/integrations/$integrationId"
            params={params}
            search={key ? { tab: key } : {}}
            aria-current={tab === key ? 'page' : undefined}
            data-state={tab === key ? 'active' : undefined}
            className={TAB_CLASSES}
            // The filter of the log must not make it another tab.
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {name}
          </Link>
        ))}
      </TabBar>
      {tab === undefined && (
        <div>
          <DeliveryLog
            form={params.formId}
            integrationId={params.integrationId}
            isMail={isMail(integration.integration_id)}
            filter={{ state, since, until }}
          />
        </div>
      )}
      {tab === 'settings' && (
        <IntegrationSettings
          key={shown}
          integration={integration}
          returnsFocus={returnsFocus}
          onDirty={setDirty}
        />
      )}
      {tab === 'verify' && <Verify integration={integration} />}
    </div>
  );
}

/** @param isDirty whether its settings have unsaved changes */
function Head({ integration, isDirty }: { integration: Integration; isDirty: boolean }) {
  const { formId, workspaceId } = useParams({ from: HERE });
  const { inactive_reason: reason, notice, data } = integration;
  const { data: form } = useSuspenseQuery(formQuery(formId));
  const id = String(integration.id);
  const { data: waiting } = useQuery(waitingQuery(formId, id));
  useFreshHealth(formId, id, waiting);
  const { provider_url: url } = data;
  const refusal = isDirty ? 'Save your changes first.' : null;
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid min-w-0 gap-1">
          <BackLink to="/workspaces/$workspaceId/forms/$formId/integrations" params={{ workspaceId, formId }}>
            All integrations
          </BackLink>
          <h2 className="flex flex-wrap items-center gap-2 text-base font-semibold">
            {integrationName(integration)}
            <IntegrationState integration={integration} />
          </h2>
          <p className="text-muted">
            <bdi>{destinationOf(integration, form.properties as unknown as Property[])}</bdi> ·{' '}
            <IntegrationHealth form={formId} integration={integration} />
            {typeof url === 'string' && (
              <>
                {' · '}
                <a href={url} target="_blank" rel="noreferrer" className="text-accent underline">
                  Open the scenario
                </a>
              </>
            )}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Activate integration={integration} refusal={refusal} />
          <TestSend form={formId} integration={integration} refusal={refusal} />
        </div>
      </div>
      {notice && <Notice tone="warn">{notice}</Notice>}
      {integration.status !== 'active' && reason && (
        <Notice tone="warn">
          Deliveries were stopped: {reason} What waits is kept, and goes on once you activate it again.
        </Notice>
      )}
    </>
  );
}

function Activate({ integration, refusal }: { integration: Integration; refusal: string | null }) {
  const { formId, integrationId } = useParams({ from: HERE });
  const isActive = integration.status === 'active';
  const set = useAction(
    (status: 'active' | 'inactive') =>
      api.put('/open/forms/{form}/integrations/{integrationId}', {
        path: { form: formId, integrationId },
        body: { integration_id: integration.integration_id as ProviderId, status, data: {} },
      }),
    {
      refresh: [integrationsQuery(formId).queryKey],
      toast: (_, status) =>
        status === 'active'
          ? 'Active: new responses are sent.'
          : 'Inactive: new responses are not sent, and not sent later either.',
    },
  );
  return (
    <Button
      icon={<Power className="size-4" />}
      isRunning={set.isRunning}
      disabledReason={refusal}
      onClick={() => set.run(isActive ? 'inactive' : 'active')}
    >
      {isActive ? 'Deactivate' : 'Activate'}
    </Button>
  );
}
