import { useState } from 'react';
import { keep, readKept } from '../lib/kept.ts';
import { type Column, inOrder, withMoved } from './columns.ts';

/** A user's choices for the table of a form, stored in this browser. */
interface Chosen {
  visible: Record<string, boolean>;
  widths: Record<string, number>;
  /** Keys of all columns, once one was moved. */
  order: string[];
}

const NOTHING: Chosen = { visible: {}, widths: {}, order: [] };
/** Pixels */
export const MIN_WIDTH = 72;
export const MAX_WIDTH = 800;

export interface Columns {
  /** In their default order. */
  all: Column[];
  /** All columns in their present order. */
  ordered: Column[];
  /** The visible columns, with their present order and widths. */
  shown: Column[];
  setVisible(key: string, isVisible: boolean): void;
  setWidth(key: string, width: number): void;
  /** Moves a column past so many visible ones, towards the end or, if negative, the beginning. */
  move(key: string, steps: number): void;
  /** Clears the choices. */
  reset(): void;
}

export function useColumns(formId: string, all: Column[]): Columns {
  const [chosen, setChosen] = useState(() => read(formId));
  const change = (next: (former: Chosen) => Chosen) =>
    setChosen((former) => {
      const result = next(former);
      keep(keyOf(formId), result);
      return result;
    });
  const ordered = inOrder(all, chosen.order);
  const shown = ordered
    .filter(({ key, isUsual }) => chosen.visible[key] ?? isUsual)
    .map((column) => ({ ...column, width: chosen.widths[column.key] ?? column.width }));
  return {
    all,
    ordered,
    shown,
    move: (key, steps) =>
      change((former) => {
        const order = inOrder(all, former.order).map((column) => column.key);
        const keys = shown.map((column) => column.key);
        return { ...former, order: withMoved(order, keys, key, steps) };
      }),
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
  const kept = readKept(keyOf(formId)) as Partial<Chosen> | null;
  const order = Array.isArray(kept?.order) ? kept.order.map(String) : [];
  return { visible: { ...kept?.visible }, widths: { ...kept?.widths }, order: [...new Set<string>(order)] };
}
