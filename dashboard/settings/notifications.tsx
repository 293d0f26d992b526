import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Mail } from 'lucide-react';
import { formQuery } from '../api/queries.ts';
import { fieldsOf } from '../calculations/fields.ts';
import { chatOf } from '../integrations/chats.ts';
import { IntegrationState } from '../integrations/health.tsx';
import { NotForViewers } from '../integrations/not-for-viewers.tsx';
import { destinationOf, integrationName, isMail } from '../integrations/providers.ts';
import { type Integration, integrationsQuery } from '../integrations/queries.ts';
import { useRefusal } from '../lib/workspace.ts';
import { buttonClasses } from '../ui/button.tsx';
import { Load } from '../ui/load.tsx';
import { Card } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

const HERE = '/app/workspaces/$workspaceId/forms/$formId';
const INTEGRATIONS = '/workspaces/$workspaceId/forms/$formId/integrations';

/** Who is told of new responses: the integrations that write mails or to chats, and a short way to a mail to oneself. */
export function Notifications() {
  const params = useParams({ from: HERE });
  const refusal = useRefusal('user');
  const integrations = useQuery({ ...integrationsQuery(params.formId), enabled: refusal === null });
  if (refusal !== null) return <NotForViewers />;
  return (
    <Card
      title="Notifications"
      description="Who is told of new responses by mail or in a chat. A condition can say of which."
    >
      <div className="grid grid-cols-1 gap-4">
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Link
            to={`${INTEGRATIONS}/new`}
            params={params}
            search={{ provider: 'email' }}
            className={buttonClasses('primary')}
          >
            <Mail aria-hidden="true" className="size-4" />
            Mail me every response
          </Link>
          <Link to={INTEGRATIONS} params={params} className="text-accent hover:underline">
            All integrations
          </Link>
        </p>
        {/* Last, as the number of them is not known before. */}
        <Load query={integrations} skeleton={<Skeleton className="h-16 rounded-lg" />}>
          {(all) => <Told integrations={all.filter((one) => isMail(one.integration_id) || chatOf(one))} />}
        </Load>
      </div>
    </Card>
  );
}

function Told({ integrations }: { integrations: Integration[] }) {
  const params = useParams({ from: HERE });
  const { data: form } = useSuspenseQuery(formQuery(params.formId));
  if (integrations.length === 0) return <p className="text-muted">Nobody is told yet.</p>;
  return (
    <ul className="divide-y divide-line rounded-lg border border-line">
      {integrations.map((integration) => (
        <li key={integration.id} className="relative grid gap-0.5 px-4 py-3 hover:bg-hover/60">
          <span className="flex flex-wrap items-center gap-2">
            <Link
              to={`${INTEGRATIONS}/$integrationId`}
              params={{ ...params, integrationId: String(integration.id) }}
              className="font-medium after:absolute after:inset-0"
            >
              {integrationName(integration)}
            </Link>
            <IntegrationState integration={integration} />
          </span>
          <bdi className="line-clamp-2 break-words text-muted">
            {destinationOf(integration, fieldsOf(form))}
          </bdi>
        </li>
      ))}
    </ul>
  );
}
