import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { registrationQuery } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { submitTexts } from '../lib/submit-texts.ts';
import { Outside } from '../shell/outside.tsx';
import { useSignedIn } from '../shell/use-signed-in.ts';
import { ContinueWith, SignOnNotice } from '../single-sign-on/continue-link.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { EmailInput, Input, PasswordInput } from '../ui/input.tsx';
import { Notice } from '../ui/states.tsx';

/** Signs in with password and, if enabled, a code. */
export function SignIn() {
  // After single sign-on the token is in a cookie.
  const { step, next } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const [pendingToken, setPendingToken] = useState<string | null>(null);
  if (step !== 'second' && pendingToken === null) return <FirstStep onPending={setPendingToken} />;
  const back = () => {
    setPendingToken(null);
    void navigate({ to: '/sign-in', search: next ? { next } : {}, replace: true });
  };
  return <SecondStep token={pendingToken} onBack={back} />;
}

function FirstStep({ onPending }: { onPending(token: string): void }) {
  const { next, problem } = useSearch({ from: '/sign-in' });
  const { data } = useQuery(registrationQuery);
  const provider = data?.single_sign_on?.name;
  const signedIn = useSignedIn();
  const signIn = useAction((body: { email: string; password: string }) => api.post('/login', { body }), {
    onDone: (answer) =>
      'pending_token' in answer ? onPending(answer.pending_token) : signedIn(answer.user, next),
  });
  return (
    <Outside title="Sign in">
      {provider && <SignOnNotice problem={problem} name={provider} />}
      <form className="grid gap-4" onSubmit={submitTexts(signIn.run)}>
        <Field name="email" label="E-mail address" errors={signIn.errors}>
          <EmailInput autoComplete="username" required autoFocus />
        </Field>
        <Field name="password" label="Password" errors={signIn.errors}>
          <PasswordInput autoComplete="current-password" />
        </Field>
        <Button type="submit" look="primary" size="lg" isRunning={signIn.isRunning}>
          Sign in
        </Button>
      </form>
      {provider && <ContinueWith name={provider} next={next} />}
      {data?.registration === 'open' && (
        <p className="text-muted">
          New here?{' '}
          <Link to="/register" className="font-medium text-accent hover:underline">
            Create an account
          </Link>
        </p>
      )}
      {data?.password_by_mail === true ? (
        <p className="text-muted">
          <Link to="/password" className="font-medium text-accent hover:underline">
            Forgot your password?
          </Link>
        </p>
      ) : (
        <p className="text-muted">
          Forgot your password? Whoever runs this server can set a new one for you.
        </p>
      )}
    </Outside>
  );
}

function SecondStep({ token, onBack }: { token: string | null; onBack(): void }) {
  const { next } = useSearch({ from: '/sign-in' });
  const signedIn = useSignedIn();
  const confirm = useAction(
    ({ code }: { code: string }) =>
      api.post('/login/second-factor', {
        body: { ...(token !== null && { pending_token: token }), code: code.trim() },
      }),
    { onDone: ({ user }) => signedIn(user, next) },
  );
  const expired = confirm.errors.pending_token;
  return (
    <Outside title="Enter your code" description="From your authenticator, or one of your recovery codes.">
      {expired && <Notice tone="bad">{expired.join(' ')}</Notice>}
      <form className="grid gap-4" onSubmit={submitTexts(confirm.run)}>
        <Field name="code" label="Code" errors={confirm.errors}>
          <Input autoComplete="one-time-code" required autoFocus spellCheck={false} className="font-mono" />
        </Field>
        <Button type="submit" look="primary" size="lg" isRunning={confirm.isRunning}>
          Continue
        </Button>
        <Button look="quiet" onClick={onBack}>
          Back
        </Button>
      </form>
    </Outside>
  );
}
