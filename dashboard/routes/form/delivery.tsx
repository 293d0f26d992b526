import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { MailView, readMail } from '../../integrations/mail-view.tsx';
import { NotForViewers } from '../../integrations/not-for-viewers.tsx';
import { pretty } from '../../integrations/pretty.ts';
import { isMail } from '../../integrations/providers.ts';
import { deliveryQuery, integrationQuery, type LoggedDelivery } from '../../integrations/queries.ts';
import {
  dueWords,
  durationWords,
  isGood,
  outcomeWords,
  stateOf,
  WHEN_ACTIVE,
} from '../../integrations/words.ts';
import { formatInstant } from '../../lib/format.ts';
import { useRefusal } from '../../lib/workspace.ts';
import { CodeBlock } from '../../share/code-block.tsx';
import { BackLink } from '../../shell/back-link.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Load } from '../../ui/load.tsx';
import { Card } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const HERE = '/app/workspaces/$workspaceId/forms/$formId/integrations/$integrationId/deliveries/$deliveryId';

export function FormDelivery() {
  const refusal = useRefusal('user');
  const { formId, integrationId, deliveryId } = useParams({ from: HERE });
  const delivery = useQuery({
    ...deliveryQuery(formId, integrationId, deliveryId),
    enabled: refusal === null,
  });
  if (refusal) return <NotForViewers />;
  return (
    <Load query={delivery} skeleton={<Skeleton className="h-64 rounded-xl" />}>
      {(loaded) => <Loaded delivery={loaded} />}
    </Load>
  );
}

function Loaded({ delivery }: { delivery: LoggedDelivery }) {
  const { formId, integrationId, deliveryId, workspaceId } = useParams({ from: HERE });
  const replay = useAction(
    () =>
      api.post('/open/forms/{form}/integrations/{integrationId}/deliveries/{deliveryId}/replay', {
        path: { form: formId, integrationId, deliveryId },
      }),
    {
      refresh: [['forms', formId, 'integrations', integrationId]],
      toast: ({ message }) => message,
    },
  );
  const { data: integration } = useQuery(integrationQuery(formId, integrationId));
  const isOfMail = integration !== undefined && isMail(integration.integration_id);
  const mail = isOfMail ? readMail(delivery.body) : null;
  const [state, tone] = stateOf(delivery);
  const { next_attempt_at: next } = delivery;
  const facts: [string, ReactNode][] = [
    [
      'Response',
      <Link
        key="response"
        to="/workspaces/$workspaceId/forms/$formId/responses/$submissionId"
        params={{ workspaceId, formId, submissionId: String(delivery.submission_id) }}
        className="text-accent underline-offset-2 hover:underline"
      >
        Open response {delivery.submission_id}
      </Link>,
    ],
    ['Created', formatInstant(delivery.created_at)],
    ...(delivery.finished_at ? [['Done', formatInstant(delivery.finished_at)] as [string, ReactNode]] : []),
    ...(delivery.state === 'pending'
      ? [
          ['Next attempt', next ? `${dueWords(next)} (${formatInstant(next)})` : WHEN_ACTIVE] as [
            string,
            ReactNode,
          ],
        ]
      : []),
    [isOfMail ? 'ID (part of Message-ID)' : 'ID (header webhook-id)', delivery.webhook_id],
  ];
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid gap-1">
          <BackLink
            to="/workspaces/$workspaceId/forms/$formId/integrations/$integrationId"
            params={{ workspaceId, formId, integrationId }}
          >
            All deliveries
          </BackLink>
          <h2 className="flex flex-wrap items-center gap-2 text-base font-semibold">
            Delivery of response #{delivery.submission_id}
            <Badge tone={tone}>{state}</Badge>
          </h2>
        </div>
        <Button
          icon={<RotateCw className="size-4" />}
          isRunning={replay.isRunning}
          onClick={() => replay.run()}
        >
          Send again
        </Button>
      </div>
      <dl className="grid gap-x-8 gap-y-3 rounded-xl border border-line bg-surface p-5 sm:grid-cols-2">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-muted">{name}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <Card title="Attempts">
        {delivery.attempt_log.length === 0 ? (
          <p className="text-muted">None yet.</p>
        ) : (
          <ol className="grid gap-4">
            {delivery.attempt_log.map((attempt) => (
              <Attempt key={attempt.attempt} attempt={attempt} isOfMail={isOfMail} />
            ))}
          </ol>
        )}
      </Card>
      {mail && (
        <Card title="Mail">
          <MailView mail={mail} to={mail.to ?? 'the recipients of the moment it is sent'} />
        </Card>
      )}
      <Card title="Body" description="The exact text of every attempt, here with line breaks.">
        <CodeBlock code={pretty(delivery.body)} copy={delivery.body} label="Body" />
      </Card>
    </div>
  );
}

interface AttemptProps {
  attempt: LoggedDelivery['attempt_log'][number];
  isOfMail: boolean;
}

function Attempt({ attempt, isOfMail }: AttemptProps) {
  const { response_excerpt: answer, failure_detail: detail } = attempt;
  return (
    <li className="grid gap-2 border-s-2 border-line ps-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium tabular-nums">{attempt.attempt}.</span>
        <Badge tone={isGood(attempt) ? 'good' : 'bad'}>{outcomeWords(attempt, isOfMail)}</Badge>
        <span className="text-muted">
          {formatInstant(attempt.started_at)} · {durationWords(attempt.duration_ms)}
        </span>
      </p>
      {detail && <p className="break-words text-muted">{detail}</p>}
      {answer && <CodeBlock code={pretty(answer)} label={`Reply to attempt ${attempt.attempt}`} />}
    </li>
  );
}
