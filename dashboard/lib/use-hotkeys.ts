import { useLayoutEffect, useRef } from 'react';
import { areSingleKeysOn } from './single-keys.ts';

interface HotkeyOptions {
  /** For what may be behind a dialog: inside dialogs these keys keep their usual effect. */
  isBehind?: boolean;
}

/**
 * Calls handlers for keys such as `mod+k` (Ctrl, or Cmd on a Mac), `mod+shift+z`, `/`, `escape`. Keys without `mod` are ignored
 * in inputs, menus and alert dialogs, and arrows where they scroll (`data-scrolls`). Single characters can be switched off.
 */
export function useHotkeys(
  keys: Record<string, (event: KeyboardEvent) => void>,
  { isBehind = false }: HotkeyOptions = {},
): void {
  const latest = useRef(keys);
  latest.current = keys;
  // A screen that was left is only hidden until the next one is loaded, which ends layout effects alone.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const pressed = nameOf(event);
      const act = latest.current[pressed];
      if (isBehind && isInDialog(event.target)) return;
      if (pressed.length === 1 && !areSingleKeysOn()) return;
      if (!act || event.defaultPrevented || (!pressed.startsWith('mod+') && needsKey(event.target, pressed)))
        return;
      event.preventDefault();
      act(event);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isBehind]);
}

function nameOf({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): string {
  const isMod = ctrlKey || metaKey;
  const name = key.toLowerCase();
  // Shift is needed to type `?` or `/`, so it counts only with `mod` and with keys that have no character.
  const isShift = shiftKey && (isMod || name.length > 1);
  return [isMod && 'mod', isShift && 'shift', altKey && 'alt', name].filter(Boolean).join('+');
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role=dialog], [role=alertdialog]') !== null;
}

function needsKey(target: EventTarget | null, pressed: string): boolean {
  const needing =
    'input:not([type=checkbox]), textarea, select, [contenteditable], [role=menu], [role=alertdialog]';
  const isArrow = pressed.startsWith('arrow');
  return (
    target instanceof HTMLElement && target.closest(isArrow ? `${needing}, [data-scrolls]` : needing) !== null
  );
}
