import { executionAsyncResource } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Node.js offers the collection to contexts that are made while this option is on.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as NodeJS.GCFunction;
setFlagsFromString('--no-expose-gc');

const keptTicks: object[] = [];
/**
 * Keeps one of the objects that Node.js makes for `process.nextTick`, which it does several times for each request. When a
 * collection finds none, V8 forgets how they look, and from then on makes each by a way that takes five times as long.
 */
process.nextTick(() => keptTicks.push(executionAsyncResource()));

/**
 * Collects what only the start needed, and gives back the room that the young generation of the heap took for it, some 30 MB: V8
 * does so by itself only after seconds without work. Takes about 100 ms.
 */
export function tidyHeap(): void {
  collect({ type: 'major', flavor: 'last-resort' });
}

/**
 * Frees the buffers that were used for a moment only, in about 1 ms. V8 counts them, although they lie outside of its heap, and
 * left to itself it marks the whole heap for every 16 MB of them.
 */
export function freeShortLived(): void {
  collect({ type: 'minor' });
}
