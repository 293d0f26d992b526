/** One for each screen and dialog that may hold unsaved changes: whether it does at present. */
const holders = new Set<() => boolean>();

/** @returns a function that takes it back */
export function noteUnsaved(isUnsaved: () => boolean = () => true): () => void {
  // A function of its own, as the same may be noted twice.
  const holder = () => isUnsaved();
  holders.add(holder);
  return () => void holders.delete(holder);
}

/** Whether leaving would lose anything. */
export function isAnythingUnsaved(): boolean {
  return [...holders].some((isUnsaved) => isUnsaved());
}

/** How many questions whether to leave wait for an answer. */
let questions = 0;

/** @returns a function that takes it back */
export function noteQuestion(): () => void {
  questions += 1;
  return () => {
    questions -= 1;
  };
}

/** Whether the user wants to go somewhere else, and is being asked. */
export function isAskedWhetherToLeave(): boolean {
  return questions > 0;
}
