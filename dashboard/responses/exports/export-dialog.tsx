import { lazy, Suspense } from 'react';
import type { Form } from '../../api/queries.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Columns } from '../table/use-columns.ts';
import { type Scope, type Shown, usualScope } from './export-scope.tsx';

// Drag and drop is loaded on demand.
const ExportForm = lazy(async () => ({ default: (await import('./export-form.tsx')).ExportForm }));

interface ExportDialogProps {
  /** The responses to export first: the usual scope, or this one; null while closed. */
  opened: Scope | 'usual' | null;
  onClose(): void;
  form: Form;
  columns: Columns;
  /** Ids of the selected responses. */
  chosen: ReadonlySet<number>;
  shown: Shown;
}

export function ExportDialog({ opened, onClose, chosen, shown, ...rest }: ExportDialogProps) {
  const first = opened === 'usual' || opened === null ? usualScope(chosen, shown) : opened;
  return (
    <Dialog
      isOpen={opened !== null}
      onClose={onClose}
      size="lg"
      title="Export responses"
      description="A file for spreadsheets or other programs."
    >
      <Suspense fallback={<Skeleton className="h-80" />}>
        <ExportForm {...rest} chosen={chosen} shown={shown} firstScope={first} onClose={onClose} />
      </Suspense>
    </Dialog>
  );
}
