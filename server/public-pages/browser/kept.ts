import type { Answers } from '../../../fields/property.ts';

/** What is kept of a form on a device. */
export interface Kept {
  /** Names of inputs and what they hold. */
  values: [string, string][];
  /** What the address had filled in before they were changed. */
  given?: [string, string][];
  /** What they held when the page was loaded. */
  loaded?: [string, string][];
  step: number;
  /** Where the visitor came from when he first came, by the sixteen keys. */
  attribution: [string, string][];
  /** Of the partial submission the service keeps. */
  hash: string | null;
  /** Stands for the partial submission until its hash is known; of random numbers. */
  name?: string;
  /** The answers of a first save that was not answered, or null; those that are not kept are not in it. */
  unheard?: Answers | null;
  /** When the form was opened first, in seconds since 1970, as the address has it. */
  at?: string | null;
  /** Which draft of the service the page was filled in with; absent for none. */
  draft?: string | undefined;
  /** Fields that held files, which are not kept. */
  files?: string[];
}

/** What is kept of this form, or null; devices may refuse to keep anything. */
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
    // Full, or forbidden: the form can be filled in all the same.
  }
}

export function removeKept(uuid: string): void {
  try {
    localStorage.removeItem(keyOf(uuid));
  } catch {
    // Then nothing is kept either.
  }
}

function keyOf(uuid: string): string {
  return `form:${uuid}`;
}
