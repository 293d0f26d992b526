import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Plug, Plus } from 'lucide-react';
import { formQuery } from '../../api/queries.ts';
import { fieldsOf } from '../../calculations/fields.ts';
import { readGroup } from '../../form-builder/logic/condition-tree.ts';
import { AnswerTypes } from '../../integrations/answer-types.tsx';
import { CHATS } from '../../integrations/chats.ts';
import { conditionSentence } from '../../integrations/condition-field.tsx';
import { IntegrationHealth, IntegrationState } from '../../integrations/health.tsx';
import { LiveTables, liveTablesQuery } from '../../integrations/live-tables.tsx';
import { NotForViewers } from '../../integrations/not-for-viewers.tsx';
import { destinationOf, integrationName, MAILS, PROVIDERS } from '../../integrations/providers.ts';
import { type Integration, integrationsQuery } from '../../integrations/queries.ts';
import { useRefusal } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { Load, together } from '../../ui/load.tsx';
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';

const HERE = '/app/workspaces/$workspaceId/forms/$formId';

export function FormIntegrations() {
  const refusal = useRefusal('user');
  const { formId } = useParams({ from: HERE });
  const enabled = refusal === null;
  const integrations = useQuery({ ...integrationsQuery(formId), enabled });
  const tables = useQuery({ ...liveTablesQuery(formId), enabled });
  if (refusal) return <NotForViewers />;
  return (
    <Load query={together(integrations, tables)} skeleton={<Skeleton className="h-96 rounded-xl" />}>
      {([all, links]) => (
        <div className="grid grid-cols-1 gap-6">
          <div>
            <Integrations all={all} />
          </div>
          <LiveTables form={formId} tables={links} />
          <AnswerTypes form={formId} />
        </div>
      )}
    </Load>
  );
}

function Integrations({ all }: { all: readonly Integration[] }) {
  if (all.length === 0)
    return (
      <EmptyState icon={<Plug />} title="No integrations yet" action={<Add />}>
        Send every new response on: as a mail, as a message in a chat, signed to an address of your own, or to
        an automation platform.
      </EmptyState>
    );
  return (
    <>
      <div className="mb-4 flex justify-end">
        <Add />
      </div>
      <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
        {all.map((integration) => (
          <IntegrationRow key={integration.id} integration={integration} />
        ))}
      </ul>
    </>
  );
}

function Add() {
  const params = useParams({ from: HERE });
  const item = ({ id, name }: { id: string; name: string }) => (
    <MenuItem key={id} asChild>
      <Link
        to="/workspaces/$workspaceId/forms/$formId/integrations/new"
        params={params}
        search={{ provider: id }}
      >
        {name}
      </Link>
    </MenuItem>
  );
  return (
    <Menu
      trigger={
        <Button look="primary" icon={<Plus className="size-4" />}>
          Add integration
        </Button>
      }
    >
      <MenuLabel>Mail</MenuLabel>
      {MAILS.map(item)}
      <MenuLabel>Chats</MenuLabel>
      {CHATS.map(item)}
      <MenuLabel>Webhooks</MenuLabel>
      {PROVIDERS.map(item)}
    </Menu>
  );
}

function IntegrationRow({ integration }: { integration: Integration }) {
  const params = useParams({ from: HERE });
  const { data: form } = useSuspenseQuery(formQuery(params.formId));
  const properties = fieldsOf(form);
  const condition = conditionSentence(readGroup(integration.logic), properties);
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-4 hover:bg-hover/60">
      <div className="grid min-w-0 flex-1 gap-1">
        <span className="flex flex-wrap items-center gap-2">
          <Link
            to="/workspaces/$workspaceId/forms/$formId/integrations/$integrationId"
            params={{ ...params, integrationId: String(integration.id) }}
            className="min-w-0 font-medium after:absolute after:inset-0"
          >
            {integrationName(integration)}
          </Link>
          <IntegrationState integration={integration} />
        </span>
        <span className="line-clamp-3 break-words text-muted">
          <bdi>{destinationOf(integration, properties)}</bdi> ·{' '}
          <IntegrationHealth form={params.formId} integration={integration} />
        </span>
        {condition && (
          <bdi className="line-clamp-2 text-[0.8125rem] text-muted" title={condition}>
            {condition}
          </bdi>
        )}
      </div>
    </li>
  );
}
