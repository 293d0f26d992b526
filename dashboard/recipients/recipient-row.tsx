import { Link } from '@tanstack/react-router';
import { BellRing, Ellipsis, Eye, LinkIcon, Mail, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import type { Form } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { formatDay, formatDistance, formatMoment } from '../lib/format.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { copyText } from '../ui/copy-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { Cell, Row } from '../ui/table.tsx';
import { showToast } from '../ui/toasts.tsx';
import { UserText } from '../ui/user-text.tsx';
import { AddressDialog } from './address-dialog.tsx';
import { type Recipient, type RecipientStatus, recipientsKey } from './queries.ts';
import { type MailKind, STATUSES } from './words.ts';

/** As wide as the others leave room. */
export const PERSON = 'w-full max-w-0 min-w-28';

interface RowProps {
  form: Form;
  recipient: Recipient;
  onMail(kind: MailKind): void;
}

export function RecipientRow({ form, recipient, onMail }: RowProps) {
  const { name, email, status, mail_problem: problem } = recipient;
  const [label, tone] = STATUSES[status];
  return (
    <Row>
      <Cell className={PERSON}>
        <UserText text={name ?? email ?? `No. ${recipient.id}`} className="font-medium" />
        {name !== null && email !== null && (
          <span className="block truncate text-muted" title={email}>
            {email}
          </span>
        )}
      </Cell>
      <Cell>
        <Badge tone={tone}>{label}</Badge>
        {(status === 'failed' || status === 'queued') && problem !== null && (
          <span className="mt-1 block max-w-36 sm:max-w-64 text-[0.8125rem] text-muted wrap-anywhere">
            {problem}
          </span>
        )}
      </Cell>
      <Cell className="hidden whitespace-nowrap text-muted sm:table-cell">
        <When recipient={recipient} />
      </Cell>
      <Cell className="text-end">
        <RowMenu form={form} recipient={recipient} onMail={onMail} />
      </Cell>
    </Row>
  );
}

/** For an anonymous form only the day (UTC) is known, given as its midnight. */
function When({ recipient }: { recipient: Recipient }) {
  const { status, answered_at, declined_at, opened_at, mailed_at } = recipient;
  const moments: Partial<Record<RecipientStatus, string | null>> = {
    answered: answered_at,
    declined: declined_at,
    opened: opened_at,
    started: opened_at,
  };
  const shown = moments[status] ?? mailed_at;
  if (shown === null) return null;
  const isDay = status === 'answered' && shown.endsWith('T00:00:00.000Z');
  return (
    <time dateTime={shown} title={isDay ? undefined : formatMoment(shown)}>
      {isDay ? formatDay(`${shown.slice(0, 10)}T12:00`) : formatDistance(shown)}
    </time>
  );
}

function RowMenu({ form, recipient, onMail }: RowProps) {
  const { id, name, email, link, status, mails_sent: mailsSent, submission_id: submissionId } = recipient;
  const workspace = useWorkspace();
  const [isRemoving, setRemoving] = useState(false);
  const [isCorrecting, setCorrecting] = useState(false);
  const called = name ?? email ?? `No. ${id}`;
  const path = { form: String(form.id) };
  const refresh = [recipientsKey(path.form)];
  const remove = useAction(
    () => api.post('/open/forms/{form}/recipients/delete', { path, body: { ids: [id] } }),
    { refresh, toast: `${called} was removed.`, onDone: () => setRemoving(false) },
  );
  const reopen = useAction(
    () => api.post('/open/forms/{form}/recipients/reopen', { path, body: { ids: [id] } }),
    { refresh, toast: `${called} may answer once more.` },
  );
  const kind = mailsSent > 0 ? 'reminder' : 'invitation';
  const mayGetMail = email !== null && status !== 'answered' && status !== 'declined';
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`More for ${called}`}>
            <Ellipsis className="size-4" />
          </IconButton>
        }
      >
        <MenuItem
          icon={<LinkIcon />}
          onSelect={async () => (await copyText(link)) && showToast({ text: 'The link was copied.' })}
        >
          Copy link
        </MenuItem>
        {submissionId !== null && (
          <MenuItem asChild>
            <Link
              to="/workspaces/$workspaceId/forms/$formId/responses/$submissionId"
              params={{
                workspaceId: String(workspace.id),
                formId: path.form,
                submissionId: String(submissionId),
              }}
            >
              <Eye /> See the response
            </Link>
          </MenuItem>
        )}
        {mayGetMail && (
          <MenuItem icon={kind === 'reminder' ? <BellRing /> : <Mail />} onSelect={() => onMail(kind)}>
            {kind === 'reminder' ? 'Remind' : 'Invite'}
          </MenuItem>
        )}
        {status !== 'answered' && (
          <MenuItem icon={<Pencil />} onSelect={() => setCorrecting(true)}>
            {email === null ? 'Add an address' : 'Correct the address'}
          </MenuItem>
        )}
        {status === 'answered' && (
          <MenuItem icon={<RotateCcw />} onSelect={() => reopen.run()}>
            Let answer once more
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon={<Trash2 />} isDangerous onSelect={() => setRemoving(true)}>
          Remove
        </MenuItem>
      </Menu>
      <AddressDialog
        form={form}
        recipient={recipient}
        called={called}
        isOpen={isCorrecting}
        onClose={() => setCorrecting(false)}
      />
      <ConfirmDialog
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        title={`Remove ${called}?`}
        action="Remove"
        isRunning={remove.isRunning}
        onConfirm={() => remove.run()}
      >
        <p>The link leads nowhere from then on. What was answered by it stays.</p>
      </ConfirmDialog>
    </>
  );
}
