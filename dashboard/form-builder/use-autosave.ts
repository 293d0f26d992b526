import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, api } from '../api/client.ts';
import { bodyOf, noteSaving } from './draft.ts';
import type { Definition } from './edits.ts';

/** `conflict`: somebody else saved this draft meanwhile. `refused`: it cannot be kept at all. */
export type SaveState = 'saved' | 'unsaved' | 'saving' | 'failed' | 'conflict' | 'refused';

/** How long typing rests before it is saved. */
const REST_MS = 700;
const RETRY_MS = 5_000;

export interface Autosave {
  state: SaveState;
  /** Why it could not be saved; '' where it could. */
  problem: string;
  /** Saves what is not saved yet. @returns whether everything is saved now */
  flush(): Promise<boolean>;
  /** Saves over what somebody else saved. */
  overwrite(): Promise<boolean>;
  /** This is what the service has, under this revision. */
  settle(definition: Definition, revision: number): void;
}

/** Keeps the draft of a form as it is now, one request at a time. */
export function useAutosave(
  formId: number,
  definition: Definition,
  revisionAtFirst: number,
  isOff: boolean,
): Autosave {
  const [state, setState] = useState<SaveState>('saved');
  const [problem, setProblem] = useState('');
  const latest = useRef(definition);
  latest.current = definition;
  const kept = useRef({ definition, revision: revisionAtFirst });
  const running = useRef<Promise<boolean> | null>(null);

  const save = useCallback(
    async (force: boolean): Promise<boolean> => {
      const sent = latest.current;
      setState('saving');
      try {
        const { revision } = await api.put('/open/forms/{form}/draft', {
          path: { form: formId },
          ...(!force && { query: { revision: kept.current.revision } }),
          body: bodyOf(sent),
        });
        kept.current = { definition: sent, revision };
        setProblem('');
        const isAll = latest.current === sent;
        setState(isAll ? 'saved' : 'unsaved');
        return isAll;
      } catch (error) {
        setProblem(error instanceof Error ? error.message : '');
        const status = error instanceof ApiError ? error.status : 0;
        setState(
          status === 409
            ? 'conflict'
            : status >= 400 && status < 500 && status !== 429
              ? 'refused'
              : 'failed',
        );
        return false;
      }
    },
    [formId],
  );

  const flush = useCallback(
    async (force = false): Promise<boolean> => {
      await running.current;
      if (kept.current.definition === latest.current && !force) return true;
      running.current = save(force).finally(() => {
        running.current = null;
      });
      noteSaving(running.current);
      return running.current;
    },
    [save],
  );

  useEffect(() => {
    if (isOff || kept.current.definition === definition) return;
    // Whose changes go on is asked first.
    if (state === 'conflict') return;
    setState((former) => (former === 'saved' ? 'unsaved' : former));
    const timer = setTimeout(() => void flush(), REST_MS);
    return () => clearTimeout(timer);
  }, [definition, flush, isOff, state]);

  useEffect(() => {
    if (state !== 'failed') return;
    const timer = setTimeout(() => void flush(), RETRY_MS);
    return () => clearTimeout(timer);
  }, [state, flush]);

  useEffect(() => {
    const isOpen = state !== 'saved' && !isOff;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    if (isOpen) window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [state, isOff]);

  // Whoever goes to another screen takes nothing unsaved along.
  useEffect(
    () => () => {
      if (!isOff && kept.current.definition !== latest.current) void flush();
    },
    [flush, isOff],
  );

  return {
    state,
    problem,
    flush: () => flush(),
    overwrite: () => flush(true),
    settle(next, revision) {
      kept.current = { definition: next, revision };
      setProblem('');
      setState('saved');
    },
  };
}
