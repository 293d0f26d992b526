import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type Answer, api, type Body } from '../../api/client.ts';
import { type MailServer, mailServerQuery, workspacesQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { submitTexts } from '../../lib/submit-texts.ts';
import { useRefusal, useWorkspace } from '../../lib/workspace.ts';
import { useTypedForm } from '../../shell/typed-forms.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Load } from '../../ui/load.tsx';
import { Card } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Notice } from '../../ui/states.tsx';
import { PlaceFields, type Security, SenderFields, SignInFields } from './mail-server-fields.tsx';

type MailServerBody = Body<'/open/workspaces/{workspaceId}/mail-server', 'put'>;
type TestResult = Answer<'/open/workspaces/{workspaceId}/mail-server/test', 'post'>;

/** Through which server mails of the workspace's forms go. */
export function WorkspaceMailServer() {
  const { id } = useWorkspace();
  const refusal = useRefusal('admin');
  const query = useQuery({ ...mailServerQuery(id), enabled: refusal === null });
  return (
    <Card
      title="Mail server"
      description="Mails of this workspace’s forms can go through a server of your own and come from your address: confirmations, mails to owners and to recipients. Mails about accounts always come from this service."
    >
      {refusal === null ? (
        <Load query={query} skeleton={<Skeleton className="h-9" />}>
          {(data) => <Choice server={data.mail_server} serviceSendsMail={data.service_sends_mail} />}
        </Load>
      ) : (
        <p className="text-muted">{refusal}</p>
      )}
    </Card>
  );
}

interface ChoiceProps {
  /** null: the service's. */
  server: MailServer | null;
  serviceSendsMail: boolean;
}

function Choice({ server, serviceSendsMail }: ChoiceProps) {
  const [isSettingUp, setSettingUp] = useState(false);
  if (server !== null || isSettingUp)
    return <Settings {...{ server, serviceSendsMail }} onLeave={() => setSettingUp(false)} />;
  return (
    <div className="grid gap-4">
      <p>
        {serviceSendsMail
          ? 'They go through the mail server of this service.'
          : 'This service has no mail server: they wait until this workspace has one.'}
      </p>
      <div>
        <Button onClick={() => setSettingUp(true)}>Use a server of your own</Button>
      </div>
    </div>
  );
}

function Settings({ server, serviceSendsMail, onLeave }: ChoiceProps & { onLeave(): void }) {
  const path = { workspaceId: useWorkspace().id };
  const form = useRef<HTMLFormElement>(null);
  const [security, setSecurity] = useState<Security>(server?.security ?? 'starttls');
  const [result, setResult] = useState<TestResult | null>(null);
  const typed = useTypedForm('What you changed of this mail server would be lost.');
  const save = useAction(
    (body: MailServerBody) =>
      typed.saving(api.put('/open/workspaces/{workspaceId}/mail-server', { path, body })),
    {
      refresh: [workspacesQuery.queryKey],
      toast: 'Saved. Mails go through this server from now on.',
      onDone: (_, { password }) => clearPassword(form.current, password),
    },
  );
  const test = useAction(
    (body: MailServerBody) => api.post('/open/workspaces/{workspaceId}/mail-server/test', { path, body }),
    { onDone: setResult },
  );
  const fields = { server, errors: { ...save.errors, ...test.errors } };
  return (
    <form
      ref={form}
      className="grid grid-cols-1 gap-4"
      onInput={typed.onInput}
      onSubmit={(event) => {
        const { submitter } = event.nativeEvent as SubmitEvent;
        const isTest = submitter?.getAttribute('value') === 'test';
        const [now, other] = isTest ? [test, save] : [save, test];
        other.reset();
        setResult(null);
        submitTexts((texts) => now.run(bodyOf(texts, security)))(event);
      }}
    >
      <PlaceFields {...fields} security={security} onSecurity={setSecurity} />
      {security !== 'none' && <SignInFields {...fields} />}
      <SenderFields {...fields} />
      <div role="status">{result && <Result result={result} />}</div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" isRunning={save.isRunning}>
          Save mail server
        </Button>
        <Button type="submit" value="test" isRunning={test.isRunning}>
          Send a test mail
        </Button>
        {server === null ? (
          <Button look="quiet" disabledReason={save.isRunning ? 'It is being saved' : null} onClick={onLeave}>
            Cancel
          </Button>
        ) : (
          <GoBack serviceSendsMail={serviceSendsMail} onDone={onLeave} />
        )}
      </div>
    </form>
  );
}

function Result({ result: { type, message } }: { result: TestResult }) {
  const isTaken = type === 'success';
  return (
    <Notice tone={isTaken ? 'neutral' : 'bad'}>
      <Badge tone={isTaken ? 'good' : 'bad'}>{isTaken ? 'Sent' : 'Not sent'}</Badge> {message}
    </Notice>
  );
}

/** Removes the workspace's server. */
function GoBack({ serviceSendsMail, onDone }: { serviceSendsMail: boolean; onDone(): void }) {
  const path = { workspaceId: useWorkspace().id };
  const [isOpen, setOpen] = useState(false);
  const remove = useAction(() => api.delete('/open/workspaces/{workspaceId}/mail-server', { path }), {
    refresh: [workspacesQuery.queryKey],
    toast: serviceSendsMail
      ? 'Mails go through the mail server of this service again.'
      : 'This workspace has no mail server any more.',
    onDone,
  });
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        {serviceSendsMail ? 'Use the server of this service' : 'Remove'}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Remove this mail server?"
        action="Remove mail server"
        isRunning={remove.isRunning}
        onConfirm={() => remove.run()}
      >
        <p>
          {serviceSendsMail
            ? 'Mails of this workspace’s forms then come from the address of this service, those that wait too.'
            : 'Mails of this workspace’s forms then wait until there is a mail server again.'}{' '}
          The password is deleted.
        </p>
      </ConfirmDialog>
    </>
  );
}

function bodyOf(texts: Partial<Record<string, string>>, security: Security): MailServerBody {
  const { host = '', port, user_name, password, sender_address = '', sender_name } = texts;
  return {
    host,
    port: Number(port),
    security,
    user_name: user_name ?? null,
    password: password ?? null,
    sender_address,
    sender_name: sender_name ?? null,
  };
}

/** It is stored now; another one that was typed meanwhile is not. */
function clearPassword(form: HTMLFormElement | null, stored: MailServerBody['password']): void {
  const input = form?.elements.namedItem('password');
  if (input instanceof HTMLInputElement && input.value === stored) input.value = '';
}
