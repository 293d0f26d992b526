/** Limits how many requests may begin. */
interface Pace {
  mayBegin(): boolean;
  /** To be called when a request begins. */
  began(): void;
}

/** Requests that may begin per `PACE_MS` while submissions queue up: people wait for those, a webhook can come a little later. */
const STARTS_UNDER_PRESSURE = 3;
/** Milliseconds. */
const PACE_MS = 2;

/**
 * Limits the processor time that webhooks take while submissions need it. It counts requests that begin, not those under way: a
 * receiver that is far away takes long, but hardly any processor time. `onRoom` is called when more may begin.
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
