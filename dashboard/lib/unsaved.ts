/** How many screens hold something that is not saved. */
let count = 0;

/** @returns what takes it back */
export function noteUnsaved(): () => void {
  count += 1;
  return () => {
    count -= 1;
  };
}

/** Whether something would be lost on another screen. */
export function isAnythingUnsaved(): boolean {
  return count > 0;
}
