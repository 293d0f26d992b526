import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { sessionsQuery, singleSignOnQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { formatDay } from '../../lib/format.ts';
import { useUser } from '../../lib/workspace.ts';
import { SignOnNotice } from '../../single-sign-on/continue-link.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Card } from '../../ui/page.tsx';
import { PasswordForm } from './password-form.tsx';

const USUAL_NAME = 'single sign-on';

/** The account's connection to the provider; nothing if none is set up. */
export function SingleSignOn() {
  const { data } = useQuery(singleSignOnQuery);
  const { problem } = useSearch({ from: '/app/account/security' });
  const { has_password } = useUser();
  const [isOpen, setOpen] = useState(false);
  if (!data || (data.provider === null && data.connected_at === null)) return null;
  const { provider, connected_at } = data;
  const name = provider ?? USUAL_NAME;
  const isConnected = connected_at !== null;
  const close = () => setOpen(false);
  return (
    <Card title="Single sign-on" description={`Sign in with ${name}, without your password here.`}>
      <div className="grid grid-cols-1 gap-4">
        <SignOnNotice problem={problem} name={name} />
        {isConnected ? (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="flex flex-wrap items-center gap-2">
              <Badge tone="good">Connected</Badge>
              <span className="text-muted">since {formatDay(connected_at)}</span>
            </p>
            <Button
              onClick={() => setOpen(true)}
              disabledReason={
                has_password ? null : 'Set a password on your profile first, or nothing would let you in.'
              }
            >
              Disconnect
            </Button>
          </div>
        ) : (
          <div>
            <Button look="primary" onClick={() => setOpen(true)}>
              Connect
            </Button>
          </div>
        )}
      </div>
      <Dialog
        isOpen={isOpen}
        onClose={close}
        title={`${isConnected ? 'Disconnect' : 'Connect'} ${name}`}
        description={isConnected && 'You sign in with your password then. All your other sessions end.'}
      >
        {isConnected ? <Disconnect onClose={close} /> : <Connect />}
      </Dialog>
    </Card>
  );
}

function Connect() {
  const begin = useAction(
    (body: { current_password: string }) => api.post('/settings/single-sign-on', { body }),
    { onDone: ({ continue_at }) => window.location.assign(continue_at) },
  );
  return <PasswordForm action="Continue" look="primary" proof={begin} hasCancel />;
}

function Disconnect({ onClose }: { onClose(): void }) {
  const disconnect = useAction(
    (body: { current_password: string }) => api.delete('/settings/single-sign-on', { body }),
    {
      refresh: [singleSignOnQuery.queryKey, sessionsQuery.queryKey],
      refreshesAnyway: true,
      toast:
        'Disconnected. From now on you sign in with your password. Other browsers have to sign in again.',
      onDone: onClose,
    },
  );
  return <PasswordForm action="Disconnect" look="danger" proof={disconnect} hasCancel />;
}
