import { executionAsyncResource } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Node.js exposes the collection to contexts made while this option is on.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as NodeJS.GCFunction;
setFlagsFromString('--no-expose-gc');

const keptTicks: object[] = [];
/**
 * Keeps alive one of the objects that Node.js makes for `process.nextTick`, several per request. If a collection finds
 * none, V8 forgets their shape, and making each one then takes five times as long.
 */
process.nextTick(() => keptTicks.push(executionAsyncResource()));

/**
 * Collects the garbage of the start, and frees the memory that the young generation of the heap took for it, some 30 MB: V8
 * would do so only after seconds without work. Takes about 100 ms.
 */
export function tidyHeap(): void {
  collect({ type: 'major', flavor: 'last-resort' });
}

/**
 * Frees short-lived buffers, in about 1 ms. V8 counts them although they lie outside its heap, and by itself marks the
 * whole heap for every 16 MB of them.
 */
export function freeShortLived(): void {
  collect({ type: 'minor' });
}
