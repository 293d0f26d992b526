import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { submitTexts } from '../lib/submit-texts.ts';
import { useFragment } from '../lib/use-fragment.ts';
import { Outside } from '../shell/outside.tsx';
import { Button, buttonClasses } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { EmailInput, PasswordInput } from '../ui/input.tsx';
import { Notice } from '../ui/states.tsx';

/** For forgotten passwords: requests a link, and the link's page sets a new password. */
export function Password(): ReactNode {
  const token = useFragment();
  return token === '' ? <AskForLink /> : <NewPassword key={token} token={token} />;
}

function AskForLink() {
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const ask = useAction((body: { email: string }) => api.post('/password/link', { body }), {
    onDone: (_answer, { email }) => setAskedFor(email.trim()),
  });
  if (askedFor !== null)
    return (
      <Outside title="Check your mail">
        <p aria-live="polite">
          If there is an account with the address <bdi className="font-medium">{askedFor}</bdi>, a link is on
          its way that lets you choose a new password, within an hour. Nothing there? Check your spam folder.
        </p>
        <Button onClick={() => setAskedFor(null)}>Ask again</Button>
        <BackToSignIn />
      </Outside>
    );
  return (
    <Outside title="Forgot your password?" description="We mail you a link to choose a new one.">
      <form className="grid gap-4" onSubmit={submitTexts(ask.run)}>
        <Field name="email" label="E-mail address" errors={ask.errors}>
          <EmailInput autoComplete="username" required autoFocus />
        </Field>
        <Button type="submit" look="primary" size="lg" isRunning={ask.isRunning}>
          Send the link
        </Button>
      </form>
      <BackToSignIn />
    </Outside>
  );
}

function NewPassword({ token }: { token: string }) {
  const [isDone, setDone] = useState(false);
  const save = useAction(
    ({ password }: { password: string }) => api.put('/password', { body: { token, password } }),
    {
      onDone: () => setDone(true),
    },
  );
  if (isDone)
    return (
      <Outside title="Your password has been changed" description="You are signed out everywhere else.">
        <Link to="/sign-in" className={buttonClasses('primary', 'lg')}>
          Sign in
        </Link>
      </Outside>
    );
  return (
    <Outside title="Choose a new password">
      {save.errors.token && (
        <Notice tone="bad">
          {save.errors.token.join(' ')}{' '}
          <Link to="/password" hash="" className="font-medium underline">
            Send a new link
          </Link>
        </Notice>
      )}
      <form className="grid gap-4" onSubmit={submitTexts(save.run)}>
        <Field name="password" label="New password" hint="At least 8 characters." errors={save.errors}>
          <PasswordInput autoComplete="new-password" minLength={8} maxLength={1024} autoFocus />
        </Field>
        <Button type="submit" look="primary" size="lg" isRunning={save.isRunning}>
          Save password
        </Button>
      </form>
      <BackToSignIn />
    </Outside>
  );
}

function BackToSignIn() {
  return (
    <p className="text-muted">
      <Link to="/sign-in" className="font-medium text-accent hover:underline">
        Back to signing in
      </Link>
    </p>
  );
}
