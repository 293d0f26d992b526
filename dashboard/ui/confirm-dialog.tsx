import { AlertDialog } from 'radix-ui';
import { type FormEvent, type ReactNode, useState } from 'react';
import { isVisible } from '../../fields/texts/visible.ts';
import { looksTheSame } from '../lib/looks-the-same.ts';
import { useBackCloses } from '../lib/use-back-closes.ts';
import { useDialogFocus } from '../lib/use-dialog-focus.ts';
import { Button, buttonClasses } from './button.tsx';
import { DialogActions } from './dialog-actions.tsx';
import { TypedField } from './typed-field.tsx';

interface ConfirmDialogProps {
  isOpen: boolean;
  onClose(): void;
  title: string;
  /** What is lost, and for whom. */
  children: ReactNode;
  /** Label of the confirming button, such as `Delete workspace`. */
  action: string;
  isRunning?: boolean;
  onConfirm(): void;
  /** Text that has to be typed first, if the action cannot be undone; `action` where nobody could see it. */
  typed?: string;
}

/** Asks before something is lost. It stays open until the action is done; closed earlier, the action would seem cancelled. */
export function ConfirmDialog({ isOpen, onClose, ...rest }: ConfirmDialogProps) {
  const focus = useDialogFocus({ toInput: rest.typed !== undefined });
  useBackCloses(isOpen && !rest.isRunning, onClose);
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && !rest.isRunning && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="animate-appear fixed inset-0 z-50 bg-black/40" />
        <AlertDialog.Content
          {...focus}
          className="animate-appear fixed inset-x-3 top-[12vh] z-50 mx-auto max-h-[80vh] scroll-pb-20 overflow-y-auto rounded-xl border border-line bg-raised p-5 shadow-xl sm:max-w-md"
        >
          <Question {...rest} />
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

function Question({
  title,
  children,
  action,
  isRunning = false,
  onConfirm,
  typed,
}: Omit<ConfirmDialogProps, 'isOpen' | 'onClose'>) {
  const [text, setText] = useState('');
  const wanted = typed === undefined || isVisible(typed) ? typed : action;
  const isReady = wanted === undefined || looksTheSame(text, wanted);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The event must not submit a form around the dialog.
    event.stopPropagation();
    if (isReady && !isRunning) onConfirm();
  };
  return (
    <form onSubmit={submit}>
      <AlertDialog.Title className="text-base font-semibold break-words">{title}</AlertDialog.Title>
      <AlertDialog.Description asChild>
        <div className="mt-2 grid gap-2 text-muted">{children}</div>
      </AlertDialog.Description>
      {wanted !== undefined && (
        <TypedField wanted={wanted} typed={text} onChange={setText} className="mt-4" />
      )}
      <DialogActions>
        <AlertDialog.Cancel className={buttonClasses()} aria-disabled={isRunning}>
          Cancel
        </AlertDialog.Cancel>
        <Button type="submit" look="danger" isRunning={isRunning} disabled={!isReady}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}
