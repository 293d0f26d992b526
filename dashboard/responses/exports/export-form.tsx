import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { canonicalTypeName, holdsFiles } from '../../../fields/type-names.ts';
import type { Form } from '../../api/queries.ts';
import { formatCount } from '../../lib/format.ts';
import { useRefusal } from '../../lib/workspace.ts';
import { linkSettingsQuery, tellsSenders } from '../../recipients/queries.ts';
import { Button } from '../../ui/button.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/input.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Notice } from '../../ui/states.tsx';
import { CONFIRMED_COLUMNS, type Column, RECIPIENT_COLUMNS } from '../table/columns.ts';
import type { Columns } from '../table/use-columns.ts';
import { ExportColumns } from './export-columns.tsx';
import { EXPORT_FORMATS, type ExportFormat, FORMATS } from './export-formats.ts';
import { ExportLines, entriesIn } from './export-lines.tsx';
import { ExportParts } from './export-parts.tsx';
import { ExportScope, type Scope, type Shown, useMatching } from './export-scope.tsx';
import { useExport } from './use-export.ts';

/** Columns about a response that a file has unless somebody takes them out; the id lets it be imported twice without doubles. */
const USUAL = ['created_at', 'status', 'ending', 'submission_id'];

interface ExportFormProps {
  form: Form;
  columns: Columns;
  chosen: ReadonlySet<number>;
  shown: Shown;
  firstScope: Scope;
  onClose(): void;
}

