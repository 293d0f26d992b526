import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, api, isPassing } from '../../api/client.ts';
import { formQuery } from '../../api/queries.ts';
import { noteRefusal } from '../../api/query-client.ts';
import type { Definition } from '../definition.ts';
import { changesOf, definitionOf, isSameDefinition, type Latest, readLatest } from './draft.ts';
import { noteBuilder, noteSaving } from './running-save.ts';

/** `conflict`: somebody else saved this form or its draft meanwhile. `refused`: the service does not accept it. */
type SaveState = 'saved' | 'unsaved' | 'saving' | 'failed' | 'conflict' | 'refused' | 'signed-out';

/** Milliseconds without typing before it is saved. */
const REST_MS = 700;
const RETRY_MS = 5_000;
export const NOT_SAVED = 'The last changes could not be saved.';

interface Outcome {
  state: SaveState;
  /** Why saving failed; '' otherwise. */
  problem: string;
}

export interface Autosave extends Outcome {
  /** Saves what is not saved. */
  flush(): Promise<Outcome>;
  /** Saves even if nothing has changed, which proves that nobody else saved meanwhile. */
  prove(): Promise<Outcome>;
  /** What was last saved or taken over: the changes here, and those of others since, began with it. */
  base(): Definition;
  /**
   * Sets the service's version, and the same definition here.
   * @param yielded what saves over somebody else's version, which the history keeps: one's own, or what was here before
   */
  settle(definition: Definition, latest: Latest, yielded?: readonly Definition[]): void;
}

/** Keeps a form's draft saved, one request at a time. */
export function useAutosave(definition: Definition, atFirst: Latest, isOff: boolean): Autosave {
  const client = useQueryClient();
  const formId = atFirst.form.id;
  const [outcome, setOutcome] = useState<Outcome>({ state: 'saved', problem: '' });
  const { state } = outcome;
  const latest = useRef(definition);
  latest.current = definition;
  /** The service's version as far as known, and the same definition here. */
  const kept = useRef({ ...atFirst, definition });
  /** Definitions sent without a response: the service may have stored them. */
  const unanswered = useRef(new Set<Definition>());
  /** The last one sent, whatever the result; null after the service's version was taken over. */
  const tried = useRef<Definition | null>(null);
  /** Whether the user decided to save over somebody else's version, and that is not done yet: whatever else is changed before, it is kept. */
  const keepsReplaced = useRef(false);
  const yielded = useRef<ReadonlySet<Definition>>(new Set());
  const running = useRef<Promise<Outcome>>(Promise.resolve(outcome));

  /**
   * Takes over the service's version if it is a known or sent one.
   * @returns whether it is
   */
  const catchUp = useCallback(async (): Promise<boolean> => {
    const found = await readLatest(formId);
    const there = definitionOf(found.form, found.draft);
    const known = definitionOf(kept.current.form, kept.current.draft);
    const isThere = (one: Definition) => isSameDefinition(one, there);
    const isOwn = [...unanswered.current].some(isThere);
    if (!isOwn && !isThere(known)) return false;
    // What it replaced was kept when it was stored.
    if (isOwn) keepsReplaced.current = false;
    kept.current = { ...kept.current, ...found };
    client.setQueryData(formQuery(formId).queryKey, found.form);
    return true;
  }, [client, formId]);

  const save = useCallback(async (): Promise<Outcome> => {
    const sent = latest.current;
    tried.current = sent;
    const isOverOthers = keepsReplaced.current;
    const send = () => {
      const { form, draft } = kept.current;
      return api.put('/open/forms/{form}/draft', {
        path: { form: formId },
        query: {
          revision: draft?.revision ?? 0,
          version: form.version,
          keep_replaced: keepsReplaced.current,
        },
        body: { ...sent.others, ...changesOf(sent, definitionOf(form, null)) },
      });
    };
    const end = (next: Outcome) => {
      setOutcome(next);
      return next;
    };
    setOutcome((former) => ({ ...former, state: 'saving' }));
    try {
      const draft = await send().catch(async (error: unknown) => {
        if (stateAfter(error) !== 'conflict' || !(await catchUp())) throw error;
        return send();
      });
      kept.current = { ...kept.current, definition: sent, draft };
      unanswered.current.clear();
      if (isOverOthers) {
        keepsReplaced.current = false;
        yielded.current = new Set();
      }
      return end({ state: latest.current === sent ? 'saved' : 'unsaved', problem: '' });
    } catch (error) {
      noteRefusal(client, error);
      const next = stateAfter(error);
      if (next === 'failed') unanswered.current.add(sent);
      if (next === 'conflict') keepsReplaced.current = false;
      return end({ state: next, problem: error instanceof Error ? error.message : '' });
    }
  }, [client, formId, catchUp]);

  const flush = useCallback(
    ({ isProof = false } = {}): Promise<Outcome> => {
      const next = running.current.then(() => {
        const isKnown = kept.current.definition === latest.current && unanswered.current.size === 0;
        return isKnown && !isProof ? { state: 'saved' as const, problem: '' } : save();
      });
      running.current = next;
      noteSaving(next);
      return next;
    },
    [save],
  );

  useEffect(() => {
    if (isOff) return;
    if (kept.current.definition === definition) {
      // The change was undone before it was saved, or after saving failed.
      const isKept = state === 'unsaved' || state === 'refused' || state === 'signed-out';
      if (isKept) setOutcome({ state: 'saved', problem: '' });
      if (isKept) keepsReplaced.current = false;
      return;
    }
    if (yielded.current.has(definition)) keepsReplaced.current = true;
    // A conflict waits for the user's choice, a refused definition for the next edit, a failed one for a while.
    if (state === 'conflict' || tried.current === definition) return;
    setOutcome((former) => (former.state === 'saved' ? { ...former, state: 'unsaved' } : former));
    const timer = setTimeout(() => void flush(), REST_MS);
    return () => clearTimeout(timer);
  }, [definition, flush, isOff, state]);

  useEffect(() => {
    if (state !== 'failed') return;
    const timer = setTimeout(() => void flush(), RETRY_MS);
    return () => clearTimeout(timer);
  }, [state, flush]);

  useEffect(() => {
    if (isOff) return;
    return noteBuilder(async () => {
      const { state, problem } = await flush();
      return state === 'saved' ? null : problem || NOT_SAVED;
    });
  }, [flush, isOff]);

  // Leaving for another screen saves the rest.
  useEffect(
    () => () => {
      if (!isOff && kept.current.definition !== latest.current) void flush();
    },
    [flush, isOff],
  );

  // At once, so that no change passes for saved until the effects have run.
  const isChanged = !isOff && kept.current.definition !== definition;
  return {
    ...outcome,
    state: state === 'saved' && isChanged ? 'unsaved' : state,
    flush: () => flush(),
    prove: () => flush({ isProof: true }),
    base: () => kept.current.definition,
    settle(next, found, before = []) {
      kept.current = { ...found, definition: next };
      tried.current = null;
      unanswered.current.clear();
      keepsReplaced.current = false;
      yielded.current = new Set(before);
      setOutcome({ state: 'saved', problem: '' });
    },
  };
}

function stateAfter(error: unknown): SaveState {
  if (error instanceof ApiError && error.status === 409) return 'conflict';
  if (error instanceof ApiError && error.status === 401) return 'signed-out';
  return isPassing(error) ? 'failed' : 'refused';
}
