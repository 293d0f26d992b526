/** Counts work that has begun and not ended. */
export interface UnderWay {
  readonly size: number;
  /** @param work that never rejects */
  add(work: Promise<unknown>): void;
  /** Resolves when no work is left, including work added meanwhile. */
  ended(): Promise<void>;
}

export function createUnderWay(): UnderWay {
  let size = 0;
  let end: PromiseWithResolvers<void> | null = null;

  function leave(): void {
    size--;
    if (size > 0) return;
    end?.resolve();
    end = null;
  }

  return {
    get size() {
      return size;
    },
    add(work) {
      size++;
      void work.then(leave);
    },
    async ended() {
      while (size > 0) {
        end ??= Promise.withResolvers();
        await end.promise;
      }
    },
  };
}
