import { useEffect, useMemo, useState } from 'react';
import { keep, readKept } from '../../lib/kept.ts';
import { type Page, pageKey } from './pages.ts';

/** The pages shown as one line. */
export interface Collapsed {
  keys: ReadonlySet<string>;
  /** Id of a moved block: its page is open, whatever was chosen before. */
  revealed: string | null;
}

/** Stable functions that cause no rendering. */
export interface PageTools {
  setCollapsed(keys: readonly string[], isCollapsed: boolean): void;
  reveal(id: string): void;
}

/** Stored for each form in this browser. */
export function useCollapsed(formId: number): [Collapsed, PageTools] {
  const [collapsed, set] = useState<Collapsed>(() => ({ keys: read(formId), revealed: null }));
  const { keys } = collapsed;
  useEffect(() => keep(nameOf(formId), keys.size === 0 ? null : [...keys]), [formId, keys]);
  const tools = useMemo<PageTools>(
    () => ({
      setCollapsed: (changed, isCollapsed) =>
        set(({ keys }) => {
          const others = [...keys].filter((key) => !changed.includes(key));
          return { keys: new Set(isCollapsed ? [...others, ...changed] : others), revealed: null };
        }),
      reveal: (id) => set(({ keys }) => ({ keys, revealed: id })),
    }),
    [],
  );
  return [collapsed, tools];
}

/** A page with the edited block is never collapsed. */
export function isCollapsed(page: Page, { keys, revealed }: Collapsed, selected: string | null): boolean {
  return keys.has(pageKey(page)) && !page.blocks.some(({ id }) => id === selected || id === revealed);
}

function nameOf(formId: number): string {
  return `formstead-collapsed-${formId}`;
}

function read(formId: number): Set<string> {
  const kept = readKept(nameOf(formId));
  return new Set(Array.isArray(kept) ? kept.map(String) : []);
}
