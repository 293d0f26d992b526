import { useSyncExternalStore } from 'react';
import { keep, readKept } from './kept.ts';

const NAME = 'formstead-single-keys';
const listeners = new Set<() => void>();

/**
 * Whether keys with a character and without Ctrl, such as `/`, are shortcuts in this browser. Whoever speaks to their computer
 * presses such keys with every word, so they can be switched off (WCAG 2.2, 2.1.4).
 */
export function areSingleKeysOn(): boolean {
  return readKept(NAME) !== false;
}

export function setSingleKeys(areOn: boolean): void {
  keep(NAME, areOn ? null : false);
  for (const listener of listeners) listener();
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribe, areSingleKeysOn);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
