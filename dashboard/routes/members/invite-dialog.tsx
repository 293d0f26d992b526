import { useState } from 'react';
import { invitesQuery, membersQuery, type Role, workspacesQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { submitTexts } from '../../lib/submit-texts.ts';
import { ROLE_MEANINGS, ROLE_NAMES, useUser, useWorkspace } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton, CopyField } from '../../ui/copy-button.tsx';
import { Dialog, DialogCancel, HoldDialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { Field } from '../../ui/field.tsx';
import { Textarea } from '../../ui/input.tsx';
import { showToast } from '../../ui/toasts.tsx';
import {
  type Invited,
  invitedWords,
  invitePeople,
  MAX_ADDRESSES,
  type NotInvited,
  readAddresses,
} from './invite-people.ts';

const ROLES: Role[] = ['user', 'readonly', 'admin'];

interface InviteDialogProps {
  isOpen: boolean;
  onClose(): void;
}

interface Handed {
  email: string;
  link: string;
}

/** Adds people with an account at once; others get a link, mailed or handed over. */
export function InviteDialog(props: InviteDialogProps) {
  // Mounted anew each time it opens, so that no links stay in memory.
  return props.isOpen ? <OpenInviteDialog {...props} /> : null;
}

function OpenInviteDialog({ isOpen, onClose }: InviteDialogProps) {
  const { id: workspaceId, name } = useWorkspace();
  const { service_sends_mail } = useUser();
  const [text, setText] = useState('');
  const [invited, setInvited] = useState<Invited[]>([]);
  const [problems, setProblems] = useState<string[]>([]);
  const links = invited.flatMap(({ email, link }): Handed[] => (link === null ? [] : [{ email, link }]));
  const invite = useAction(
    ({ emails, role }: { emails: string[]; role: Role }) => invitePeople(workspaceId, emails, role),
    {
      refresh: [
        membersQuery(workspaceId).queryKey,
        invitesQuery(workspaceId).queryKey,
        workspacesQuery.queryKey,
      ],
      refreshesAnyway: true,
      onDone({ invited: more, left }) {
        const all = [...invited, ...more];
        setInvited(all);
        setProblems(problemsOf(left));
        setText(left.map(({ email }) => email).join('\n'));
        // Stays open while there are links to hand over, or people who could not be invited.
        if (left.length > 0 || all.some(({ link }) => link !== null)) return;
        const [only] = all;
        const saysItself = all.length === 1 && only && !only.wasMember;
        showToast({ text: saysItself ? only.message : invitedWords(all) });
        onClose();
      },
    },
  );
  function start({ email, role }: { email: string; role: string }) {
    const emails = readAddresses(email);
    if (emails.length === 0) return setProblems(['There is no address in it.']);
    if (emails.length > MAX_ADDRESSES) return setProblems([`At most ${MAX_ADDRESSES} at a time.`]);
    invite.run({ emails, role: role as Role });
  }
  const isDone = links.length > 0 && problems.length === 0;
  const head = isDone ? handOverHead(links) : { title: `Invite to ${name}` };
  // One dialog for both steps, so that closing it returns the focus to where it was opened.
  return (
    <Dialog isOpen={isOpen} onClose={onClose} {...head} isShownOnce={links.length > 0}>
      {isDone ? (
        <>
          <Links links={links} />
          <DialogActions>
            <Button look="primary" onClick={onClose}>
              Done
            </Button>
          </DialogActions>
        </>
      ) : (
        <form className="grid gap-4" onSubmit={submitTexts(start)}>
          {invited.length > 0 && <p role="status">{invitedWords(invited)}</p>}
          {links.length > 0 && <Links links={links} />}
          <Field
            name="email"
            label="E-mail addresses"
            hint={
              service_sends_mail
                ? 'One or several. They get an invitation by mail; whoever has an account already is a member at once.'
                : 'One or several. No mail is set up here, so you get links to hand over; whoever has an account already is a member at once.'
            }
            errors={{ email: problems }}
          >
            <Textarea
              required
              rows={2}
              dir="ltr"
              autoComplete="off"
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </Field>
          <fieldset className="grid gap-2">
            <legend className="mb-1.5 font-medium">Role</legend>
            {ROLES.map((role, index) => (
              <label
                key={role}
                className="flex gap-3 rounded-lg border border-line p-3 has-checked:border-accent has-checked:bg-accent-soft"
              >
                <input
                  type="radio"
                  name="role"
                  value={role}
                  defaultChecked={index === 0}
                  className="mt-0.5 size-4 shrink-0 accent-accent"
                />
                <span className="grid">
                  <span className="font-medium">{ROLE_NAMES[role]}</span>
                  <span className="text-muted">{ROLE_MEANINGS[role]}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <HoldDialog isHeld={invite.isRunning} isShownOnce />
          <DialogActions>
            <DialogCancel />
            <Button type="submit" look="primary" isRunning={invite.isRunning}>
              Invite
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}

function handOverHead([first, ...others]: readonly Handed[]): { title: string; description: string } {
  if (others.length > 0)
    return {
      title: 'Hand over these links',
      description:
        'No mail is set up here, so send each of them yourself. They work for 7 days, for whoever has them.',
    };
  return {
    title: 'Hand over this link',
    description: `No mail is set up here, so send it to ${first?.email} yourself. It works for 7 days, for whoever has it.`,
  };
}

/** With a single person the address need not be named. */
function problemsOf(left: readonly NotInvited[]): string[] {
  return left.map(({ email, reason }) => (left.length === 1 ? reason : `${email}: ${reason}`));
}

function Links({ links }: { links: readonly Handed[] }) {
  const [only] = links;
  if (links.length === 1 && only) return <CopyField text={only.link} label="Invitation link" />;
  return (
    <div className="grid gap-3">
      <ul className="grid max-h-72 gap-3 overflow-y-auto">
        {links.map(({ email, link }) => (
          <li key={email} className="grid gap-1">
            <span className="break-all">{email}</span>
            <CopyField text={link} label={`Invitation link of ${email}`} />
          </li>
        ))}
      </ul>
      <CopyButton text={links.map(({ email, link }) => `${email}\t${link}`).join('\n')} label="Copy all" />
    </div>
  );
}
