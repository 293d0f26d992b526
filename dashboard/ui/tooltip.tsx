import { Tooltip as Radix } from 'radix-ui';
import { type ReactNode, useRef, useState } from 'react';

const DELAY_MS = 400;
/** Milliseconds after being focused in which an element may still be scrolling into view. */
const SCROLL_MS = 500;

/** Rendered once around the application. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Radix.Provider delayDuration={DELAY_MS}>{children}</Radix.Provider>;
}

/** A short text about the element inside, for pointer and keyboard; null for none at the moment. */
export function Tooltip({ text, children }: { text: string | null; children: ReactNode }) {
  const trigger = useRef<HTMLButtonElement>(null);
  const openedAt = useRef(0);
  const [isOpen, setOpen] = useState(false);
  // Otherwise it would open again by itself with the next text.
  if (isOpen && text === null) setOpen(false);
  const change = (open: boolean) => {
    if (open && text === null) return;
    if (open) openedAt.current = performance.now();
    // Scrolling closes it, except the scrolling caused by the focus.
    const hasArrived = performance.now() - openedAt.current > SCROLL_MS;
    if (open || hasArrived || !trigger.current?.matches(':focus-visible')) setOpen(open);
  };
  return (
    <Radix.Root open={isOpen && text !== null} onOpenChange={change}>
      <Radix.Trigger asChild ref={trigger}>
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="animate-appear z-60 max-w-72 rounded-md bg-ink px-2 py-1 text-xs text-canvas shadow-md"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
