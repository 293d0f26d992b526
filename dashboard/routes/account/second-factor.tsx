import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { secondFactorQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { formatCount, formatDay } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Load } from '../../ui/load.tsx';
import { Card } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { EnrolSteps, RecoveryCodes } from './enrol.tsx';
import { PasswordForm } from './password-form.tsx';

type Doing = 'enrol' | 'renew' | 'disable' | null;

export function SecondFactor() {
  const state = useQuery(secondFactorQuery);
  const [doing, setDoing] = useState<Doing>(null);
  const close = () => setDoing(null);
  return (
    <Card
      title="Second factor"
      description="A code from an authenticator app, beside your password, whenever you sign in."
    >
      <Load query={state} skeleton={<Skeleton className="h-9 w-64" />}>
        {({ enabled, confirmed_at, recovery_codes_left }) =>
          enabled ? (
            <div className="flex flex-wrap items-center justify-between gap-3">
              <p className="flex flex-wrap items-center gap-2">
                <Badge tone="good">On</Badge>
                {confirmed_at && <span className="text-muted">since {formatDay(confirmed_at)}</span>}
                <span className="text-muted">· {formatCount(recovery_codes_left, 'recovery code')} left</span>
              </p>
              <div className="flex gap-2">
                <Button onClick={() => setDoing('renew')}>New recovery codes</Button>
                <Button onClick={() => setDoing('disable')}>Switch off</Button>
              </div>
            </div>
          ) : (
            <Button look="primary" onClick={() => setDoing('enrol')}>
              Switch on
            </Button>
          )
        }
      </Load>
      <Dialog isOpen={doing === 'enrol'} onClose={close} title="Switch on the second factor" isShownOnce>
        <EnrolSteps onDone={close} />
      </Dialog>
      <Dialog
        isOpen={doing === 'renew'}
        onClose={close}
        title="New recovery codes"
        description="The old ones stop working."
        isShownOnce
      >
        <Renew onClose={close} />
      </Dialog>
      <Dialog isOpen={doing === 'disable'} onClose={close} title="Switch off the second factor">
        <Disable onClose={close} />
      </Dialog>
    </Card>
  );
}

type PasswordAndCode = Record<'current_password' | 'code', string>;

function Renew({ onClose }: { onClose(): void }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  const renew = useAction(
    (body: PasswordAndCode) => api.post('/settings/second-factor/recovery-codes', { body }),
    { refresh: [secondFactorQuery.queryKey], onDone: ({ recovery_codes }) => setCodes(recovery_codes) },
  );
  if (codes) return <RecoveryCodes codes={codes} onDone={onClose} />;
  return <Proof action="Make new codes" look="primary" proof={renew} hasCancel isShownOnce />;
}

function Disable({ onClose }: { onClose(): void }) {
  const disable = useAction((body: PasswordAndCode) => api.delete('/settings/second-factor', { body }), {
    refresh: [secondFactorQuery.queryKey],
    refreshesAnyway: true,
    toast: 'The second factor is off.',
    onDone: onClose,
  });
  return <Proof action="Switch off" look="danger" proof={disable} hasCancel />;
}

function Proof(form: Parameters<typeof PasswordForm<keyof PasswordAndCode>>[0]) {
  return (
    <PasswordForm {...form}>
      <Field
        name="code"
        label="Code"
        hint="From your authenticator, or a recovery code."
        errors={form.proof.errors}
      >
        <Input required autoComplete="one-time-code" className="font-mono" />
      </Field>
    </PasswordForm>
  );
}
