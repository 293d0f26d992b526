import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { responsesKey } from '../responses/queries.ts';
import type { Sent } from './read-rows.ts';
import type { SourceRow } from './read-table.ts';
import { type CallOutcome, type Refused, sendBatches } from './send-batches.ts';

/** What is known about the rows of a file. */
export interface Findings {
  /** Rows that can be imported. */
  fitting: SourceRow[];
  alreadyThere: number;
  refused: Refused[];
}

export interface Imported {
  stored: number;
  /** Numeric ids. */
  ids: number[];
  /** Rows still to be imported after a stop. */
  left: SourceRow[];
}

export type Run =
  | { step: 'idle'; problem: string | null }
  /** `trouble`: why nothing proceeds at the moment. */
  | { step: 'checking' | 'importing'; done: number; total: number; trouble: string | null }
  | { step: 'checked' }
  /** `problem`: why it ended early. */
  | { step: 'imported'; problem: string | null };

const NO_FINDINGS: Findings = { fitting: [], alreadyThere: 0, refused: [] };
const NO_IMPORT: Imported = { stored: 0, ids: [], left: [] };

/** Checks the rows of a file, then imports those that fit; both run batch by batch until stopped. */
export function useImport(form: number) {
  const client = useQueryClient();
  const [run, setRun] = useState<Run>({ step: 'idle', problem: null });
  const [findings, setFindings] = useState(NO_FINDINGS);
  const [imported, setImported] = useState(NO_IMPORT);
  const stopping = useRef(new AbortController());
  const goOn = useRef<() => void>(() => {});
  const uncertain = useRef(new Set<SourceRow>());
  useEffect(() => () => stopping.current.abort(), []);

  /** @returns false if it was stopped */
  const send = async (
    step: 'checking' | 'importing',
    rows: readonly SourceRow[],
    read: (row: SourceRow) => Sent,
    onBatch: (outcome: CallOutcome & { rows: number }) => void,
  ): Promise<boolean> => {
    stopping.current = new AbortController();
    const { signal } = stopping.current;
    let done = 0;
    const show = (trouble: string | null) => setRun({ step, done, total: rows.length, trouble });
    show(null);
    const batches = sendBatches({
      form,
      rows,
      read,
      isCheck: step === 'checking',
      uncertain: uncertain.current,
      signal,
      onTrouble: show,
      whenAsked: () =>
        new Promise((resolve) => {
          goOn.current = resolve;
        }),
    });
    for await (const outcome of batches) {
      done += outcome.rows;
      onBatch(outcome);
      show(null);
    }
    return done === rows.length;
  };

  const check = async (rows: readonly SourceRow[], read: (row: SourceRow) => Sent) => {
    const found: Findings = { fitting: [], alreadyThere: 0, refused: [] };
    try {
      const isWhole = await send('checking', rows, read, (outcome) => {
        found.fitting.push(...outcome.fitting);
        found.alreadyThere += outcome.alreadyThere;
        found.refused.push(...outcome.refused);
      });
      setFindings(found);
      setImported(NO_IMPORT);
      setRun(isWhole ? { step: 'checked' } : { step: 'idle', problem: null });
    } catch (error) {
      setRun({ step: 'idle', problem: (error as Error).message });
    }
  };

  const store = async (rows: readonly SourceRow[], read: (row: SourceRow) => Sent) => {
    const outcome: Imported = { ...imported, ids: [...imported.ids], left: [] };
    const refused = [...findings.refused];
    let { alreadyThere } = findings;
    let done = 0;
    let problem: string | null = null;
    try {
      await send('importing', rows, read, (batch) => {
        done += batch.rows;
        outcome.stored += batch.stored;
        outcome.ids.push(...batch.ids);
        alreadyThere += batch.alreadyThere;
        refused.push(...batch.refused);
      });
    } catch (error) {
      problem = (error as Error).message;
    }
    outcome.left = rows.slice(done);
    setImported(outcome);
    setFindings({ fitting: findings.fitting, alreadyThere, refused });
    setRun({ step: 'imported', problem });
    void client.invalidateQueries({ queryKey: responsesKey(String(form)) });
    void client.invalidateQueries({ queryKey: ['forms', String(form)], exact: true });
  };

  return {
    run,
    findings,
    imported,
    check: (rows: readonly SourceRow[], read: (row: SourceRow) => Sent) => void check(rows, read),
    store: (rows: readonly SourceRow[], read: (row: SourceRow) => Sent) => void store(rows, read),
    /** Stops between two batches. */
    stop: () => stopping.current.abort(),
    goOn: () => goOn.current(),
    /** Returns to the matching of columns. */
    reset: () => setRun({ step: 'idle', problem: null }),
  };
}
