import type { BegunUpload } from '../send-in-parts.ts';

/** A filled-in form that waits on this device to be sent. */
export interface Waiting {
  /** Random. */
  id: string;
  /** UUID of the form. */
  uuid: string;
  /** Language of the page. */
  language: string;
  /** Path and query the form was opened with; the values they fill in are part of the answers. */
  address: string;
  /** Query to send it with: it names the visit, so sending twice still makes one submission. */
  query: string;
  /** Names and values of inputs; for a file, the name it is kept under. */
  entries: [string, string][];
  /** Milliseconds since 1970. */
  keptAt: number;
  /** Why the service refused it. */
  refusal?: string;
  /** Where it is to be paid: the service has the answers, which count only then. */
  payAt?: string;
}

/** A file that is kept until its form is sent. */
export interface KeptFile {
  file: File;
  /** Milliseconds since 1970. */
  keptAt: number;
  /** A begun upload of a large file: the part that has arrived is not sent again. */
  upload?: BegunUpload;
  /** Reference from the upload, if that succeeded. The service deletes uploads that no submission claims within a day. */
  reference?: string;
}

type Store = 'answers' | 'files';

const DATABASE = 'formstead-offline';
const VERSION = 1;
/** A file of a form left unsent is deleted after a day, in milliseconds. */
const STRAY_MS = 86_400_000;

/** The waiting submissions of one form, or of all forms, earliest first. */
export async function readWaiting(uuid: string | null): Promise<Waiting[]> {
  const all = await request<Waiting[]>('answers', 'readonly', (store) => store.getAll());
  return all
    .filter((waiting) => uuid === null || waiting.uuid === uuid)
    .sort((one, other) => one.keptAt - other.keptAt);
}

/** @throws DOMException if the device stores nothing, or has no room */
export async function writeWaiting(waiting: Waiting): Promise<void> {
  await request('answers', 'readwrite', (store) => store.put(waiting, waiting.id));
}

/** Deletes it with the files that no other one holds, in one transaction: a page that closes midway has deleted nothing. */
export async function removeWaiting({ id, entries }: Waiting): Promise<void> {
  await forget(
    entries.map(([, value]) => value),
    id,
  );
}

/** @throws DOMException as `writeWaiting` does */
export async function writeFile(name: string, file: KeptFile): Promise<void> {
  await request('files', 'readwrite', (store) => store.put(file, name));
}

/** The file kept under this name; undefined if there is none. */
export function readFile(name: string): Promise<KeptFile | undefined> {
  return request('files', 'readonly', (store) => store.get(name));
}

/** Deletes the files that no waiting form holds. */
export async function removeFiles(names: Iterable<string>): Promise<void> {
  await forget(names);
}

/** Deletes files of forms that were left unsent. */
export async function removeStrayFiles(): Promise<void> {
  for (const key of await request('files', 'readonly', (store) => store.getAllKeys())) {
    const name = String(key);
    const { keptAt = 0 } = (await readFile(name)) ?? {};
    if (keptAt < Date.now() - STRAY_MS) await removeFiles([name]);
  }
}

async function forget(names: Iterable<string>, id?: string): Promise<void> {
  await transact(['answers', 'files'], 'readwrite', (transaction) => {
    const answers = transaction.objectStore('answers');
    if (id !== undefined) answers.delete(id);
    const others: IDBRequest<Waiting[]> = answers.getAll();
    others.onsuccess = () => {
      const held = new Set(others.result.flatMap(({ entries }) => entries.map(([, value]) => value)));
      for (const name of names) if (!held.has(name)) transaction.objectStore('files').delete(name);
    };
    return others;
  });
}

function request<Result>(
  name: Store,
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  return transact([name], mode, (transaction) => ask(transaction.objectStore(name)));
}

async function transact<Result>(
  stores: Store[],
  mode: IDBTransactionMode,
  ask: (transaction: IDBTransaction) => IDBRequest<Result>,
): Promise<Result> {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(stores, mode, { durability: 'strict' });
      const asked = ask(transaction);
      // Resolves only when it is stored for good.
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, VERSION);
    opening.onupgradeneeded = () => {
      for (const store of ['answers', 'files'] satisfies Store[]) opening.result.createObjectStore(store);
    };
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
}
