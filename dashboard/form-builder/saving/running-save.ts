/** The running save of any screen: a screen that opens now waits for it, to load what was saved. */
let saving: Promise<unknown> = Promise.resolve();

export function noteSaving(save: Promise<unknown>): void {
  saving = save.catch(() => {});
}

/** Resolves when no save is running any more, whatever became of it. */
export async function runningSave(): Promise<void> {
  await saving;
}

/**
 * Sends unsent changes of an open builder.
 * @returns why that failed; null when all is saved
 */
type SendRest = () => Promise<string | null>;
let sendRest: SendRest | null = null;

/** @returns a function that ends it */
export function noteBuilder(send: SendRest): () => void {
  sendRest = send;
  return () => {
    if (sendRest === send) sendRest = null;
  };
}

/**
 * To be called before the service uses the draft.
 * @throws Error when the last changes cannot be saved
 */
export async function saveRest(): Promise<void> {
  const problem = await sendRest?.();
  if (problem) throw new Error(problem);
  await saving;
}
