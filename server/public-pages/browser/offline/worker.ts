import { pause } from '../pause.ts';
import { WORKS_OFFLINE } from './addresses.ts';
import { sendWaiting } from './sending.ts';
import { ASSETS, findStored, forgetPages, isStorable } from './stored-page.ts';

/*
 * The worker of forms that can be filled in without a network. Pages are requested as usual; the stored page is shown only if no
 * response comes, or a failure. Pages store themselves; see stored-page.ts.
 */

/** The parts of its scope that this file uses; the types for pages do not contain them. */
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

/** After so many milliseconds without a response the stored page is shown. */
const PATIENCE_MS = 5_000;
/** The visit in the address that a page's form is sent to; see `visitPath`. */
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
  // On every page, even of forms that keep nothing any more, because some browsers never wake the worker.
  event.waitUntil(sendWaiting(null).catch(() => {}));
  if (isStorable(address)) event.respondWith(answerPage(request, address));
});
scope.addEventListener('sync', (event) =>
  event.waitUntil(
    sendWaiting(null).then(({ isUnfinished }) => {
      // An error makes the browser try again later.
      if (isUnfinished) throw new Error('Not all could be sent.');
    }),
  ),
);

/** From the store, because files of the script get a new name when their content changes. */
async function answerPart(request: Request): Promise<Response> {
  return (await findStored(request.url)) ?? fetch(request);
}

async function answerPage(request: Request, address: URL): Promise<Response> {
  const stored = await findStored(address.href);
  const asked = fetch(request);
  if (!stored) return asked;
  const answer = await Promise.race([asked.catch(() => null), pause(PATIENCE_MS)]);
  if (!answer || answer.status >= 500) return withNewVisit(stored);
  // Only the service itself sets this header, not a proxy before it.
  if (answer.headers.get(WORKS_OFFLINE) === '?0') await forgetPages(address);
  return answer;
}

/** A stored page with a new visit, as the service would make it: filled in twice, it makes two submissions. */
async function withNewVisit(stored: Response): Promise<Response> {
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