export function ExportForm({ form, columns, chosen, shown, firstScope, onClose }: ExportFormProps) {
  const recipients = useRecipientColumns(form);
  const more = [...recipients, ...(form.settings.confirms_email ? CONFIRMED_COLUMNS : [])];
  const [chosenOrder, setOrder] = useState(() => exportable(columns.ordered));
  const order = [...chosenOrder, ...more.filter(({ key }) => chosenOrder.every((one) => one.key !== key))];
  const usual = order.filter((column) => isUsual(column, form));
  const [picked, setPicked] = useState<ReadonlySet<string>>(() => new Set(usual.map(({ key }) => key)));
  const [format, setFormat] = useState<ExportFormat>('xlsx');
  const [scope, setScope] = useState(firstScope);
  const [chosenLines, setLines] = useState<string | null>(null);
  const [wantsSplit, setSplit] = useState(false);
  const { state, start, reset } = useExport(form);
  const wanted = order.filter(({ key }) => picked.has(key));
  const entriesOf = entriesIn(wanted, format, chosenLines);
  const { action, hint, hasLines, mayBeSplit } = FORMATS[format];
  const formats = EXPORT_FORMATS.filter((one) => {
    const { isFor } = FORMATS[one];
    return isFor === 'all' || order.some(isFor === 'files' ? hasFiles : hasPlaces);
  });
  /** Columns that a button picks. */
  const picks = { All: order, Answers: usual, 'As in the table': columns.shown, None: [] };
  const matching = useMatching(form.id, shown, scope);
  const isEmpty = scope === 'shown' && matching.total === 0;
  const refusal = isEmpty ? 'No response matches the filter any more' : whyNotExport(format, wanted);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (refusal !== null || state.step === 'running') return;
    start({
      columns: wanted.map(({ name }) => name),
      format,
      entriesOf,
      isSplit: wantsSplit && mayBeSplit,
      ids: scope === 'chosen' ? [...chosen] : null,
      filter: scope === 'shown' ? shown.filter : null,
    });
  };

  if (state.step === 'done')
    return <ExportDone url={state.url} name={state.name} onAgain={reset} onClose={onClose} />;
  if (state.step === 'running')
    return <ExportRunning progress={state.progress} total={entriesOf === null ? state.total : null} />;
  return (
    <form onSubmit={submit} className="grid gap-4">
      {state.step === 'failed' && <Notice tone="bad">{state.message}</Notice>}
      <div className="grid gap-2">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="me-auto font-medium">
            Columns <span className="font-normal text-muted tabular-nums">{wanted.length}</span>
          </h3>
          {Object.entries(picks).map(([name, picked]) => (
            <Button
              key={name}
              size="sm"
              look="quiet"
              onClick={() => setPicked(new Set(picked.map(({ key }) => key)))}
            >
              {name}
            </Button>
          ))}
        </div>
        <ExportColumns
          order={order}
          picked={picked}
          onMove={setOrder}
          onPick={(key, isPicked) =>
            setPicked((former) => {
              const next = new Set(former);
              isPicked ? next.add(key) : next.delete(key);
              return next;
            })
          }
        />
      </div>
      <div className="grid gap-3">
        <ExportScope formId={form.id} scope={scope} chosen={chosen} matching={matching} onChange={setScope} />
        <Field name="format" label="Kind of file" hint={hint}>
          <Select
            className="w-full"
            value={format}
            onChange={({ target }) => setFormat(target.value as ExportFormat)}
          >
            {formats.map((one) => (
              <option key={one} value={one}>
                {FORMATS[one].name}
              </option>
            ))}
          </Select>
        </Field>
        {hasLines && <ExportLines columns={wanted} entriesOf={entriesOf} onChange={setLines} />}
        {mayBeSplit && <ExportParts columns={wanted} isSplit={wantsSplit} onChange={setSplit} />}
        {format !== 'zip' && wanted.some(hasFiles) && (
          <p className="text-[0.8125rem] text-muted">
            Files are links that run out: after 24 hours, unless the workspace is set to another time.
          </p>
        )}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" disabledReason={refusal}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}

interface ExportDoneProps {
  url: string;
  name: string;
  onAgain(): void;
  onClose(): void;
}

function ExportDone({ url, name, onAgain, onClose }: ExportDoneProps) {
  return (
    <div className="grid gap-4">
      <p aria-live="polite">The file is ready and was downloaded.</p>
      <DialogActions>
        <Button onClick={onAgain}>Export again</Button>
        <a
          href={url}
          download={name}
          className="inline-flex h-9 items-center rounded-lg border border-line bg-surface px-3 font-medium shadow-xs hover:bg-hover"
        >
          Download
        </a>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </div>
  );
}

/** @param props.total responses that are written; null if unknown, or if their entries are */
function ExportRunning({ progress, total }: { progress: number | null; total: number | null }) {
  return (
    <div className="grid gap-3">
      <p aria-live="polite" className="text-muted">
        {total ? `Writing ${formatCount(total, 'response')} …` : 'Preparing the file …'}
      </p>
      <Progress label="Export" value={progress} />
      <p className="text-[0.8125rem] text-muted">Large exports go on while this window is open.</p>
    </div>
  );
}

function whyNotExport(format: ExportFormat, wanted: readonly Column[]): string | null {
  if (wanted.length === 0) return 'Choose at least one column';
  if (format === 'geojson' && !wanted.some(hasPlaces)) return 'Choose a column with locations';
  return null;
}

/** None if responses do not show who sent them. */
function useRecipientColumns({ id }: Form): Column[] {
  const mayKnow = useRefusal('user') === null;
  const { data: settings } = useQuery({ ...linkSettingsQuery(String(id)), enabled: mayKnow });
  return tellsSenders(settings) ? RECIPIENT_COLUMNS : [];
}

/** A file can hold only one column of a name, so a field replaces a column about the response with the same name. */
function exportable(all: Column[]): Column[] {
  const ids = new Set(all.filter(({ kind }) => kind === 'field').map(({ name }) => name));
  return all.filter(({ kind, name }) => kind === 'field' || !ids.has(name));
}

function hasFiles({ property }: Column): boolean {
  return property !== null && holdsFiles(canonicalTypeName(property.type));
}

function hasPlaces({ property }: Column): boolean {
  return property !== null && canonicalTypeName(property.type) === 'location';
}

/** Of a form whose answers senders can change, who has an id can change them too: it is taken along by choice only. */
function isUsual({ kind, name, isRemoved }: Column, { editable_submissions: isEditable }: Form): boolean {
  if (kind === 'field') return !isRemoved;
  return USUAL.includes(name) && !(name === 'submission_id' && isEditable);
}
