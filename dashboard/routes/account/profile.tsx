import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { sessionsQuery, userQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { setSingleKeys, useSingleKeys } from '../../lib/single-keys.ts';
import { submitTexts } from '../../lib/submit-texts.ts';
import { useUser } from '../../lib/workspace.ts';
import { TypedForms, useTypedForm } from '../../shell/typed-forms.tsx';
import { useSessionEnd } from '../../shell/use-session-end.ts';
import { Button } from '../../ui/button.tsx';
import { Switch } from '../../ui/checkbox.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, PasswordInput } from '../../ui/input.tsx';
import { Card } from '../../ui/page.tsx';
import { EmailAddress } from './email.tsx';

export function AccountProfile() {
  return (
    <div className="grid grid-cols-1 gap-5">
      <TypedForms>
        <Name />
        <EmailAddress />
      </TypedForms>
      <Password />
      <Keyboard />
      <Delete />
    </div>
  );
}

function Name() {
  const user = useUser();
  const client = useQueryClient();
  const typed = useTypedForm('The name you typed would be lost.');
  const save = useAction((body: { name: string }) => typed.saving(api.put('/user', { body })), {
    toast: 'Saved.',
    onDone: (answer) => client.setQueryData(userQuery.queryKey, answer.user),
  });
  return (
    <Card title="Profile">
      <form className="grid grid-cols-1 gap-4" onInput={typed.onInput} onSubmit={submitTexts(save.run)}>
        <Field name="name" label="Name" errors={save.errors}>
          <Input required maxLength={255} autoComplete="name" defaultValue={user.name} />
        </Field>
        <div>
          <Button type="submit" look="primary" isRunning={save.isRunning}>
            Save
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Password() {
  const user = useUser();
  const form = useRef<HTMLFormElement>(null);
  const save = useAction(
    (body: { current_password?: string; password: string }) => api.put('/user/password', { body }),
    {
      refresh: [sessionsQuery.queryKey, userQuery.queryKey],
      toast: `Your password was ${user.has_password ? 'changed' : 'set'}. Other browsers have to sign in again.`,
      onDone: () => form.current?.reset(),
    },
  );
  return (
    <Card
      title="Password"
      description={
        user.has_password
          ? 'Changing it ends all your other sessions.'
          : 'You have none yet: you sign in by single sign-on alone. Setting one ends all your other sessions.'
      }
    >
      <form ref={form} className="grid grid-cols-1 gap-4" onSubmit={submitTexts(save.run)}>
        <input type="hidden" autoComplete="username" value={user.email} readOnly />
        {user.has_password && (
          <Field name="current_password" label="Current password" errors={save.errors}>
            <PasswordInput autoComplete="current-password" />
          </Field>
        )}
        <Field name="password" label="New password" hint="At least 8 characters." errors={save.errors}>
          <PasswordInput minLength={8} maxLength={1024} autoComplete="new-password" />
        </Field>
        <div>
          <Button type="submit" look="primary" isRunning={save.isRunning}>
            {user.has_password ? 'Change password' : 'Set password'}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Keyboard() {
  const areOn = useSingleKeys();
  return (
    <Card title="Keyboard">
      <Switch
        label="Single keys are shortcuts"
        hint="“/” leads to the search, J and K to the next and the former response. Switch them off if you speak to your computer, or press keys by accident. This browser remembers it."
        checked={areOn}
        onChange={(event) => setSingleKeys(event.target.checked)}
      />
    </Card>
  );
}

function Delete() {
  const user = useUser();
  const [password, setPassword] = useState<string | null>(null);
  const remove = useSessionEnd(
    (current_password: string) =>
      api.delete('/user', { body: { current_password } }).finally(() => setPassword(null)),
    { toast: 'Your account was deleted.' },
  );
  return (
    <Card
      title="Delete account"
      description="With your sessions and tokens. Forms you made in workspaces with others stay there. First delete the workspaces you are alone in, and make somebody else the admin where you are the only one."
    >
      <form
        className="grid grid-cols-1 gap-4"
        onSubmit={submitTexts((texts: { current_password: string }) => setPassword(texts.current_password))}
      >
        <input type="hidden" autoComplete="username" value={user.email} readOnly />
        <Field name="current_password" label="Your password" errors={remove.errors}>
          <PasswordInput autoComplete="current-password" />
        </Field>
        <div>
          <Button type="submit" look="danger">
            Delete account
          </Button>
        </div>
      </form>
      <ConfirmDialog
        isOpen={password !== null}
        onClose={() => setPassword(null)}
        title="Delete your account?"
        action="Delete account"
        typed={user.email}
        isRunning={remove.isRunning}
        onConfirm={() => password !== null && remove.run(password)}
      >
        <p>You lose access to everything at once. This cannot be undone.</p>
      </ConfirmDialog>
    </Card>
  );
}
