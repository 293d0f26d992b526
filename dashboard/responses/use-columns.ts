import { useState } from 'react';
import type { Column } from './columns.ts';

/** What a person chose for the table of one form, kept in this browser. */
interface Chosen {
  visible: Record<string, boolean>;
  widths: Record<string, number>;
}

const NOTHING: Chosen = { visible: {}, widths: {} };
/** Pixels */
export const MIN_WIDTH = 72;
export const MAX_WIDTH = 800;

export interface Columns {
  all: Column[];
  /** Those shown, with the width they have now. */
  shown: Column[];
  setVisible(key: string, isVisible: boolean): void;
  setWidth(key: string, width: number): void;
  /** Forgets what was chosen. */
  reset(): void;
}

export function useColumns(formId: string, all: Column[]): Columns {
  const [chosen, setChosen] = useState(() => read(formId));
  const change = (next: (former: Chosen) => Chosen) =>
    setChosen((former) => {
      const result = next(former);
      localStorage.setItem(keyOf(formId), JSON.stringify(result));
      return result;
    });
  return {
    all,
    shown: all
      .filter(({ key, isUsual }) => chosen.visible[key] ?? isUsual)
      .map((column) => ({ ...column, width: chosen.widths[column.key] ?? column.width })),
    setVisible: (key, isVisible) =>
      change((former) => ({ ...former, visible: { ...former.visible, [key]: isVisible } })),
    setWidth: (key, width) =>
      change((former) => ({
        ...former,
        widths: { ...former.widths, [key]: Math.min(Math.max(Math.round(width), MIN_WIDTH), MAX_WIDTH) },
      })),
    reset: () => change(() => NOTHING),
  };
}

function keyOf(formId: string): string {
  return `formstead-columns-${formId}`;
}

function read(formId: string): Chosen {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(formId)) ?? 'null');
    return { visible: { ...kept?.visible }, widths: { ...kept?.widths } };
  } catch {
    return NOTHING;
  }
}
