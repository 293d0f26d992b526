import { lazy, Suspense } from 'react';
import type { Form } from '../api/queries.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Shown } from './export-scope.tsx';
import type { Columns } from './use-columns.ts';

// What moves columns by hand is loaded when it is wanted.
const ExportForm = lazy(async () => ({ default: (await import('./export-form.tsx')).ExportForm }));

interface ExportDialogProps {
  isOpen: boolean;
  onClose(): void;
  form: Form;
  columns: Columns;
  /** Ids of the ticked responses. */
  chosen: ReadonlySet<number>;
  shown: Shown;
}

export function ExportDialog({ isOpen, onClose, ...rest }: ExportDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      size="lg"
      title="Export responses"
      description="A file for spreadsheets or other programs."
    >
      <Suspense fallback={<Skeleton className="h-80" />}>
        <ExportForm {...rest} onClose={onClose} />
      </Suspense>
    </Dialog>
  );
}
