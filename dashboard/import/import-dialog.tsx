import { lazy, Suspense, useState } from 'react';
import type { Form } from '../api/queries.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

// The CSV reader is loaded on demand.
const ImportForm = lazy(async () => ({ default: (await import('./import-form.tsx')).ImportForm }));

interface ImportDialogProps {
  isOpen: boolean;
  onClose(): void;
  form: Form;
}

/** Imports past answers from a file. While something is running, closing stops that first. */
export function ImportDialog({ isOpen, onClose, form }: ImportDialogProps) {
  const [work, setWork] = useState<{ stop(): void } | null>(null);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => (work ? work.stop() : onClose())}
      size="lg"
      title="Import responses"
      description="Answers that were collected elsewhere, from a file."
      isShownOnce
    >
      <Suspense fallback={<Skeleton className="h-40" />}>
        <ImportForm form={form} onClose={onClose} onWork={setWork} />
      </Suspense>
    </Dialog>
  );
}
