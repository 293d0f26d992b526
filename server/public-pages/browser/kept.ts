import type { Answers } from '../../../fields/property.ts';

/** What is kept of a form on the device. */
export interface Kept {
  /** Names and values of the inputs. */
  values: [string, string][];
  /** Values of the address that had prefilled the form. */
  given?: [string, string][];
  /** Names and values of the inputs when the page was loaded. */
  loaded?: [string, string][];
  step: number;
  /** Where the visitor first came from, by the sixteen attribution keys. */
  attribution: [string, string][];
  /** Hash of the partial submission on the service. */
  hash: string | null;
  /** Random name of the partial submission until its hash is known. */
  name?: string;
  /** Answers of a first save that got no response, or null; without those that must not be kept. */
  unheard?: Answers | null;
  /** When the form was first opened, in seconds since 1970, as in the address. */
  at?: string | null;
  /** The draft of the service that filled in the page; absent for none. */
  draft?: string | undefined;
  /** Ids of fields that held files, which are not kept. */
  files?: string[];
}

/** What is kept of this form, in this tab before all others, or null; browsers may refuse access to storage. */
export function readKept(uuid: string): Kept | null {
  const key = keyOf(uuid);
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? 'null');
    return Array.isArray(kept?.values) && Array.isArray(kept.attribution) ? kept : null;
  } catch {
    return null;
  }
}

/** @param isForAll whether other tabs may read it too; once kept for this tab alone, it is kept there besides */
export function writeKept(uuid: string, kept: Kept, isForAll = true): void {
  const [key, text] = [keyOf(uuid), JSON.stringify(kept)];
  let isForTab = !isForAll;
  try {
    if (isForAll) localStorage.setItem(key, text);
  } catch {
    // It is full, and would bring back what was kept before. A tab has room of its own.
    isForTab = true;
  }
  try {
    if (isForTab || key in sessionStorage) sessionStorage.setItem(key, text);
  } catch {
    // Storage is full or forbidden: the form can still be filled in.
  }
}

export function removeKept(uuid: string): void {
  try {
    for (const place of [localStorage, sessionStorage]) place.removeItem(keyOf(uuid));
  } catch {
    // Storage is forbidden, so nothing was kept.
  }
}

/** Calls back when another tab keeps or removes answers of this form. */
export function onKeptElsewhere(uuid: string, tell: () => void): void {
  addEventListener('storage', ({ key, storageArea }) => {
    // What is kept for this tab alone is told to other frames in it, which would tell this one without end.
    if (key === keyOf(uuid) && storageArea === localStorage) tell();
  });
}

function keyOf(uuid: string): string {
  return `form:${uuid}`;
}
