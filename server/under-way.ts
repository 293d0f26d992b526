/** Work that has begun and not ended. */
export interface UnderWay {
  readonly size: number;
  /** @param work that never rejects */
  add(work: Promise<unknown>): void;
  /** Resolves when there is none, also none that came meanwhile. */
  ended(): Promise<void>;
}

export function createUnderWay(): UnderWay {
  const works = new Set<Promise<unknown>>();
  return {
    get size() {
      return works.size;
    },
    add(work) {
      works.add(work);
      void work.finally(() => works.delete(work));
    },
    async ended() {
      while (works.size > 0) await Promise.all(works);
    },
  };
}
