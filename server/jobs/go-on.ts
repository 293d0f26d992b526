import { isAway } from '../db/constraint-errors.ts';

/** Forms that the message of a failure names. */
const NAMED = 5;

/** The work on some forms failed; that on all others was done. The cause is the first failure. */
export class FormsFailed extends Error {
  override name = 'FormsFailed';

  constructor(formIds: readonly number[], cause: unknown) {
    const named = formIds.slice(0, NAMED).join(', ');
    const more = formIds.length > NAMED ? ` and ${formIds.length - NAMED} more` : '';
    super(`the work on form ${named}${more} failed, that on all others was done`, { cause });
  }
}

/**
 * Works on one form after the other. One whose statements fail does not hold up the others; without the database it ends at once.
 * @throws FormsFailed at the end
 */
export async function eachForm<Form extends { id: number }>(
  forms: readonly Form[],
  work: (form: Form) => Promise<unknown>,
  stopping?: AbortSignal,
): Promise<void> {
  const failures = new Failures();
  for (const form of forms) {
    if (stopping?.aborted) break;
    await work(form).catch((error: unknown) => failures.note(form.id, error));
  }
  failures.report();
}

/** Collects the failures of some forms. */
export class Failures {
  readonly #byForm = new Map<number, unknown>();

  /** @throws the error itself when the database is away, as then nothing can go on */
  note(formId: number, error: unknown): void {
    if (isAway(error)) throw error;
    this.#byForm.set(formId, error);
  }

  /** @throws FormsFailed when there are any */
  report(): void {
    const [first] = this.#byForm.values();
    if (this.#byForm.size > 0) throw new FormsFailed([...this.#byForm.keys()], first);
  }
}

/** Takes each step, although one before it failed. @throws the first failure at the end; at once without the database */
export async function eachStep(...steps: (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    await step().catch((error: unknown) => {
      if (isAway(error)) throw error;
      failures.push(error);
    });
  }
  if (failures.length > 0) throw failures[0];
}
