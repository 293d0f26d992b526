/** How many requests may begin. */
export interface Pace {
  mayBegin(): boolean;
  /** One has begun. */
  began(): void;
}

/** While submissions queue up: whoever submits waits for the answer, a webhook can come a little later. */
const STARTS_UNDER_PRESSURE = 3;
/** So many in this time, milliseconds. */
const PACE_MS = 2;

/**
 * Lets webhooks take their part of the processor, and no more, while submissions need it. What is counted is how many begin, not how many
 * are under way: a receiver that is far away takes time, but hardly any of ours. `onRoom` hears when others may begin.
 */
export function createPace(isUnderPressure: () => boolean, onRoom: () => void): Pace {
  let left = STARTS_UNDER_PRESSURE;
  let isFillSet = false;

  function fill(): void {
    isFillSet = false;
    left = STARTS_UNDER_PRESSURE;
    onRoom();
  }

  return {
    mayBegin: () => left > 0 || !isUnderPressure(),
    began() {
      if (!isUnderPressure()) return;
      left--;
      if (isFillSet) return;
      isFillSet = true;
      setTimeout(fill, PACE_MS);
    },
  };
}
