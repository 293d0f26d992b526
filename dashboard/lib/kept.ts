/** What this browser remembers under a name; null when that is nothing, or cannot be read. */
export function readKept(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null');
  } catch {
    return null;
  }
}

/** Remembers it under a name, or with null nothing more. What a browser refuses to keep is lost with the page. */
export function keep(name: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Its storage is full, or switched off.
  }
}
