import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { formQuery } from '../api/queries.ts';
import { fieldsOf } from '../calculations/fields.ts';
import { neverMetReason } from '../form-builder/logic/never-met.ts';
import { formatDistance, formatNumber } from '../lib/format.ts';
import { Badge } from '../ui/badge.tsx';
import { type Integration, MOST_COUNTED, waitingQuery } from './queries.ts';

/** Whether it works, as a badge. */
export function IntegrationState({ integration }: { integration: Integration }) {
  const { status, inactive_reason: reason, failing_since: failing } = integration;
  if (status !== 'active')
    return <Badge tone={reason ? 'bad' : 'neutral'}>{reason ? 'Stopped' : 'Inactive'}</Badge>;
  if (failing) return <Badge tone="warn">Failing</Badge>;
  return <Badge tone="good">Active</Badge>;
}

/** Whether it works, as a sentence with the number of waiting deliveries. */
export function IntegrationHealth({ form, integration }: { form: string; integration: Integration }) {
  const { status, inactive_reason: reason, failing_since: failing, notice, data } = integration;
  const { data: waiting = [] } = useQuery(waitingQuery(form, String(integration.id)));
  const { data: asking } = useSuspenseQuery(formQuery(form));
  const never = neverMetReason(integration.logic, fieldsOf(asking));
  const facts = [
    status !== 'active' && (reason ?? 'Sends nothing'),
    status === 'active' && notice && (data.webhook_url ? 'Secret cannot be read' : 'No mail server yet'),
    status === 'active' && never && `Nothing to send: ${never}`,
    failing && `No success ${sinceWords(failing)}`,
    waiting.length > 0 &&
      `${waiting.length === MOST_COUNTED ? `${formatNumber(MOST_COUNTED)} or more` : formatNumber(waiting.length)} waiting`,
  ].filter(Boolean);
  return <>{facts.length > 0 ? facts.join(' · ') : 'No problems'}</>;
}

function sinceWords(time: string): string {
  const words = formatDistance(time);
  return words === 'just now' ? 'for less than a minute' : `since ${words}`;
}
