import { useState } from 'react';
import type { Errors } from '../../api/client.ts';
import type { MailServer } from '../../api/queries.ts';
import { Field } from '../../ui/field.tsx';
import { EmailInput, Input, PasswordInput, Select } from '../../ui/input.tsx';

export type Security = MailServer['security'];

const SECURITIES: Record<Security, { name: string; port: number }> = {
  starttls: { name: 'STARTTLS', port: 587 },
  tls: { name: 'TLS from the start', port: 465 },
  none: { name: 'Not encrypted', port: 25 },
};
const MAX_PORT = 65_535;

interface FieldsProps {
  server: MailServer | null;
  errors: Errors;
}

interface PlaceProps extends FieldsProps {
  security: Security;
  onSecurity(chosen: Security): void;
}

/** Where the server is, and how to talk to it. */
export function PlaceFields({ server, errors, security, onSecurity }: PlaceProps) {
  const [port, setPort] = useState(String(server?.port ?? SECURITIES.starttls.port));

  function choose(chosen: Security): void {
    // The usual port follows, one that was chosen stays.
    if (Number(port) === SECURITIES[security].port) setPort(String(SECURITIES[chosen].port));
    onSecurity(chosen);
  }

  return (
    <>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-[1fr_7rem]">
        <Field name="host" label="Host" errors={errors}>
          <Input
            required
            maxLength={253}
            defaultValue={server?.host}
            placeholder="mail.example.org"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus={server === null}
          />
        </Field>
        <Field name="port" label="Port" errors={errors}>
          <Input
            type="number"
            required
            min={1}
            max={MAX_PORT}
            value={port}
            onChange={({ target }) => setPort(target.value)}
          />
        </Field>
      </div>
      <Field
        name="security"
        label="Encryption"
        hint={security === 'none' ? 'Anybody on the way can read these mails. Without a sign-in.' : undefined}
        errors={errors}
      >
        <Select value={security} onChange={({ target }) => choose(target.value as Security)}>
          {Object.entries(SECURITIES).map(([value, { name }]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
    </>
  );
}

/** Who signs in to the server, if anybody. */
export function SignInFields({ server, errors }: FieldsProps) {
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <Field
        name="user_name"
        label="User name"
        hint="Left empty, nobody signs in to the server."
        errors={errors}
      >
        <Input
          maxLength={255}
          defaultValue={server?.user_name ?? ''}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <Field
        name="password"
        label="Password"
        hint={
          server?.has_password
            ? 'Kept, and never shown. Left empty, it stays as long as server and user name do.'
            : 'Kept encrypted, and never shown.'
        }
        errors={errors}
      >
        <PasswordInput required={false} maxLength={1_024} autoComplete="new-password" />
      </Field>
    </div>
  );
}

/** From whom mails come. */
export function SenderFields({ server, errors }: FieldsProps) {
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <Field
        name="sender_address"
        label="Sender’s address"
        hint="One that this server may send from."
        errors={errors}
      >
        <EmailInput
          required
          maxLength={254}
          defaultValue={server?.sender_address}
          placeholder="forms@example.org"
        />
      </Field>
      <Field name="sender_name" label="Sender’s name" hint="May be left empty." errors={errors}>
        <Input maxLength={255} defaultValue={server?.sender_name ?? ''} />
      </Field>
    </div>
  );
}
