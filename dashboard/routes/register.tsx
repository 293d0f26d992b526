import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { registrationQuery, userQuery, workspacesQuery } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { submitTexts } from '../lib/submit-texts.ts';
import { Outside } from '../shell/outside.tsx';
import { useSignOut } from '../shell/use-sign-out.tsx';
import { useSignedIn } from '../shell/use-signed-in.ts';
import { ContinueWith } from '../single-sign-on/continue-link.tsx';
import { Button, buttonClasses } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { EmailInput, Input, PasswordInput } from '../ui/input.tsx';

/** Creates the first account of an instance or one's own, and accepts invitations by link. */
export function Register() {
  const { data: user } = useSuspenseQuery(userQuery);
  const { data } = useSuspenseQuery(registrationQuery);
  const { invite_token } = useSearch({ from: '/register' });
  if (invite_token && user)
    return <AcceptInvitation token={invite_token} name={user.name} email={user.email} />;
  if (data.registration === 'closed' || (data.registration === 'invite' && !invite_token))
    return <NotOpen token={invite_token} />;
  return <NewAccount />;
}

function NewAccount() {
  const { email, invite_token } = useSearch({ from: '/register' });
  const signedIn = useSignedIn();
  const register = useAction(
    (body: { name: string; email: string; password: string }) =>
      api.post('/register', { body: { ...body, ...(invite_token && { invite_token }) } }),
    { onDone: ({ user }) => signedIn(user) },
  );
  const { data } = useSuspenseQuery(registrationQuery);
  const here = invite_token && wayBack(invite_token);
  return (
    <Outside
      title={invite_token ? 'Join the workspace' : 'Create your account'}
      description={
        invite_token
          ? 'You were invited. Create an account to accept.'
          : 'You get a workspace of your own to make forms in.'
      }
    >
      <form className="grid gap-4" onSubmit={submitTexts(register.run)}>
        <Field name="name" label="Your name" errors={register.errors}>
          <Input autoComplete="name" required maxLength={255} autoFocus />
        </Field>
        <Field name="email" label="E-mail address" errors={register.errors}>
          <EmailInput autoComplete="username" required maxLength={254} defaultValue={email} />
        </Field>
        <Field name="password" label="Password" hint="At least 8 characters." errors={register.errors}>
          <PasswordInput autoComplete="new-password" minLength={8} maxLength={1024} />
        </Field>
        <Button type="submit" look="primary" size="lg" isRunning={register.isRunning}>
          Create account
        </Button>
      </form>
      {data.single_sign_on && <ContinueWith name={data.single_sign_on.name} next={here} />}
      <p className="text-muted">
        You have an account?{' '}
        <Link
          to="/sign-in"
          search={here ? { next: here } : {}}
          className="font-medium text-accent hover:underline"
        >
          Sign in
        </Link>
      </p>
    </Outside>
  );
}

function AcceptInvitation({ token, name, email }: { token: string; name: string; email: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  // After signing out, the page offers to continue with another account or a new one.
  const signOut = useSignOut({ stays: true });
  const accept = useAction(() => api.post('/invites/accept', { body: { invite_token: token } }), {
    onDone: async ({ workspace_id }) => {
      await client.invalidateQueries({ queryKey: workspacesQuery.queryKey });
      await navigate({
        to: '/workspaces/$workspaceId/forms',
        params: { workspaceId: String(workspace_id) },
      });
    },
  });
  return (
    <Outside
      title="Join the workspace"
      description={
        <>
          You were invited, and are signed in as <bdi className="font-medium text-ink">{name}</bdi> ({email}).
        </>
      }
    >
      <Button look="primary" size="lg" isRunning={accept.isRunning} onClick={() => accept.run()}>
        Join as {name}
      </Button>
      <Button look="quiet" isRunning={signOut.isRunning} onClick={() => signOut.run()}>
        Sign out to use another account
      </Button>
    </Outside>
  );
}

/** Registration is closed, but invited people can accept with an account made for them. */
function NotOpen({ token }: { token: string | undefined }) {
  return (
    <Outside
      title={token ? 'Join the workspace' : 'By invitation'}
      description={
        token
          ? 'You were invited. Sign in to accept. New accounts are made by whoever runs this server.'
          : 'New accounts need an invitation here. Ask an admin of the workspace you want to join.'
      }
    >
      <Link
        to="/sign-in"
        search={token ? { next: wayBack(token) } : {}}
        className={buttonClasses('primary', 'lg')}
      >
        Sign in
      </Link>
    </Outside>
  );
}

/** The address to return to after signing in, which accepts the invitation. */
function wayBack(invite_token: string): string {
  return `/register?${new URLSearchParams({ invite_token })}`;
}
