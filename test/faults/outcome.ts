import type { TestContext } from 'vitest';

/** One line of the table in docs/faults.md. */
export interface Outcome {
  /** The number in the list of faults, such as `F1`. */
  id: string;
  /** The fault in plain words. */
  fault: string;
  acknowledged?: number;
  stored?: number;
  delivered?: number;
  /** Acknowledged but not stored, stored but not exported, or stored but neither delivered nor waiting. */
  lost?: number;
  /** From the end of the fault to the next acknowledged submission; the longest of all rounds. */
  recoveredMs?: number;
  /** Other observations, in short. */
  seen?: string;
}

declare module 'vitest' {
  interface TaskMeta {
    outcomes?: Outcome[];
  }
}

/** Notes the result of a test for the table. */
export function report({ task }: TestContext, outcome: Outcome): void {
  task.meta.outcomes = [...(task.meta.outcomes ?? []), outcome];
}
