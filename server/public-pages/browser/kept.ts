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

/** What is kept of this form, or null; browsers may refuse access to storage. */
export function readKept(uuid: string): Kept | null {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(uuid)) ?? 'null');
    return Array.isArray(kept?.values) && Array.isArray(kept.attribution) ? kept : null;
  } catch {
    return null;
  }
}

export function writeKept(uuid: string, kept: Kept): void {
  try {
    localStorage.setItem(keyOf(uuid), JSON.stringify(kept));
  } catch {
    // Storage is full or forbidden: the form can still be filled in.
  }
}

export function removeKept(uuid: string): void {
  try {
    localStorage.removeItem(keyOf(uuid));
  } catch {
    // Storage is forbidden, so nothing was kept.
  }
}

function keyOf(uuid: string): string {
  return `form:${uuid}`;
}
