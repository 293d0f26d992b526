import { refresh } from '../live.ts';
import { actionOf, find, type Page, tell } from '../page.ts';
import { writeValues } from '../values.ts';
import { showStep } from '../walk.ts';
import { type Delivery, sendWaiting, uploadKept } from './sending.ts';
import { showForm, showKept, showWaiting, tellSent } from './shown.ts';
import { storePage } from './store-page.ts';
import {
  readWaiting,
  removeFiles,
  removeStrayFiles,
  removeWaiting,
  type Waiting,
  writeFile,
  writeWaiting,
} from './waiting.ts';

/** Milliseconds between two tries while the page is open. */
const RETRY_MS = 30_000;
const SYNC_TAG = 'send';

/** Names that this page's files are kept under, by what stands for them in the form. */
type PageFiles = Map<string, string>;

/**
 * Lets the form be filled in without a network: the page is stored on the device, what cannot be sent waits there and is
 * sent by itself. Browsers allow that over HTTPS only.
 */
export async function startOffline(page: Page): Promise<void> {
  if (!navigator.serviceWorker) return;
  const files: PageFiles = new Map();
  page.keepFile = (file, reference) => keepFile(files, file, reference);
  page.keepForLater = (entries) => keepForLater(page, files, entries);
  page.waits.push(() => uploadKeptFiles(page, files));
  page.listeners.push((event) => {
    if (event === 'sent') void removeFiles(files.values());
  });
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
async function keepForLater(page: Page, files: PageFiles, sent: [string, string][]): Promise<boolean> {
  const { uuid, slug, language } = page.data;
  const { pathname, searchParams } = actionOf(page);
  const keptAt = Date.now();
  searchParams.set('took', `${Math.max(0, Math.floor(keptAt / 1000) - Number(searchParams.get('at')))}`);
  const id = crypto.randomUUID();
  const entries = sent.map(([name, value]): [string, string] => [name, files.get(value) ?? value]);
  try {
    await writeWaiting({ id, uuid, slug, language, action: `${pathname}?${searchParams}`, entries, keptAt });
  } catch {
    return false;
  }
  tell(page, 'kept');
  showKept(page);
  await show(page);
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

/** Keeps a file, also one that has arrived: the service forgets it if the form has to wait for long. */
async function keepFile(files: PageFiles, file: File, reference?: string): Promise<string> {
  // Looks like a reference itself, which is what the rules of the form want.
  const ending = /\.[a-z0-9]{1,10}$/i.exec(file.name)?.[0] ?? '';
  const name = `${crypto.randomUUID()}${ending}`;
  await writeFile(name, { file, keptAt: Date.now(), ...(reference !== undefined && { reference }) });
  files.set(reference ?? name, name);
  return name;
}

/** Files that were chosen without a network travel before the form; without one now, they wait with it. */
async function uploadKeptFiles(page: Page, files: PageFiles): Promise<void> {
  for (const input of page.form.querySelectorAll<HTMLInputElement>('.uploaded input')) {
    const { name, value } = input;
    const reference = await uploadKept(page.data, name, value).catch(() => null);
    if (reference === null || reference === value) continue;
    files.set(reference, value);
    input.value = reference;
  }
}

/** Puts refused answers back into the form. They wait until others are sent in their place. */
function correct(page: Page, waiting: Waiting): void {
  showForm();
  writeValues(page, waiting.entries);
  page.listeners.push((event) => {
    if (event === 'sent' || event === 'kept') void removeWaiting(waiting).then(() => show(page));
  });
  refresh(page);
  showStep(page, 0);
  find('h1')?.scrollIntoView();
}
