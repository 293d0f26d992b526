import { refresh } from '../live.ts';
import { actionOf, find, type Page, tell } from '../page.ts';
import { writeValues } from '../values.ts';
import { showStep } from '../walk.ts';
import { type Delivery, sendWaiting, uploadKept } from './sending.ts';
import { showKept, showWaiting, tellSent } from './shown.ts';
import { storePage } from './store-page.ts';
import {
  keepFile,
  readWaiting,
  removeFile,
  removeStrayFiles,
  removeWaiting,
  type Waiting,
  writeWaiting,
} from './waiting.ts';

/** Milliseconds between two tries while the page is open. */
const RETRY_MS = 30_000;
const SYNC_TAG = 'send';

/**
 * Lets the form be filled in without a network: the page is stored on the device, what cannot be sent waits there and is
 * sent by itself. Browsers allow that over HTTPS only.
 */
export async function startOffline(page: Page): Promise<void> {
  if (!navigator.serviceWorker) return;
  page.keepFile = keepFile;
  page.keepForLater = (entries) => keepForLater(page, entries);
  page.waits.push(() => uploadKeptFiles(page));
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

const NOTHING: Delivery = { sent: [], isUnfinished: false };

/** Sends what waits of this form, and shows what is left. */
async function sendAll(page: Page): Promise<Delivery> {
  const { uuid } = page.data;
  const mayBeSent = (await readWaiting(uuid)).some(({ refusal }) => refusal === undefined);
  const delivery = mayBeSent && navigator.onLine ? await sendWaiting(uuid) : NOTHING;
  if (delivery.sent.length > 0) tellSent(page, delivery.sent.length);
  await show(page);
  return delivery;
}

function show(page: Page): Promise<void> {
  return readWaiting(page.data.uuid).then((all) =>
    showWaiting(page, all, {
      send: () => sendAll(page),
      correct: (waiting) => correct(page, waiting),
      discard: async (waiting) => {
        await removeWaiting(waiting);
        await show(page);
      },
    }),
  );
}

/** @returns whether the device keeps them */
async function keepForLater(page: Page, entries: [string, string][]): Promise<boolean> {
  const { uuid, slug, language } = page.data;
  const { pathname, searchParams } = actionOf(page);
  const keptAt = Date.now();
  searchParams.set('took', `${Math.max(0, Math.floor(keptAt / 1000) - Number(searchParams.get('at')))}`);
  const id = searchParams.get('visit') ?? '';
  try {
    await writeWaiting({ id, uuid, slug, language, action: `${pathname}?${searchParams}`, entries, keptAt });
  } catch {
    return false;
  }
  tell(page, 'kept');
  showKept(page);
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

/** Files that were chosen without a network travel first; without one now, they wait with the answers. */
async function uploadKeptFiles(page: Page): Promise<void> {
  for (const input of page.form.querySelectorAll<HTMLInputElement>('.uploaded input')) {
    const { name, value } = input;
    const reference = await uploadKept(page.data, name, value).catch(() => null);
    if (reference === null || reference === value) continue;
    input.value = reference;
    await removeFile(value);
  }
}

/** Puts refused answers back into the form. They wait until others are sent in their place. */
function correct(page: Page, waiting: Waiting): void {
  writeValues(page, waiting.entries);
  page.listeners.push((event) => {
    if (event === 'sent' || event === 'kept') void removeWaiting(waiting).then(() => show(page));
  });
  refresh(page);
  showStep(page, 0);
  find('h1')?.scrollIntoView();
}
