/** Number of screens with unsaved changes. */
let count = 0;

/** @returns a function that takes it back */
export function noteUnsaved(): () => void {
  count += 1;
  return () => {
    count -= 1;
  };
}

/** Whether leaving would lose anything. */
export function isAnythingUnsaved(): boolean {
  return count > 0;
}
