import { Download } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { secondFactorQuery, sessionsQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { saveFile } from '../../lib/save-file.ts';
import { submitTexts } from '../../lib/submit-texts.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton, CopyField } from '../../ui/copy-button.tsx';
import { HoldDialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { PasswordForm } from './password-form.tsx';

interface Secret {
  uri: string;
  secret: string;
}

/** The steps: password, QR code, first code, recovery codes. */
export function EnrolSteps({ onDone }: { onDone(): void }) {
  const [secret, setSecret] = useState<Secret | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (secret) return <FirstCode secret={secret} onCodes={setCodes} />;
  return <ShowPassword onSecret={setSecret} />;
}

function ShowPassword({ onSecret }: { onSecret(secret: Secret): void }) {
  const begin = useAction(
    (body: { current_password: string }) => api.post('/settings/second-factor', { body }),
    { onDone: ({ otpauth_uri, secret }) => onSecret({ uri: otpauth_uri, secret }) },
  );
  return <PasswordForm action="Continue" look="primary" proof={begin} />;
}

function FirstCode({ secret, onCodes }: { secret: Secret; onCodes(codes: string[]): void }) {
  const confirm = useAction(
    ({ code }: { code: string }) =>
      api.post('/settings/second-factor/confirm', { body: { code: code.trim() } }),
    {
      refresh: [secondFactorQuery.queryKey, sessionsQuery.queryKey],
      refreshesAnyway: true,
      onDone: ({ recovery_codes }) => onCodes(recovery_codes),
    },
  );
  return (
    <form className="grid gap-4" onSubmit={submitTexts(confirm.run)}>
      <p className="text-muted">Scan this with your authenticator app, then enter the code it shows.</p>
      <div className="grid justify-items-center">
        <QrCode text={secret.uri} label="QR code of the secret" />
      </div>
      <details>
        <summary className="text-muted">I cannot scan it</summary>
        <div className="mt-2">
          <CopyField text={secret.secret} label="Secret" />
        </div>
      </details>
      <Field name="code" label="Code" errors={confirm.errors}>
        <Input required autoFocus inputMode="numeric" autoComplete="one-time-code" className="font-mono" />
      </Field>
      <HoldDialog isHeld={confirm.isRunning} isShownOnce />
      <DialogActions>
        <Button type="submit" look="primary" isRunning={confirm.isRunning}>
          Switch on
        </Button>
      </DialogActions>
    </form>
  );
}

/** Shown once; each replaces the authenticator for one sign-in. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone(): void }) {
  const text = codes.join('\n');
  return (
    <div className="grid gap-4">
      <p className="text-muted">
        Keep these recovery codes in a safe place. Each works once, when you do not have your authenticator.
        They are not shown again.
      </p>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-lg bg-sunken p-4 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogActions>
        <CopyButton text={text} />
        <Button
          icon={<Download className="size-4" />}
          onClick={() =>
            saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'formstead-recovery-codes.txt')
          }
        >
          Download
        </Button>
        <Button look="primary" onClick={onDone}>
          I have kept them
        </Button>
      </DialogActions>
    </div>
  );
}
