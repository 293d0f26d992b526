import { lazy, Suspense } from 'react';
import type { Form } from '../api/queries.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

// The CSV reader is loaded on demand.
const AddForm = lazy(async () => ({ default: (await import('./add-form.tsx')).AddForm }));

interface AddDialogProps {
  isOpen: boolean;
  onClose(): void;
  form: Form;
}

export function AddDialog({ isOpen, onClose, form }: AddDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      size="lg"
      title="Add people"
      description="An address that is on the list already keeps its link."
      isShownOnce
    >
      <Suspense fallback={<Skeleton className="h-64" />}>
        <AddForm form={form} onClose={onClose} />
      </Suspense>
    </Dialog>
  );
}
