import { queryOptions } from '@tanstack/react-query';
import { Sheet, Trash2 } from 'lucide-react';
import { Fragment, useState } from 'react';
import { type Answer, api } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { formatDay, formatDistance } from '../lib/format.ts';
import { submitTexts } from '../lib/submit-texts.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CopyField } from '../ui/copy-button.tsx';
import { Dialog, DialogCancel, HoldDialog } from '../ui/dialog.tsx';
import { DialogActions } from '../ui/dialog-actions.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Card } from '../ui/page.tsx';

type LiveTable = Answer<'/open/forms/{form}/live-tables'>[number];

export const liveTablesQuery = (form: string) =>
  queryOptions({
    queryKey: ['forms', form, 'live-tables'],
    queryFn: ({ signal }) => api.get('/open/forms/{form}/live-tables', { path: { form }, signal }),
  });

/** Links by which spreadsheets and reports can read all responses. */
export function LiveTables({ form, tables }: { form: string; tables: readonly LiveTable[] }) {
  const [isMaking, setMaking] = useState(false);
  return (
    <Card
      title="Spreadsheets and reports"
      description="A link that Google Sheets, Excel, LibreOffice, Power BI or Tableau reads again and again: all responses, as they are then."
      actions={
        <Button icon={<Sheet className="size-4" />} onClick={() => setMaking(true)}>
          New link
        </Button>
      }
    >
      {tables.length > 0 && (
        <ul className="divide-y divide-line">
          {tables.map((table) => (
            <TableRow key={table.id} form={form} table={table} />
          ))}
        </ul>
      )}
      {isMaking && <NewTable form={form} onClose={() => setMaking(false)} />}
    </Card>
  );
}

function TableRow({ form, table }: { form: string; table: LiveTable }) {
  const { id, name, created_at: madeAt, created_by: maker, last_read_at: readAt } = table;
  const [isDeleting, setDeleting] = useState(false);
  const remove = useAction(
    () => api.delete('/open/forms/{form}/live-tables/{tableId}', { path: { form, tableId: String(id) } }),
    {
      refresh: [liveTablesQuery(form).queryKey],
      toast: 'The link leads nowhere any more.',
      onDone: () => setDeleting(false),
    },
  );
  return (
    <li className="flex items-center justify-between gap-4 py-2.5">
      <span className="grid min-w-0">
        <bdi className="truncate font-medium">{name}</bdi>
        <span className="text-[0.8125rem] text-muted">
          {readAt ? `Read ${formatDistance(readAt)}` : 'Not read yet'} · made {formatDay(madeAt)}
          {maker && ` by ${maker}`}
        </span>
      </span>
      <IconButton label={`Delete ${name}`} onClick={() => setDeleting(true)}>
        <Trash2 className="size-4" />
      </IconButton>
      <ConfirmDialog
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        title={`Delete the link of ${name}?`}
        action="Delete link"
        isRunning={remove.isRunning}
        onConfirm={() => remove.run()}
      >
        <p>What reads it keeps what it has and gets nothing new.</p>
      </ConfirmDialog>
    </li>
  );
}

type Made = Pick<Answer<'/open/forms/{form}/live-tables', 'post'>, 'url' | 'odata_url'>;

/** Asks for the link's purpose, and shows the link once. */
function NewTable({ form, onClose }: { form: string; onClose(): void }) {
  const [made, setMade] = useState<Made | null>(null);
  const make = useAction(
    (body: { name: string }) => api.post('/open/forms/{form}/live-tables', { path: { form }, body }),
    { refresh: [liveTablesQuery(form).queryKey], onDone: setMade },
  );
  if (made !== null) return <MadeTable made={made} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} title="New link for a spreadsheet or report">
      <form onSubmit={submitTexts(make.run)}>
        <Field
          name="name"
          label="Name"
          hint="Which spreadsheet or report it is for, so that you know later."
          errors={make.errors}
        >
          <Input required maxLength={100} />
        </Field>
        <HoldDialog isHeld={make.isRunning} isShownOnce />
        <DialogActions>
          <DialogCancel />
          <Button type="submit" look="primary" isRunning={make.isRunning}>
            Make link
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Both forms of a link: a CSV file and an OData service. */
function MadeTable({ made: { url, odata_url: odataUrl }, onClose }: { made: Made; onClose(): void }) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="lg"
      title="Link for a spreadsheet or report"
      description="It is shown this once. Whoever has it can read all responses, until you delete it."
      isShownOnce
    >
      <div className="grid grid-cols-1 gap-6">
        <section className="grid grid-cols-1 gap-3">
          <h3 className="font-semibold">For spreadsheets</h3>
          <CopyField text={url} label="Link" />
          <CopyField text={`=IMPORTDATA("${url}")`} label="Formula for Google Sheets" />
          <Steps
            steps={[
              ['Google Sheets', 'Put the formula into an empty cell. It asks again every hour.'],
              ['Excel', 'Data → From Web, with the link; Refresh All asks again.'],
              ['LibreOffice', 'Sheet → External Links, with the link and how often.'],
            ]}
          />
        </section>
        <section className="grid grid-cols-1 gap-3">
          <h3 className="font-semibold">For reports, by OData</h3>
          <CopyField text={odataUrl} label="OData address" />
          <Steps
            steps={[
              ['Power BI', 'Get data → OData feed, with the address; access is anonymous.'],
              ['Tableau', 'Connect → To a Server → OData, with the address.'],
              ['Excel', 'Data → Get Data → From OData Feed: here columns have types.'],
            ]}
          />
        </section>
      </div>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Steps({ steps }: { steps: readonly (readonly [program: string, what: string])[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2">
      {steps.map(([program, what]) => (
        <Fragment key={program}>
          <dt>{program}</dt>
          <dd className="text-muted">{what}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
