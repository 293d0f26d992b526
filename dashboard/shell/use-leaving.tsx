import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { noteQuestion, noteUnsaved } from '../lib/unsaved.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface How {
  /** Whether a change of the query counts as leaving. */
  bySearch?: boolean;
  /**
   * Tries to save at the last moment.
   * @returns whether nothing would be lost any more
   */
  saveAtLast?(): Promise<boolean>;
}

interface Leaving {
  /** The question, to be rendered by the screen. */
  question: ReactNode;
  /** Asks before actions that lose the same without leaving. */
  before(act: () => void): void;
}

/**
 * Asks before the user leaves unsaved changes, by whatever way, also while they are being saved: that may fail. Once they are saved,
 * or gone with their screen, whoever is still being asked leaves. A screen that leaves by itself passes `ignoreBlocker`.
 * @param loss what would be lost, as a sentence
 */
export function useLeaving(isUnsaved: boolean, loss: string, { bySearch, saveAtLast }: How = {}): Leaving {
  const [act, setAct] = useState<(() => void) | null>(null);
  useEffect(() => (isUnsaved ? noteUnsaved() : undefined), [isUnsaved]);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      const isElsewhere =
        current.pathname !== next.pathname ||
        (bySearch === true && JSON.stringify(current.search) !== JSON.stringify(next.search));
      return isUnsaved && isElsewhere && !(await saveAtLast?.());
    },
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  const isAsked = status === 'blocked';
  const leave = useRef<(() => void) | null>(null);
  useEffect(() => {
    leave.current = isAsked ? proceed : null;
    if (isUnsaved) return;
    leave.current?.();
    setAct(null);
    act?.();
  });
  useEffect(() => (isAsked ? noteQuestion() : undefined), [isAsked]);
  // Without an answer the browser would stay at the address it has gone to, with this screen.
  useEffect(() => () => leave.current?.(), []);
  const question = (
    <ConfirmDialog
      isOpen={isAsked || act !== null}
      onClose={() => {
        reset?.();
        setAct(null);
      }}
      title="Leave without saving?"
      action="Leave"
      onConfirm={() => {
        proceed?.();
        act?.();
        setAct(null);
      }}
    >
      <p>{loss}</p>
    </ConfirmDialog>
  );
  return { question, before: (next) => (isUnsaved ? setAct(() => next) : next()) };
}
