import { useState } from 'react';
import { api } from '../api/client.ts';
import { invitesQuery, membersQuery, type Role, workspacesQuery } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { submitTexts } from '../lib/read-form.ts';
import { ROLE_MEANINGS, ROLE_NAMES, useUser, useWorkspace } from '../lib/workspace.ts';
import { Button } from '../ui/button.tsx';
import { CopyField } from '../ui/copy-button.tsx';
import { Dialog, DialogActions, DialogCancel, HoldDialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { EmailInput } from '../ui/input.tsx';
import { showToast } from '../ui/toasts.tsx';

const ROLES: Role[] = ['user', 'readonly', 'admin'];

interface InviteDialogProps {
  isOpen: boolean;
  onClose(): void;
}

/** Adds people who have an account at once; others get a link, by mail or from hand to hand. */
export function InviteDialog(props: InviteDialogProps) {
  // A new one each time it opens: links are not left lying about.
  return props.isOpen ? <OpenInviteDialog {...props} /> : null;
}

function OpenInviteDialog({ isOpen, onClose }: InviteDialogProps) {
  const { id: workspaceId, name } = useWorkspace();
  const { service_sends_mail } = useUser();
  const [made, setMade] = useState<{ link: string; email: string } | null>(null);
  const invite = useAction(
    ({ email, role }: { email: string; role: string }) =>
      api.post('/open/workspaces/{workspaceId}/users/add', {
        path: { workspaceId },
        body: { email, role: role as Role },
      }),
    {
      refresh: [
        membersQuery(workspaceId).queryKey,
        invitesQuery(workspaceId).queryKey,
        workspacesQuery.queryKey,
      ],
      refreshesAnyway: true,
      onDone: ({ invite_link: link, message }, { email }) => {
        if (link) return setMade({ link, email });
        showToast({ text: message });
        onClose();
      },
    },
  );
  if (made) {
    return (
      <Dialog
        isOpen={isOpen}
        onClose={onClose}
        title="Hand over this link"
        description={`No mail is set up here, so send it to ${made.email} yourself. It works for 7 days, for whoever has it.`}
      >
        <CopyField text={made.link} label="Invitation link" />
        <DialogActions>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Invite to ${name}`}>
      <form className="grid gap-4" onSubmit={submitTexts(invite.run)}>
        <Field
          name="email"
          label="E-mail address"
          hint={
            service_sends_mail
              ? 'Gets an invitation by mail; whoever has an account already is a member at once.'
              : 'No mail is set up here: you get a link to hand over, unless they have an account already.'
          }
          errors={invite.errors}
        >
          <EmailInput required maxLength={254} autoComplete="off" />
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
                className="mt-0.5 size-4 accent-accent"
              />
              <span className="grid">
                <span className="font-medium">{ROLE_NAMES[role]}</span>
                <span className="text-muted">{ROLE_MEANINGS[role]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <HoldDialog isHeld={invite.isRunning} />
        <DialogActions>
          <DialogCancel />
          <Button type="submit" look="primary" isRunning={invite.isRunning}>
            Invite
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
