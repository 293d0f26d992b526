import { useState } from 'react';
import type { Submission } from '../queries.ts';

export interface Selection {
  ids: ReadonlySet<number>;
  has(id: number): boolean;
  set(rows: readonly Pick<Submission, 'id'>[], isChosen: boolean): void;
  /** Ends the selection of those that are gone or no longer match; what was selected meanwhile stays. */
  drop(ids: readonly number[]): void;
  clear(): void;
}

/** The selected responses. */
export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  return {
    ids,
    has: (id) => ids.has(id),
    set: (rows, isChosen) =>
      setIds((former) => {
        const next = new Set(former);
        for (const { id } of rows) isChosen ? next.add(id) : next.delete(id);
        return next;
      }),
    drop(ids) {
      const gone = new Set(ids);
      setIds((former) => new Set([...former].filter((id) => !gone.has(id))));
    },
    clear: () => setIds(new Set()),
  };
}
