import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects what only the start needed, once, and lets the young generation of the heap shrink again: at rest the process
 * is some 20 MB smaller for it. Takes about 50 ms.
 */
export function tidyHeap(): void {
  // Node.js offers the collection to contexts that are made while this option is on.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
}
