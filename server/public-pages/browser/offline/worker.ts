import { pause } from '../pause.ts';
import { WORKS_OFFLINE } from './addresses.ts';
import { sendWaiting } from './sending.ts';
import { ASSETS, findStored, forgetPages, isStorable } from './stored-page.ts';

/*
 * The worker of forms that can be filled in without a network. A page is asked for as ever; only where nobody answers, or
 * somebody who cannot, the one that is stored on the device is shown. Pages store themselves; see stored-page.ts.
 */

/** What this file uses of its scope, which the types of pages know nothing of. */
interface Scope {
  addEventListener(type: 'install' | 'activate' | 'sync', listen: (event: LongEvent) => void): void;
  addEventListener(type: 'fetch', listen: (event: FetchEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
}
interface LongEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends LongEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** Milliseconds after which a stored page is shown: a network without an answer is none. */
const PATIENCE_MS = 5_000;
/** The visit a page was made for, in the address it is sent to; see `visitPath`. */
const VISIT = /visit=[\w-]{22}&amp;at=\d+/g;
const VISIT_ID_BYTES = 16;

const scope = self as unknown as Scope;

scope.addEventListener('install', () => scope.skipWaiting());
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== 'GET' || address.origin !== location.origin) return;
  if (address.pathname.startsWith(ASSETS)) event.respondWith(answerPart(request));
  if (request.mode !== 'navigate') return;
  // Also of forms that keep nothing any more, and where no browser wakes the worker.
  event.waitUntil(sendWaiting(null).catch(() => {}));
  if (isStorable(address)) event.respondWith(answerPage(request, address));
});
scope.addEventListener('sync', (event) =>
  event.waitUntil(
    sendWaiting(null).then(({ isUnfinished }) => {
      // The browser tries again later.
      if (isUnfinished) throw new Error('Not all could be sent.');
    }),
  ),
);

/** Files of the script change their names with what they say. */
async function answerPart(request: Request): Promise<Response> {
  return (await findStored(request.url)) ?? fetch(request);
}

async function answerPage(request: Request, address: URL): Promise<Response> {
  const stored = await findStored(address.href);
  const asked = fetch(request);
  if (!stored) return asked;
  const answer = await Promise.race([asked.catch(() => null), pause(PATIENCE_MS)]);
  if (!answer || answer.status >= 500) return newVisit(stored);
  // Said by us, and by nobody who stands before us.
  if (answer.headers.get(WORKS_OFFLINE) === '?0') await forgetPages(address);
  return answer;
}

/** A stored page as the service would make it now: two that are filled in are two visits. */
async function newVisit(stored: Response): Promise<Response> {
  const bytes = crypto.getRandomValues(new Uint8Array(VISIT_ID_BYTES));
  const id = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  const visit = `visit=${id}&amp;at=${Math.floor(Date.now() / 1000)}`;
  const headers = new Headers(stored.headers);
  headers.delete('content-encoding');
  return new Response((await stored.text()).replace(VISIT, visit), { headers });
}
