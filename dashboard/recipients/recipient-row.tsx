import { Link } from '@tanstack/react-router';
import { BellRing, Ellipsis, Eye, LinkIcon, Mail, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { api } from '../api/client.ts';
import type { Form } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { formatDay, formatDistance, formatMoment } from '../lib/format.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { copyText } from '../ui/copy-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { Cell, Row } from '../ui/table.tsx';
import { showToast } from '../ui/toasts.tsx';
import { UserText } from '../ui/user-text.tsx';
import { calledOf, type Recipient, type RecipientStatus, recipientsKey } from './queries.ts';
import { type MailKind, STATUSES } from './words.ts';

/** As wide as the others leave room. */
export const PERSON = 'w-full max-w-0 min-w-28';

/** What is asked about one recipient in a dialog of the list: the row may leave it meanwhile. */
export type AboutOne = MailKind | 'address' | 'removal';

interface RowProps {
  form: Form;
  recipient: Recipient;
  onOpen(what: AboutOne): void;
}

export function RecipientRow({ form, recipient, onOpen }: RowProps) {
  const { name, email, status, mail_problem: problem } = recipient;
  const [label, tone] = STATUSES[status];
  return (
    <Row>
      <Cell className={PERSON}>
        <UserText text={calledOf(recipient)} className="font-medium" />
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
        <RowMenu form={form} recipient={recipient} onOpen={onOpen} />
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

function RowMenu({ form, recipient, onOpen }: RowProps) {
  const { id, email, link, status, mails_sent: mailsSent, submission_id: submissionId } = recipient;
  const workspace = useWorkspace();
  const called = calledOf(recipient);
  const path = { form: String(form.id) };
  const reopen = useAction(
    () => api.post('/open/forms/{form}/recipients/reopen', { path, body: { ids: [id] } }),
    { refresh: [recipientsKey(path.form)], toast: `${called} may answer once more.` },
  );
  const kind = mailsSent > 0 ? 'reminder' : 'invitation';
  const mayGetMail = email !== null && status !== 'answered' && status !== 'declined';
  return (
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
        <MenuItem icon={kind === 'reminder' ? <BellRing /> : <Mail />} onSelect={() => onOpen(kind)}>
          {kind === 'reminder' ? 'Remind' : 'Invite'}
        </MenuItem>
      )}
      {status !== 'answered' && (
        <MenuItem icon={<Pencil />} onSelect={() => onOpen('address')}>
          {email === null ? 'Add an address' : 'Correct the address'}
        </MenuItem>
      )}
      {status === 'answered' && (
        <MenuItem icon={<RotateCcw />} onSelect={() => reopen.run()}>
          Let answer once more
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<Trash2 />} isDangerous onSelect={() => onOpen('removal')}>
        Remove
      </MenuItem>
    </Menu>
  );
}
