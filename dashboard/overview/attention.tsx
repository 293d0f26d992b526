import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, Clock, Inbox } from 'lucide-react';
import type { ReactNode } from 'react';
import { providerName } from '../integrations/providers.ts';
import { classes } from '../lib/classes.ts';
import { formatCount, formatMoment, formatNumber } from '../lib/format.ts';
import { Card } from '../ui/page.tsx';
import { UserText } from '../ui/user-text.tsx';
import { type AttentionItem, attentionQuery } from './queries.ts';

const TITLE = 'Needs attention';
/** From here on there may be more than were counted. */
const MAX_COUNTED = 1_000;

/** What needs attention; each line leads to the screen where something can be done about it. */
export function Attention({ workspaceId, items }: { workspaceId: number; items: AttentionItem[] }) {
  return (
    <Card
      title={items.length === 0 ? TITLE : `${TITLE} (${formatNumber(items.length)})`}
      className="flex min-w-0 flex-col"
    >
      {items.length === 0 ? (
        <p className="flex items-center gap-2 text-muted">
          <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-good" />
          Nothing at the moment.
        </p>
      ) : (
        // As high as the chart beside it, however many lines there are.
        <ul className="-mx-2 max-h-96 overflow-y-auto lg:h-0 lg:max-h-none lg:min-h-40 lg:grow">
          <Lines workspaceId={workspaceId} items={items} />
        </ul>
      )}
    </Card>
  );
}

/** The same for one form, which need not be named; nothing if there is nothing. */
export function FormAttention({ workspaceId, formId }: { workspaceId: number; formId: number }) {
  const { data = [] } = useQuery(attentionQuery(workspaceId));
  const items = data.filter(({ form }) => form.id === formId);
  if (items.length === 0) return null;
  return (
    <Card title={TITLE}>
      <ul className="-mx-2">
        <Lines workspaceId={workspaceId} items={items} isOfOneForm />
      </ul>
    </Card>
  );
}

interface LinesProps {
  workspaceId: number;
  items: readonly AttentionItem[];
  isOfOneForm?: boolean;
}

function Lines({ workspaceId, items, isOfOneForm = false }: LinesProps) {
  return items.map((item) => (
    <li key={`${item.kind} ${item.integration?.id ?? item.form.id}`}>
      <Line workspaceId={workspaceId} item={item} isOfOneForm={isOfOneForm} />
    </li>
  ));
}

interface LineProps {
  workspaceId: number;
  item: AttentionItem;
  isOfOneForm: boolean;
}

function Line({ workspaceId, item, isOfOneForm }: LineProps) {
  const { form, integration } = item;
  const params = {
    workspaceId: String(workspaceId),
    formId: String(form.id),
    integrationId: String(integration?.id),
  };
  return (
    <Link
      {...placeOf(item)}
      params={params}
      className="flex items-start gap-3 rounded-md px-2 py-2 focus-visible:-outline-offset-2 hover:bg-hover"
    >
      <span className="mt-0.5 shrink-0 [&_svg]:size-4">{ICONS[item.kind]}</span>
      <span className="min-w-0">
        {!isOfOneForm && <UserText text={form.title} className="font-medium" />}
        <span className={classes('block wrap-anywhere', !isOfOneForm && 'text-[0.8125rem] text-muted')}>
          {describe(item)}
        </span>
      </span>
    </Link>
  );
}

const BAD = <CircleAlert aria-hidden="true" className="text-bad" />;
const WARN = <CircleAlert aria-hidden="true" className="text-warn" />;
const WAITS = <Inbox aria-hidden="true" className="text-muted" />;
const ICONS: Record<AttentionItem['kind'], ReactNode> = {
  integration_stopped: BAD,
  deliveries_failed: BAD,
  integration_failing: WARN,
  form_full: WARN,
  payments_disconnected: WARN,
  form_closing: <Clock aria-hidden="true" className="text-warn" />,
  paid_not_taken: WARN,
  set_aside: WAITS,
  to_review: WAITS,
};

const FORM = '/workspaces/$workspaceId/forms/$formId';
const INTEGRATION = `${FORM}/integrations/$integrationId` as const;

function placeOf({ kind }: AttentionItem): Pick<LinkProps, 'to' | 'search'> {
  switch (kind) {
    case 'integration_stopped':
    case 'integration_failing':
      return { to: INTEGRATION };
    case 'deliveries_failed':
      return { to: INTEGRATION, search: { state: 'exhausted' } };
    case 'payments_disconnected':
      return { to: '/workspaces/$workspaceId/settings' };
    case 'form_full':
    case 'form_closing':
      return { to: `${FORM}/settings`, search: { part: 'access' } };
    case 'paid_not_taken':
      return { to: `${FORM}/responses/paid` };
    case 'set_aside':
      return { to: `${FORM}/responses/set-aside` };
    case 'to_review':
      return { to: `${FORM}/responses`, search: { review: 'received', status: 'all' } };
  }
}

/** One line in words. */
export function describe(item: AttentionItem): string {
  const { kind, integration, count = 0, reason = '', since = '', closes_at: closesAt = '' } = item;
  const name = providerName(integration?.integration_id ?? '');
  switch (kind) {
    case 'integration_stopped':
      return `${name} has stopped. ${reason}${count > 0 ? ` Given up: ${counted(count, 'delivery', 'deliveries')}.` : ''}`;
    case 'deliveries_failed':
      return `${name} has given up ${counted(count, 'delivery', 'deliveries')}.`;
    case 'integration_failing':
      return `${name} has been failing since ${formatMoment(since)}.`;
    case 'payments_disconnected':
      return 'Asks for money, but no account is connected to take it: nobody can send it.';
    case 'form_full':
      return 'Full: it takes no more responses.';
    case 'form_closing':
      return `Closes on ${formatMoment(closesAt)}.`;
    case 'paid_not_taken':
      return `${counted(count, 'paid response')} could not be taken in.`;
    case 'set_aside':
      return `${counted(count, 'response')} set aside as suspected spam.`;
    case 'to_review':
      return `${formatCount(count, 'response')} to review.`;
  }
}

function counted(count: number, one: string, many = `${one}s`): string {
  const text = formatCount(count, one, many);
  return count < MAX_COUNTED ? text : text.replace(' ', ' or more ');
}
