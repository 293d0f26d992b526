/** Whether a value is a day as in addresses and inputs: `YYYY-MM-DD`. */
export function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
}

/**
 * The moment when a day, or the day some days later, begins in the reader's time zone, in which times are shown. Ranges exclude
 * their last moment.
 * @returns ISO 8601
 */
export function startOfDay(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}
