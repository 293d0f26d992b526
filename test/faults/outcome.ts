import type { TestContext } from 'vitest';

/** One line of the table in docs/faults.md. */
export interface Outcome {
  /** As the list of faults numbers them: `F1`. */
  id: string;
  /** What was done, in plain words. */
  fault: string;
  acknowledged?: number;
  stored?: number;
  delivered?: number;
  /** Acknowledged and not stored, stored and not exported, or stored and neither delivered nor waiting. */
  lost?: number;
  /** From the end of the fault to the next acknowledged submission, the longest of all rounds. */
  recoveredMs?: number;
  /** What else was seen, short. */
  seen?: string;
}

declare module 'vitest' {
  interface TaskMeta {
    outcomes?: Outcome[];
  }
}

/** Notes what a test saw for the table. */
export function report({ task }: TestContext, outcome: Outcome): void {
  task.meta.outcomes = [...(task.meta.outcomes ?? []), outcome];
}
