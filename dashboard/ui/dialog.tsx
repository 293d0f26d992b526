import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useContext, useEffect, useState } from 'react';
import { classes } from '../lib/classes.ts';
import { useBackCloses } from '../lib/use-back-closes.ts';
import { useDialogFocus } from '../lib/use-dialog-focus.ts';
import { useTyped } from '../lib/use-typed.ts';
import { Button, IconButton } from './button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { type Hold, HoldContext } from './hold.ts';

interface DialogProps {
  isOpen: boolean;
  onClose(): void;
  title: ReactNode;
  description?: ReactNode;
  size?: 'md' | 'lg';
  /** Its content is shown only once, so a click outside does not close it. */
  isShownOnce?: boolean;
  children: ReactNode;
}

const SIZES = { md: 'sm:max-w-md', lg: 'sm:max-w-2xl' };

/**
 * A modal dialog: keeps the focus inside, closes with Escape or Back, and returns the focus. It asks before what was typed into it
 * is lost, unless by `DialogCancel`, and a click outside then does nothing.
 */
export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  size = 'md',
  isShownOnce = false,
  children,
}: DialogProps) {
  const focus = useDialogFocus({ toInput: true });
  const [held, hold] = useState<Hold>('no');
  const isHeld = held !== 'no';
  const [isAsking, setAsking] = useState(false);
  const { isTyped, onInput } = useTyped(isOpen);
  const close = () => (isTyped() ? setAsking(true) : onClose());
  useBackCloses(isOpen && held !== 'may leave', () => !isHeld && close());
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && !isHeld && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="animate-appear fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          {...(!description && { 'aria-describedby': undefined })}
          {...focus}
          onInput={onInput}
          onInteractOutside={(event) => (isShownOnce || isTyped()) && event.preventDefault()}
          onEscapeKeyDown={(event) => {
            event.preventDefault();
            if (!isHeld) close();
          }}
          className={classes(
            'animate-appear fixed inset-x-3 top-[8vh] z-50 mx-auto max-h-[84vh] overflow-y-auto scroll-pb-20 rounded-xl border border-line bg-raised p-5 shadow-xl',
            SIZES[size],
          )}
        >
          <div className="mb-4 flex items-start justify-between gap-4">
            <div className="grid min-w-0 grid-cols-1 gap-1 wrap-anywhere">
              <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
              {description && <Radix.Description className="text-muted">{description}</Radix.Description>}
            </div>
            <IconButton
              label="Close"
              size="sm"
              className="-me-1 -mt-1"
              aria-disabled={isHeld}
              onClick={() => !isHeld && close()}
            >
              <X className="size-4" />
            </IconButton>
          </div>
          <HoldContext value={{ isHeld, hold }}>{children}</HoldContext>
          <ConfirmDialog
            isOpen={isAsking}
            onClose={() => setAsking(false)}
            title="Close without saving?"
            action="Close"
            onConfirm={() => {
              setAsking(false);
              onClose();
            }}
          >
            <p>What you entered here would be lost.</p>
          </ConfirmDialog>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/**
 * Inside a dialog, keeps it open while waiting for a response: closed, the action would seem cancelled. Nothing can be typed
 * meanwhile. By Back the screen may be left all the same, and is told of a refusal, unless the response is shown only once.
 */
export function HoldDialog({ isHeld, isShownOnce = false }: { isHeld: boolean; isShownOnce?: boolean }) {
  const { hold } = useContext(HoldContext);
  useEffect(() => {
    if (isHeld) hold(isShownOnce ? 'stays' : 'may leave');
    return () => hold('no');
  }, [hold, isHeld, isShownOnce]);
  return null;
}

/** Closes the dialog around it, unless it is held open. */
export function DialogCancel({ children = 'Cancel' }: { children?: ReactNode }) {
  const { isHeld } = useContext(HoldContext);
  return (
    <Radix.Close asChild>
      <Button aria-disabled={isHeld}>{children}</Button>
    </Radix.Close>
  );
}
