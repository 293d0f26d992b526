import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { type PaymentAccount, paymentsQuery, workspacesQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { submitTexts } from '../../lib/submit-texts.ts';
import { useRefusal, useWorkspace } from '../../lib/workspace.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/input.tsx';
import { Load } from '../../ui/load.tsx';
import { Card } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** The Stripe account that forms of the workspace take payments for. */
export function WorkspacePayments() {
  const { id } = useWorkspace();
  const refusal = useRefusal('admin');
  const query = useQuery({ ...paymentsQuery(id), enabled: refusal === null });
  return (
    <Card
      title="Payments"
      description="Forms with a payment block take money for your own account at Stripe. People pay on Stripe’s page, and a response counts once it is paid."
    >
      {refusal === null ? (
        <Load query={query} skeleton={<Skeleton className="h-9" />}>
          {({ payments }) => (payments ? <Connected account={payments} /> : <KeyForm />)}
        </Load>
      ) : (
        <p className="text-muted">{refusal}</p>
      )}
    </Card>
  );
}

function Connected({ account }: { account: PaymentAccount }) {
  const [isChanging, setChanging] = useState(false);
  if (isChanging) return <KeyForm onLeave={() => setChanging(false)} />;
  return (
    <div className="grid gap-4">
      <p className="flex flex-wrap items-center gap-2">
        Connected to <bdi className="font-medium">{account.account ?? 'an account at Stripe'}</bdi>
        {account.mode === 'test' ? <Badge tone="warn">Test mode</Badge> : <Badge tone="good">Live</Badge>}
      </p>
      {account.mode === 'test' && (
        <p className="text-muted">
          No money moves: cards for tests pay. Give the key for real payments when everything is as it should
          be.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setChanging(true)}>Use another key</Button>
        <Disconnect />
      </div>
    </div>
  );
}

/** @param onLeave where there is an account already */
function KeyForm({ onLeave }: { onLeave?: () => void }) {
  const path = { workspaceId: useWorkspace().id };
  const form = useRef<HTMLFormElement>(null);
  const save = useAction(
    (body: { stripe_secret_key: string }) =>
      api.put('/open/workspaces/{workspaceId}/payments', { path, body }),
    {
      refresh: [workspacesQuery.queryKey],
      toast: 'Connected. Forms of this workspace can take payments.',
      onDone: () => {
        form.current?.reset();
        onLeave?.();
      },
    },
  );
  return (
    <form ref={form} className="grid grid-cols-1 gap-4" onSubmit={submitTexts(save.run)}>
      <Field
        name="stripe_secret_key"
        label="Secret key of Stripe"
        hint="From Stripe’s dashboard, under Developers, API keys: it begins with sk_ or rk_. It is kept encrypted, and never shown again."
        errors={save.errors}
      >
        <PasswordInput required maxLength={255} autoComplete="off" spellCheck={false} />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" isRunning={save.isRunning}>
          Connect
        </Button>
        {onLeave && (
          <Button
            look="quiet"
            disabledReason={save.isRunning ? 'It is being checked' : null}
            onClick={onLeave}
          >
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

function Disconnect() {
  const path = { workspaceId: useWorkspace().id };
  const [isOpen, setOpen] = useState(false);
  const remove = useAction(() => api.delete('/open/workspaces/{workspaceId}/payments', { path }), {
    refresh: [workspacesQuery.queryKey],
    toast: 'Disconnected. Nobody can pay any more.',
    onDone: () => setOpen(false),
  });
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        Disconnect
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Disconnect from Stripe?"
        action="Disconnect"
        isRunning={remove.isRunning}
        onConfirm={() => remove.run()}
      >
        <p>
          Nobody can send the forms of this workspace that ask for money then, until an account is connected
          again. Responses that wait for a payment go on waiting, and whether one of them is being paid just
          now cannot be found out any more. The key is deleted; what was paid stays with Stripe.
        </p>
      </ConfirmDialog>
    </>
  );
}
