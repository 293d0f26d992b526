import { beginningOf } from '../beginning.ts';
import { showNotice } from '../live.ts';
import { actionOf, find, type Page, tell } from '../page.ts';
import { beginCorrection, correctHere } from './correct.ts';
import { keepFiles } from './page-files.ts';
import { renewToday } from './renew-today.ts';
import { forgetPaid, sendWaiting } from './sending.ts';
import { showKept, showWaiting, tellSent } from './shown.ts';
import { storePage } from './store-page.ts';
import { readWaiting, removeStrayFiles, removeWaiting, writeWaiting } from './waiting.ts';

/** Milliseconds between two attempts while the page is open. */
const RETRY_MS = 30_000;
const SYNC_TAG = 'send';

/** Id of what this page itself has kept; null before, and after the visitor was told that it was sent. */
let keptHere: string | null = null;
let sending: Promise<void> | null = null;

/**
 * Lets the form be filled in without a network: the device stores the page, keeps what cannot be sent, and sends it later.
 * Browsers allow that over HTTPS only.
 */
export async function startOffline(page: Page): Promise<void> {
  if (!navigator.serviceWorker) return;
  const { onlySends } = page.data.offline ?? {};
  if (!onlySends) keepHere(page);
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
  if (!onlySends) await storePage();
  await forgetPaid(page.data.uuid);
  await show(page);
}

function keepHere(page: Page): void {
  const files = keepFiles(page);
  page.keepForLater = async (entries) => keepForLater(page, await files.namesFor(entries));
  page.form.addEventListener('submit', (event) => stayForLanguage(page, event), true);
  renewToday(page);
}

/** Sends the waiting submissions of this form, and shows the rest. */
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
  if (place && keptHere !== null && !all.some(({ id, payAt }) => id === keptHere && !payAt)) {
    // It was sent by this page, another one or the worker.
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

/** @returns whether the device keeps the answers */
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
  // Asks the browser not to delete the storage when room is short.
  void navigator.storage.persist?.();
  void askToBeWoken().catch(() => {});
  return true;
}

/** Asks the browser to wake the worker when there is a connection, even if no page is open; not all browsers can. */
async function askToBeWoken(): Promise<void> {
  const { sync } = (await navigator.serviceWorker.ready) as unknown as {
    sync?: { register(tag: string): Promise<void> };
  };
  await sync?.register(SYNC_TAG);
}

/** Another language needs another page, which cannot be loaded without a network. */
function stayForLanguage(page: Page, event: SubmitEvent): void {
  if (!event.submitter?.lang || navigator.onLine) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  showNotice(page, 'offline');
}
