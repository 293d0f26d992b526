import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { BellRing, Mail, UserPlus, Users } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import type { Form } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { formatCount, formatNumber } from '../lib/format.ts';
import { useDebounced } from '../lib/use-debounced.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { SearchInput, Select } from '../ui/input.tsx';
import { Load } from '../ui/load.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, Notice } from '../ui/states.tsx';
import { ActionsHead, HeadCell, Table } from '../ui/table.tsx';
import { AddDialog } from './add-dialog.tsx';
import { AddressDialog } from './address-dialog.tsx';
import { LinksDownload } from './links-download.tsx';
import { MailDialog } from './mail-dialog.tsx';
import {
  countAll,
  type LinkSettings,
  type Recipient,
  type RecipientStatus,
  recipientsKey,
  recipientsQuery,
} from './queries.ts';
import { type AboutOne, PERSON, RecipientRow } from './recipient-row.tsx';
import { RemovalDialog } from './removal-dialog.tsx';
import { type MailKind, STATUSES } from './words.ts';

interface ListProps {
  form: Form;
  settings: LinkSettings;
}

/** The open dialog; a mail without a recipient goes to everybody it is for. */
type Open = { what: 'add' | MailKind; recipient: null } | { what: AboutOne; recipient: Recipient };

export function RecipientList({ form, settings }: ListProps) {
  const [open, setOpen] = useState<Open | null>(null);
  const total = countAll(settings);
  const close = () => setOpen(null);
  const addButton = (
    <Button
      look="primary"
      icon={<UserPlus className="size-4" />}
      onClick={() => setOpen({ what: 'add', recipient: null })}
    >
      Add people
    </Button>
  );
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold">Recipients</h2>
        {total > 0 && (
          <div className="flex flex-wrap gap-2">
            <LinksDownload form={form} />
            <Button
              icon={<BellRing className="size-4" />}
              onClick={() => setOpen({ what: 'reminder', recipient: null })}
            >
              Remind
            </Button>
            <Button
              icon={<Mail className="size-4" />}
              onClick={() => setOpen({ what: 'invitation', recipient: null })}
            >
              Invite
            </Button>
            {addButton}
          </div>
        )}
      </div>
      {total > 0 ? (
        <People form={form} settings={settings} onOpen={(what, recipient) => setOpen({ what, recipient })} />
      ) : (
        <EmptyState icon={<Users />} title="Nobody is on the list yet" level={2} action={addButton}>
          Paste names and addresses, or choose a CSV or Excel file. Everybody gets a link of their own, to
          hand over or to send by mail.
        </EmptyState>
      )}
      <AddDialog isOpen={open?.what === 'add'} onClose={close} form={form} />
      {open?.what === 'address' && <AddressDialog recipient={open.recipient} onClose={close} form={form} />}
      {open?.what === 'removal' && <RemovalDialog recipient={open.recipient} onClose={close} form={form} />}
      {(open?.what === 'invitation' || open?.what === 'reminder') && (
        <MailDialog
          kind={open.what}
          recipient={open.recipient}
          onClose={close}
          form={form}
          settings={settings}
        />
      )}
    </div>
  );
}

interface PeopleProps extends ListProps {
  onOpen(what: AboutOne, recipient: Recipient): void;
}

function People({ form, settings, onOpen }: PeopleProps) {
  const [status, setStatus] = useState<RecipientStatus | undefined>();
  const [text, setText] = useState('');
  const search = useDebounced(text.trim()) || undefined;
  const recipients = useInfiniteQuery(recipientsQuery(String(form.id), { status, search }));
  useFreshList(String(form.id), settings);
  return (
    <>
      <Counts form={form} settings={settings} />
      <div className="flex flex-wrap items-end gap-3">
        <Field name="status" label="State">
          <Select
            className="w-44"
            value={status ?? ''}
            onChange={({ target }) => setStatus((target.value || undefined) as RecipientStatus | undefined)}
          >
            <option value="">Everybody</option>
            {Object.entries(STATUSES).map(([key, [name]]) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field name="search" label="Name or address">
          <SearchInput className="w-60" value={text} onChange={({ target }) => setText(target.value)} />
        </Field>
      </div>
      <Load query={recipients} skeleton={<RecipientTable form={form} rows={null} onOpen={onOpen} />}>
        {({ pages }) =>
          pages[0]?.data.length === 0 ? (
            <EmptyState title="Nobody matches">Change the state or the search.</EmptyState>
          ) : (
            <>
              <RecipientTable form={form} rows={pages.flatMap(({ data }) => data)} onOpen={onOpen} />
              {recipients.hasNextPage && (
                <div className="text-center">
                  <Button
                    isRunning={recipients.isFetchingNextPage}
                    onClick={() => void recipients.fetchNextPage()}
                  >
                    Show more
                  </Button>
                </div>
              )}
            </>
          )
        }
      </Load>
    </>
  );
}

/** Loads the list again when the counts show a change. */
function useFreshList(form: string, { counts }: LinkSettings): void {
  const client = useQueryClient();
  const known = JSON.stringify(counts);
  const shown = useRef(known);
  useEffect(() => {
    if (shown.current === known) return;
    shown.current = known;
    void client.invalidateQueries({ queryKey: [...recipientsKey(form), 'list'] });
  }, [client, form, known]);
}

/** Counts of the recipients' progress, and of waiting mails. */
function Counts({ form, settings }: ListProps) {
  const total = countAll(settings);
  const { answered, queued } = settings.counts;
  const cancel = useAction(
    () => api.delete('/open/forms/{form}/recipients/mails', { path: { form: String(form.id) } }),
    {
      refresh: [recipientsKey(String(form.id))],
      toast: ({ cancelled }) => `${formatCount(cancelled, 'mail')} will not go out.`,
    },
  );
  const waiting = settings.mail_is_set_up
    ? `${formatCount(queued, 'mail')} going out …`
    : `${formatCount(queued, 'mail')} will go out once a mail server is set up.`;
  return (
    <>
      <p className="text-muted">
        <span className="font-medium text-ink tabular-nums">
          {formatNumber(answered)} of {formatNumber(total)}
        </span>{' '}
        answered
      </p>
      {queued > 0 && (
        <Notice>
          <span className="flex flex-wrap items-center justify-between gap-3" role="status">
            {waiting}
            <Button size="sm" isRunning={cancel.isRunning} onClick={() => cancel.run()}>
              Cancel
            </Button>
          </span>
        </Notice>
      )}
    </>
  );
}

interface TableProps extends Pick<PeopleProps, 'form' | 'onOpen'> {
  /** null while loading. */
  rows: Recipient[] | null;
}

function RecipientTable({ form, rows, onOpen }: TableProps) {
  return (
    <Table label="Recipients">
      <thead>
        <tr>
          <HeadCell className={PERSON}>Name</HeadCell>
          <HeadCell>State</HeadCell>
          <HeadCell className="hidden sm:table-cell">When</HeadCell>
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {rows === null ? (
          <SkeletonRows rows={4} columns={4} cells={{ 0: PERSON }} />
        ) : (
          rows.map((recipient) => (
            <RecipientRow
              key={recipient.id}
              form={form}
              recipient={recipient}
              onOpen={(what) => onOpen(what, recipient)}
            />
          ))
        )}
      </tbody>
    </Table>
  );
}
