import type { BegunUpload } from '../send-in-parts.ts';

/** A form that was filled in and waits on this device to be sent. */
export interface Waiting {
  /** Random. */
  id: string;
  /** Of the form. */
  uuid: string;
  /** Of the page. */
  language: string;
  /** Of the form as it was opened, path and query: what they fill in is part of the answers. */
  address: string;
  /** Query it is sent with: it names the visit, so that sent again it is the same submission. */
  query: string;
  /** Names of inputs and what they held; of a file, the name it is kept under. */
  entries: [string, string][];
  /** Milliseconds since 1970. */
  keptAt: number;
  /** Why the service did not take it. */
  refusal?: string;
}

/** A file that is kept until the form it was chosen for is sent. */
export interface KeptFile {
  file: File;
  /** Milliseconds since 1970. */
  keptAt: number;
  /** Begun, of a large file: what has arrived of it is not sent again. */
  upload?: BegunUpload;
  /** Of its upload, if there was one. The service forgets uploads that no submission claims within a day. */
  reference?: string;
}

type Store = 'answers' | 'files';

const DATABASE = 'formstead-offline';
const VERSION = 1;
/** Milliseconds that a form may be open with a file that was chosen for it: a day. */
const STRAY_MS = 86_400_000;

/** What waits of one form, or of all; the earliest first. */
export async function readWaiting(uuid: string | null): Promise<Waiting[]> {
  const all = await request<Waiting[]>('answers', 'readonly', (store) => store.getAll());
  return all
    .filter((waiting) => uuid === null || waiting.uuid === uuid)
    .sort((one, other) => one.keptAt - other.keptAt);
}

/** @throws DOMException where the device keeps nothing, or has no room */
export async function writeWaiting(waiting: Waiting): Promise<void> {
  await request('answers', 'readwrite', (store) => store.put(waiting, waiting.id));
}

/** Forgets it, and the files that no other one holds: all of it, or nothing where the page goes before. */
export async function removeWaiting({ id, entries }: Waiting): Promise<void> {
  await forget(
    entries.map(([, value]) => value),
    id,
  );
}

/** @throws DOMException as `writeWaiting` */
export async function writeFile(name: string, file: KeptFile): Promise<void> {
  await request('files', 'readwrite', (store) => store.put(file, name));
}

/** The file kept under this name; undefined for any other text. */
export function readFile(name: string): Promise<KeptFile | undefined> {
  return request('files', 'readonly', (store) => store.get(name));
}

/** Forgets those that no form holds. */
export async function removeFiles(names: Iterable<string>): Promise<void> {
  await forget(names);
}

/** Forgets files of forms that were left before they were sent. */
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
      // Not before it is kept for good.
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
