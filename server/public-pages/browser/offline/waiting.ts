/** A form that was filled in and waits on this device to be sent. */
export interface Waiting {
  /** Names the visit: sent again it is the same submission. */
  id: string;
  /** Of the form. */
  uuid: string;
  slug: string;
  language: string;
  /** Path and query it is sent to. */
  action: string;
  /** Names of inputs and what they held; of a file that waits too, the name it is kept under. */
  entries: [string, string][];
  /** Milliseconds since 1970. */
  keptAt: number;
  /** Why the service did not take it. */
  refusal?: string;
}

interface KeptFile {
  file: File;
  /** Milliseconds since 1970. */
  keptAt: number;
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

/** Forgets it, and the files it holds. */
export async function removeWaiting({ id, entries }: Waiting): Promise<void> {
  await request('answers', 'readwrite', (store) => store.delete(id));
  for (const [, value] of entries) await removeFile(value);
}

/** Keeps a file until it can be uploaded. @returns the name it is kept under, which looks like a reference to an upload */
export async function keepFile(file: File): Promise<string> {
  const ending = /\.[a-z0-9]{1,10}$/i.exec(file.name)?.[0] ?? '';
  const name = `${crypto.randomUUID()}${ending}`;
  const kept: KeptFile = { file, keptAt: Date.now() };
  await request('files', 'readwrite', (store) => store.put(kept, name));
  return name;
}

/** The file kept under this name; undefined for any other text. */
export async function readFile(name: string): Promise<File | undefined> {
  return (await request<KeptFile | undefined>('files', 'readonly', (store) => store.get(name)))?.file;
}

/** Forgets files of forms that were left before they were sent. */
export async function removeStrayFiles(): Promise<void> {
  const held = new Set((await readWaiting(null)).flatMap(({ entries }) => entries.map(([, value]) => value)));
  for (const name of await request('files', 'readonly', (store) => store.getAllKeys())) {
    const kept = await request<KeptFile | undefined>('files', 'readonly', (store) => store.get(name));
    const isOld = kept && kept.keptAt < Date.now() - STRAY_MS;
    if (isOld && !held.has(String(name))) await removeFile(String(name));
  }
}

export async function removeFile(name: string): Promise<void> {
  await request('files', 'readwrite', (store) => store.delete(name));
}

async function request<Result>(
  name: Store,
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(name, mode);
      const asked = ask(transaction.objectStore(name));
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
