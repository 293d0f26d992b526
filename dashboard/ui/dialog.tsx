import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { classes } from '../lib/classes.ts';
import { useDialogFocus } from '../lib/use-dialog-focus.ts';
import { Button, IconButton } from './button.tsx';

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

const HoldContext = createContext({ isHeld: false, hold: (_isHeld: boolean) => {} });

/** A modal dialog: keeps the focus inside, closes with Escape, and returns the focus. */
export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  size = 'md',
  isShownOnce = false,
  children,
}: DialogProps) {
  const focus = useDialogFocus(true);
  const [isHeld, hold] = useState(false);
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => !open && !isHeld && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="animate-appear fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          {...(!description && { 'aria-describedby': undefined })}
          {...focus}
          onInteractOutside={(event) => isShownOnce && event.preventDefault()}
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
            <Radix.Close asChild>
              <IconButton label="Close" size="sm" className="-me-1 -mt-1" aria-disabled={isHeld}>
                <X className="size-4" />
              </IconButton>
            </Radix.Close>
          </div>
          <HoldContext value={{ isHeld, hold }}>{children}</HoldContext>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/**
 * Inside a dialog, keeps it open while waiting for a response: closed, content shown only once would be lost, and the action
 * would seem cancelled.
 */
export function HoldDialog({ isHeld }: { isHeld: boolean }) {
  const { hold } = useContext(HoldContext);
  useEffect(() => {
    hold(isHeld);
    return () => hold(false);
  }, [hold, isHeld]);
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

/** The buttons at the end of a dialog, the acting one last. They stay in view however high the content is. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="sticky -bottom-5 -mx-5 mt-4 -mb-5 flex flex-wrap justify-end gap-2 border-t border-line bg-raised px-5 py-4">
      {children}
    </div>
  );
}
