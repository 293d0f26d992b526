import { useState } from 'react';
import { ownMember } from '../../../fields/property.ts';
import { isSame } from '../../lib/is-same.ts';
import { keep, readKept } from '../../lib/kept.ts';
import type { SavedView } from '../views/saved-views.ts';
import { type Column, inOrder, withMoved } from './columns.ts';

/** Which columns are visible, by key, and the keys of all once one was moved. */
interface Choice {
  visible: Record<string, boolean>;
  order: string[];
}

/** A user's choices for the table of a form, stored in this browser. */
interface Kept extends Choice {
  widths: Record<string, number>;
}

const USUAL: Choice = { visible: {}, order: [] };
/** Pixels */
export const MIN_WIDTH = 72;

export interface ShownColumn extends Column {
  /** Whether it may get wider where there is room: it holds answers, and nobody has chosen its width. */
  grows: boolean;
}

export interface Columns {
  /** In their default order. */
  all: Column[];
  /** All columns in their present order. */
  ordered: Column[];
  /** The visible columns, with their present order and widths. */
  shown: ShownColumn[];
  /** Names of the visible columns, as a view has them; null if they are the usual ones. */
  names: string[] | null;
  /** Whether they are others than the open view has. */
  isChanged: boolean;
  setVisible(key: string, isVisible: boolean): void;
  /** Chosen widths by key; those that have grown may be wider than can be chosen. */
  setWidths(widths: Record<string, number>): void;
  /** Moves a column past so many visible ones, towards the end or, if negative, the beginning. */
  move(key: string, steps: number): void;
  /** Shows the usual ones. */
  reset(): void;
  /** Shows those of the open view again. */
  discard(): void;
}

/** @param view its columns are shown instead of the user's own, and changes to them wait to be saved */
export function useColumns(formId: string, all: Column[], view: SavedView | undefined): Columns {
  const [kept, setKept] = useState(() => read(formId));
  const [unsaved, setUnsaved] = useState<{ view: number; choice: Choice } | null>(null);
  const saved = view && choiceOf(all, view.definition.columns);
  const chosen = view ? (unsaved?.view === view.id ? unsaved.choice : (saved ?? USUAL)) : kept;
  const changeKept = (next: (former: Kept) => Kept) =>
    setKept((former) => {
      const result = next(former);
      keep(keyOf(formId), result);
      return result;
    });
  const change = (next: (former: Choice) => Choice) =>
    view
      ? setUnsaved((former) => ({
          view: view.id,
          choice: next(former?.view === view.id ? former.choice : (saved ?? USUAL)),
        }))
      : changeKept((former) => ({ ...former, ...next(former) }));
  const ordered = inOrder(all, chosen.order);
  const shown = visibleOf(all, chosen).map((column) => ({
    ...column,
    width: ownMember(kept.widths, column.key) ?? column.width,
    grows: column.kind === 'field' && ownMember(kept.widths, column.key) === undefined,
  }));
  const names = namesOf(all, chosen);
  return {
    all,
    ordered,
    shown,
    names,
    isChanged: saved !== undefined && !isSame(names, namesOf(all, saved)),
    move: (key, steps) =>
      change((former) => {
        const order = inOrder(all, former.order).map((column) => column.key);
        const keys = shown.map((column) => column.key);
        return { ...former, order: withMoved(order, keys, key, steps) };
      }),
    setVisible: (key, isVisible) =>
      change((former) => ({ ...former, visible: { ...former.visible, [key]: isVisible } })),
    setWidths: (widths) => {
      const fitting = Object.entries(widths).map(([key, width]) => [
        key,
        Math.max(Math.round(width), MIN_WIDTH),
      ]);
      changeKept((former) => ({
        ...former,
        widths: { ...former.widths, ...Object.fromEntries(fitting) },
      }));
    },
    reset: () => (view ? change(() => USUAL) : changeKept(() => ({ ...USUAL, widths: {} }))),
    discard: () => setUnsaved(null),
  };
}

/** What shows the columns of a view. A field comes before another column of its name, as in exports. */
function choiceOf(all: readonly Column[], names: readonly string[] | null): Choice {
  const byName = new Map<string, Column>();
  for (const column of all)
    if (column.kind === 'field' || !byName.has(column.name)) byName.set(column.name, column);
  const order = (names ?? []).flatMap((name) => byName.get(name)?.key ?? []);
  if (order.length === 0) return USUAL;
  return { visible: Object.fromEntries(all.map(({ key }) => [key, order.includes(key)])), order };
}

function visibleOf(all: readonly Column[], { visible, order }: Choice): Column[] {
  return inOrder(all, order).filter(({ key, isUsual }) => ownMember(visible, key) ?? isUsual);
}

function namesOf(all: readonly Column[], chosen: Choice): string[] | null {
  const named = (choice: Choice) => [...new Set(visibleOf(all, choice).map(({ name }) => name))];
  const names = named(chosen);
  return isSame(names, named(USUAL)) ? null : names;
}

function keyOf(formId: string): string {
  return `formstead-columns-${formId}`;
}

function read(formId: string): Kept {
  const kept = readKept(keyOf(formId)) as Partial<Kept> | null;
  const order = Array.isArray(kept?.order) ? kept.order.map(String) : [];
  return { visible: { ...kept?.visible }, widths: { ...kept?.widths }, order: [...new Set<string>(order)] };
}
