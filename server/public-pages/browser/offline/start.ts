import { beginningOf } from '../beginning.ts';
import { showNotice } from '../live.ts';
import { actionOf, find, type Page, tell } from '../page.ts';
import { beginCorrection, correctHere } from './correct.ts';
import { keepFiles } from './page-files.ts';
import { sendWaiting } from './sending.ts';
import { showKept, showWaiting, tellSent } from './shown.ts';
import { storePage } from './store-page.ts';
import { readWaiting, removeStrayFiles, removeWaiting, writeWaiting } from './waiting.ts';

/** Milliseconds between two tries while the page is open. */
const RETRY_MS = 30_000;
const SYNC_TAG = 'send';

/** What this page itself has kept; null before, and once it is told what became of it. */
let keptHere: string | null = null;
let sending: Promise<void> | null = null;

/**
 * Lets the form be filled in without a network: the page is stored on the device, what cannot be sent waits there and is
 * sent by itself. Browsers allow that over HTTPS only.
 */
export async function startOffline(page: Page): Promise<void> {
  if (!navigator.serviceWorker) return;
  const files = keepFiles(page);
  page.keepForLater = async (entries) => keepForLater(page, await files.namesFor(entries));
  page.form.addEventListener('submit', (event) => stayForLanguage(page, event), true);
  await correctHere(page);
  await show(page);
  const deliver = () => void sendAll(page).catch(() => {});
  addEventListener('online', deliver);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') deliver();
  });
  setInterval(deliver, RETRY_MS);
  deliver();
  await removeStrayFiles();
  await storePage();
}

/** Sends what waits of this form, and shows what is left. */
function sendAll(page: Page): Promise<void> {
  sending ??= sendWaiting(page.data.uuid)
    .then(({ sent }) => {
      const others = sent.filter(({ id }) => id !== keptHere);
      if (others.length > 0) tellSent(page, others.length);
    })
    .then(() => show(page))
    .finally(() => {
      sending = null;
    });
  return sending;
}

async function show(page: Page): Promise<void> {
  const all = await readWaiting(page.data.uuid);
  const place = find('.kept');
  if (place && keptHere !== null && !all.some(({ id }) => id === keptHere)) {
    // Whoever has sent it: this page, another one or the worker.
    tellSent(page, 1, place);
    keptHere = null;
  }
  showWaiting(page, all, {
    send: () => sendAll(page),
    correct: (waiting) => beginCorrection(page, waiting),
    discard: async (waiting) => {
      await removeWaiting(waiting);
      if (waiting.id === keptHere) location.assign(beginningOf(page));
      else await show(page);
    },
  });
}

/** @returns whether the device keeps them */
async function keepForLater(page: Page, entries: [string, string][] | null): Promise<boolean> {
  if (entries === null) return false;
  const { uuid, language } = page.data;
  const { searchParams: query } = actionOf(page);
  const keptAt = Date.now();
  query.set('took', `${Math.max(0, Math.floor(keptAt / 1000) - Number(query.get('at')))}`);
  const id = crypto.randomUUID();
  const address = beginningOf(page);
  try {
    await writeWaiting({ id, uuid, language, address, query: `${query}`, entries, keptAt });
  } catch {
    return false;
  }
  keptHere = id;
  await tell(page, 'kept');
  showKept(page);
  await show(page);
  // Browsers that are short of room ask themselves what they may forget.
  void navigator.storage.persist?.();
  void askToBeWoken().catch(() => {});
  return true;
}

/** Has the browser wake the worker when there is a connection, also when no page is open; not all browsers can. */
async function askToBeWoken(): Promise<void> {
  const { sync } = (await navigator.serviceWorker.ready) as unknown as {
    sync?: { register(tag: string): Promise<void> };
  };
  await sync?.register(SYNC_TAG);
}

/** Another language is another page, which nobody gives without a network. */
function stayForLanguage(page: Page, event: SubmitEvent): void {
  if (!event.submitter?.lang || navigator.onLine) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  showNotice(page, 'offline');
}
