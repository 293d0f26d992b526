import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { userQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { submitTexts } from '../../lib/submit-texts.ts';
import { useFragment } from '../../lib/use-fragment.ts';
import { useUser } from '../../lib/workspace.ts';
import { useTypedForm } from '../../shell/typed-forms.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { EmailInput, Input, PasswordInput } from '../../ui/input.tsx';
import { Card } from '../../ui/page.tsx';
import { Notice } from '../../ui/states.tsx';

/** In the profile: the sign-in address, and a mailed link to change it. */
export function EmailAddress() {
  const { email, service_sends_mail } = useUser();
  if (service_sends_mail) return <AskForLink />;
  return (
    <Card title="E-mail address">
      <Field
        name="email"
        label="E-mail address"
        isLabelHidden
        hint="You sign in with it. Whoever runs this server can change it for you."
      >
        <Input value={email} readOnly />
      </Field>
    </Card>
  );
}

function AskForLink() {
  const user = useUser();
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const typed = useTypedForm('The e-mail address you typed would be lost.');
  const ask = useAction(
    (body: { email: string; current_password: string }) => typed.saving(api.post('/user/email', { body })),
    { onDone: (_answer, { email }) => setAskedFor(email.trim()) },
  );
  return (
    <Card
      title="E-mail address"
      description={
        <>
          You sign in with <bdi className="font-medium break-all">{user.email}</bdi>. Another address takes
          its place once you open the link that is mailed to it.
        </>
      }
    >
      {askedFor === null ? (
        <form className="grid grid-cols-1 gap-4" onInput={typed.onInput} onSubmit={submitTexts(ask.run)}>
          <Field name="email" label="New e-mail address" errors={ask.errors}>
            <EmailInput autoComplete="email" required maxLength={254} readOnly={ask.isRunning} />
          </Field>
          <Field name="current_password" label="Your password" errors={ask.errors}>
            <PasswordInput autoComplete="current-password" readOnly={ask.isRunning} />
          </Field>
          <div>
            <Button type="submit" look="primary" isRunning={ask.isRunning}>
              Send the link
            </Button>
          </div>
        </form>
      ) : (
        <div className="grid grid-cols-1 gap-4">
          <p role="status">
            A link is on its way to <bdi className="font-medium break-all">{askedFor}</bdi>. Open it within an
            hour, in a browser where you are signed in. Nothing there? Check your spam folder.
          </p>
          <div>
            <Button onClick={() => setAskedFor(null)}>Ask again</Button>
          </div>
        </div>
      )}
    </Card>
  );
}

/** The page of the mailed link: sets the address it was sent to as the account's. */
export function ConfirmEmail() {
  const user = useUser();
  const client = useQueryClient();
  const navigate = useNavigate();
  const token = useFragment();
  const confirm = async () => {
    const answer = await api.put('/user/email', { body: { token } });
    client.setQueryData(userQuery.queryKey, answer.user);
    return answer;
  };
  const save = useAction(confirm, {
    toast: ({ user: { email } }) => `You sign in with ${email} from now on.`,
    leadsTo: () => navigate({ to: '/account', replace: true }),
  });
  const problems = [save.errors.token, save.errors.email].flatMap((texts) => texts ?? []);
  return (
    <Card
      title="Your new e-mail address"
      description={
        <>
          You sign in with <bdi className="font-medium break-all">{user.email}</bdi> so far. The address that
          this link was mailed to takes its place.
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        {problems.length > 0 && (
          <Notice tone="bad">
            {problems.join(' ')}{' '}
            <Link to="/account" className="font-medium underline">
              Back to your profile
            </Link>
          </Notice>
        )}
        <div>
          <Button look="primary" isRunning={save.isRunning} onClick={() => save.run()}>
            Use the new address
          </Button>
        </div>
      </div>
    </Card>
  );
}
