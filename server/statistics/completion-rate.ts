/** Completed submissions per start. At most 1, as submissions by the API have no start; null without starts. */
export function completionRate(starts: number, completed: number): number | null {
  return starts === 0 ? null : Math.min(1, completed / starts);
}
