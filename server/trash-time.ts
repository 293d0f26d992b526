/** How long forms and submissions stay in the trash. */
export const TRASH_DAYS = 30;

const DAY_MS = 86_400_000;

/** When an item in the trash is deleted. */
export function trashEnd(trashedAt: Date): string {
  return new Date(trashedAt.getTime() + TRASH_DAYS * DAY_MS).toISOString();
}
