/** Reads what this browser stores under a name; null if there is nothing, or it cannot be read. */
export function readKept(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a value under a name; null removes it. If the browser refuses, nothing is stored. */
export function keep(name: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // The storage is full or switched off.
  }
}
