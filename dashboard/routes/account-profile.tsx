import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../api/client.ts';
import { sessionsQuery, userQuery } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { submitTexts } from '../lib/read-form.ts';
import { useUser } from '../lib/workspace.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Card } from '../ui/page.tsx';

export function AccountProfile() {
  return (
    <div className="grid gap-5">
      <Name />
      <Password />
    </div>
  );
}

function Name() {
  const user = useUser();
  const client = useQueryClient();
  const save = useAction((body: { name: string }) => api.put('/user', { body }), {
    toast: 'Saved.',
    onDone: (answer) => client.setQueryData(userQuery.queryKey, answer.user),
  });
  return (
    <Card title="Profile">
      <form className="grid gap-4" onSubmit={submitTexts(save.run)}>
        <Field name="name" label="Name" errors={save.errors}>
          <Input required maxLength={255} autoComplete="name" defaultValue={user.name} />
        </Field>
        <Field name="email" label="E-mail address" hint="You sign in with it. It cannot be changed here.">
          <Input value={user.email} readOnly />
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
    (body: { current_password: string; password: string }) => api.put('/user/password', { body }),
    {
      refresh: [sessionsQuery.queryKey],
      toast: 'Your password was changed. Other browsers have to sign in again.',
      onDone: () => form.current?.reset(),
    },
  );
  return (
    <Card title="Password" description="Changing it ends all your other sessions.">
      <form ref={form} className="grid gap-4" onSubmit={submitTexts(save.run)}>
        <input type="hidden" autoComplete="username" value={user.email} readOnly />
        <Field name="current_password" label="Current password" errors={save.errors}>
          <Input type="password" required autoComplete="current-password" />
        </Field>
        <Field name="password" label="New password" hint="At least 8 characters." errors={save.errors}>
          <Input type="password" required minLength={8} maxLength={1024} autoComplete="new-password" />
        </Field>
        <div>
          <Button type="submit" look="primary" isRunning={save.isRunning}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  );
}
