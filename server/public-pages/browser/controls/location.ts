import { make, type Page, say } from '../page.ts';
import { addStyle, announceChange, followDisabled, labelOf } from './style.ts';

/** Meters; nothing better is waited for. */
const ACCURATE_ENOUGH = 10;
/** Milliseconds in which a device may find better and better where it is, and until it has to find it at all. */
const BETTER_MS = 20_000;
const SEARCH_MS = 60_000;

/** Beside the button; it takes no room before it says something. */
const STYLE = `[data-locate]~[role=status]{display:inline-block;margin-block:0}
[data-locate]~[role=status]:empty{position:absolute}
[role=status]+.hint{margin-block-start:0}`;

/** A button that asks the device where it is, where it may tell; elsewhere one types it. */
export function enhanceLocation(element: HTMLElement, page: Page): void {
  // Browsers tell it to pages of https and of the same machine alone.
  if (!isSecureContext || !navigator.geolocation) return;
  const input = element as HTMLInputElement;
  const words = say(page, 'findLocation');
  // Several of a page are told apart.
  const about = { 'aria-label': `${words}: ${labelOf(input)}` };
  const button = make('button', { type: 'button', class: 'quiet', ...about }, words);
  const status = make('p', { class: 'hint', role: 'status' });
  let search: number | null = null;
  let timer: ReturnType<typeof setTimeout>;
  let best = Number.POSITIVE_INFINITY;
  let written = '';
  /** While it searches, until there was nothing to be found: then one may ask once more. */
  let isBusy = false;

  /** By somebody who knows better; or it is not asked any more. */
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
    // It may come yet, and something better.
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

/** A tenth of a meter. */
function sixDigits(degrees: number): number {
  return Number(degrees.toFixed(6));
}
