import { make, type Page, say } from '../page.ts';
import { addStyle, announceChange, followDisabled } from './style.ts';

/** Meters; nothing better is waited for. */
const ACCURATE_ENOUGH = 10;
/** Milliseconds in which a device may find better and better where it is. */
const SEARCH_MS = 20_000;

/** Beside the button; it takes no room before it says something. */
const STYLE = `[data-locate]~[role=status]{display:inline-block;margin-block:0}
[data-locate]~[role=status]:empty{position:absolute}
[role=status]+.hint{margin-block-start:0}`;

/** A button that asks the device where it is, where it may tell; elsewhere one types it. */
export function enhanceLocation(element: HTMLElement, page: Page): void {
  // Browsers tell it to pages of https and of the same machine alone.
  if (!isSecureContext || !navigator.geolocation) return;
  const input = element as HTMLInputElement;
  const button = make('button', { type: 'button', class: 'quiet' }, say(page, 'findLocation'));
  const status = make('p', { class: 'hint', role: 'status' });
  let search: { watch: number; timer: ReturnType<typeof setTimeout> } | null = null;
  let best = Number.POSITIVE_INFINITY;
  let written = '';

  /** By somebody who knows better. */
  const isTyped = () => input.value !== written;
  const stop = () => {
    if (search === null) return;
    navigator.geolocation.clearWatch(search.watch);
    clearTimeout(search.timer);
    search = null;
    button.removeAttribute('aria-disabled');
    if (isTyped()) status.textContent = '';
    else if (best === Number.POSITIVE_INFINITY) status.textContent = say(page, 'noLocation');
  };
  const take = ({ coords }: GeolocationPosition) => {
    if (isTyped() || input.disabled) return stop();
    const accuracy = Math.ceil(coords.accuracy);
    if (accuracy >= best) return;
    best = accuracy;
    written = `${sixDigits(coords.latitude)}, ${sixDigits(coords.longitude)} ±${accuracy} m`;
    input.value = written;
    status.textContent = say(page, 'locationFound', { count: accuracy });
    announceChange(input);
    if (accuracy <= ACCURATE_ENOUGH) stop();
  };
  const fail = () => {
    // Once it was found, something better may still come.
    if (best === Number.POSITIVE_INFINITY) stop();
  };
  button.addEventListener('click', () => {
    if (search !== null) return;
    best = Number.POSITIVE_INFINITY;
    written = input.value;
    button.setAttribute('aria-disabled', 'true');
    status.textContent = say(page, 'findingLocation');
    search = {
      watch: navigator.geolocation.watchPosition(take, fail, { enableHighAccuracy: true, maximumAge: 0 }),
      timer: setTimeout(stop, SEARCH_MS),
    };
  });
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
