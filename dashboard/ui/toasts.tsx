import { X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { IconButton } from './button.tsx';

export interface Toast {
  text: string;
  tone?: 'neutral' | 'bad';
  /** Undoes what was just done. */
  undo?: () => void;
  /** A link to view it, in another tab. */
  link?: { name: string; href: string };
  /** Called when it can no longer be undone. */
  onGone?: () => void;
}

interface ShownToast extends Toast {
  id: number;
}

const SHOWN_MS = 6_000;
const MOST = 3;

let toasts: readonly ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Shows a short message at the lower edge, until it times out or the returned function is called. */
export function showToast(toast: Toast): () => void {
  lastId += 1;
  const added = { ...toast, id: lastId };
  const shown = [...toasts, added];
  for (const old of shown.slice(0, -MOST)) old.onGone?.();
  change(shown.slice(-MOST));
  return () => dismiss(added);
}

function dismiss(toast: ShownToast): void {
  if (takeAway(toast)) toast.onGone?.();
}

function undo(toast: ShownToast): void {
  if (takeAway(toast)) toast.undo?.();
}

/** @returns whether it was still there */
function takeAway(toast: ShownToast): boolean {
  if (!toasts.includes(toast)) return false;
  change(toasts.filter((other) => other !== toast));
  return true;
}

function change(next: readonly ShownToast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Rendered once in the application; stays above a sticky bar of buttons at the lower edge. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <section
      aria-label="Messages"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-3 bottom-3 z-70 grid justify-items-center gap-2 sm:inset-x-auto sm:inset-e-4 sm:bottom-4 sm:justify-items-end print:hidden [body:has([data-lower-bar])_&]:bottom-32 sm:[body:has([data-lower-bar])_&]:bottom-28"
    >
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

/** Stays while the pointer or the focus is on it, for users who need longer (WCAG 2.2, 2.2.1). */
function ToastCard({ toast }: { toast: ShownToast }) {
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isHeld = isHovered || isFocused;
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismiss(toast), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast, isHeld]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits, there is nothing to press
    <div
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      role={toast.tone === 'bad' ? 'alert' : undefined}
      className="animate-appear pointer-events-auto flex max-w-md items-center gap-3 rounded-lg border border-line bg-raised py-2 ps-4 pe-2 shadow-lg"
    >
      <span
        aria-hidden="true"
        className={`size-2 shrink-0 rounded-full ${toast.tone === 'bad' ? 'bg-bad' : 'bg-good'}`}
      />
      <p className="min-w-0 break-words">{toast.text}</p>
      {toast.link && (
        <a
          href={toast.link.href}
          target="_blank"
          rel="noreferrer"
          className="shrink-0 rounded px-2 py-1 font-medium text-accent hover:bg-hover"
        >
          {toast.link.name}
        </a>
      )}
      {toast.undo && (
        <button
          type="button"
          className="rounded px-2 py-1 font-medium text-accent hover:bg-hover"
          onClick={() => undo(toast)}
        >
          Undo
        </button>
      )}
      <IconButton label="Dismiss" size="sm" onClick={() => dismiss(toast)}>
        <X className="size-4" />
      </IconButton>
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
