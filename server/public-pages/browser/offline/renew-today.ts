import { refresh } from '../live.ts';
import type { Page } from '../page.ts';

/** A stored page is filled in with the day on which it was stored, and allows days as they were allowed then: makes that today, in UTC. */
export function renewToday(page: Page): void {
  const now = new Date().toISOString();
  const today = now.slice(0, 10);
  for (const input of page.form.querySelectorAll<HTMLInputElement>('[data-today]')) {
    const { value } = input;
    // Not what was typed, or is there again from an earlier time.
    if (value !== input.defaultValue || value.startsWith(today)) continue;
    input.value = value.length > 10 ? today + value[10] + now.slice(11, 16) : today;
  }
  for (const input of page.form.querySelectorAll<HTMLInputElement>('[data-date][min],[data-date][max]')) {
    if (input.min) input.min = today + input.min.slice(10);
    if (input.max) input.max = today + input.max.slice(10);
  }
  refresh(page);
}
