import { make, type Page, say } from '../page.ts';
import { addStyle, announceChange, followDisabled, labelOf } from './style.ts';

/** Meters; an accuracy at least this good ends the search. */
const ACCURATE_ENOUGH = 10;
/** Milliseconds for improving on the first location found, and for finding one at all. */
const BETTER_MS = 20_000;
const SEARCH_MS = 60_000;

/** The status stands beside the button and takes no room while it is empty. */
const STYLE = `[data-locate]~[role=status]{display:inline-block;margin-block:0}
[data-locate]~[role=status]:empty{position:absolute}
[role=status]+.hint{margin-block-start:0}`;

/** Adds a button that asks the device for its location, where that is allowed; elsewhere the location is typed. */
export function enhanceLocation(element: HTMLElement, page: Page): void {
  // Browsers give the location only to pages over HTTPS or from the same machine.
  if (!isSecureContext || !navigator.geolocation) return;
  const input = element as HTMLInputElement;
  const words = say(page, 'findLocation');
  // Names the field, because a page may have several such buttons.
  const about = { 'aria-label': `${words}: ${labelOf(input)}` };
  const button = make('button', { type: 'button', class: 'quiet', ...about }, words);
  const status = make('p', { class: 'hint', role: 'status' });
  let search: number | null = null;
  let timer: ReturnType<typeof setTimeout>;
  let best = Number.POSITIVE_INFINITY;
  let written = '';
  /** True while searching, until nothing was found in time: then the visitor may press the button again. */
  let isBusy = false;

  /** The visitor has typed something else, or the field is disabled. */
  const isUnwanted = () => input.value !== written || input.disabled;
  const beBusy = (busy: boolean) => {
    isBusy = busy;
    if (busy) button.setAttribute('aria-disabled', 'true');
    else button.removeAttribute('aria-disabled');
  };
  const stop = () => {
    if (search === null) return;
    navigator.geolocation.clearWatch(search);
    clearTimeout(timer);
    search = null;
    beBusy(false);
    if (best === Number.POSITIVE_INFINITY) status.textContent = say(page, 'noLocation');
  };
  const giveWay = () => {
    stop();
    status.textContent = '';
  };
  const take = ({ coords }: GeolocationPosition) => {
    if (isUnwanted()) return giveWay();
    if (search === null) return;
    const accuracy = Math.ceil(coords.accuracy);
    if (accuracy >= best) return;
    beBusy(true);
    if (best === Number.POSITIVE_INFINITY) endIn(BETTER_MS);
    best = accuracy;
    written = `${sixDigits(coords.latitude)}, ${sixDigits(coords.longitude)} ±${accuracy} m`;
    input.value = written;
    status.textContent = say(page, 'locationFound', { count: accuracy });
    announceChange(input);
    if (accuracy <= ACCURATE_ENOUGH) stop();
  };
  const fail = ({ code, PERMISSION_DENIED }: GeolocationPositionError) => {
    if (code === PERMISSION_DENIED) stop();
    // A location, or a better one, may still come.
    if (search === null || best !== Number.POSITIVE_INFINITY) return;
    status.textContent = say(page, 'noLocation');
    beBusy(false);
  };
  const endIn = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(stop, ms);
  };
  button.addEventListener('click', () => {
    if (isBusy) return;
    stop();
    best = Number.POSITIVE_INFINITY;
    written = input.value;
    beBusy(true);
    status.textContent = say(page, 'findingLocation');
    search = navigator.geolocation.watchPosition(take, fail, { enableHighAccuracy: true, maximumAge: 0 });
    endIn(SEARCH_MS);
  });
  input.addEventListener('input', () => isUnwanted() && giveWay());
  addEventListener('pagehide', stop);
  page.listeners.push((event) => event !== 'change' && stop());
  followDisabled(input, button);
  addStyle(STYLE);
  input.after(button, status);
}

/** Six decimals are a tenth of a meter. */
function sixDigits(degrees: number): number {
  return Number(degrees.toFixed(6));
}
