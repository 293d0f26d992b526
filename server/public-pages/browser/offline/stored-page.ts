/** Keys of the address of a page that is another one every time. */
const NEVER_STORED = ['visit', 'key', 'personal', 'submission_id', 'submission_hash'];

/** Where the files of the script are, whose names change with what they say. */
export const ASSETS = '/assets/';

/** Whether this is the address of a form as it is found at first. */
export function isStorable({ pathname, searchParams }: URL): boolean {
  return /^\/forms\/[^/]+$/.test(pathname) && !NEVER_STORED.some((key) => searchParams.has(key));
}

/** The stored answer to a request, whatever it says of the encodings it takes. */
export function findStored(address: string): Promise<Response | undefined> {
  return caches.match(address, { ignoreVary: true });
}

/** Addresses that are stored of the form with this one, but for one cache: it may be linked with various prefilled answers. */
export async function storedPages(address: URL, but: string): Promise<string[]> {
  const all = await caches.keys();
  const names = all.filter((name) => name.startsWith(cachesOf(address)) && name !== but);
  const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return requests.flat().flatMap(({ url }) => (url.includes(ASSETS) ? [] : [url]));
}

/** Forgets what is stored of the form with this address, but for one cache. */
export async function forgetPages(address: URL, but = ''): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(cachesOf(address)) && name !== but) await caches.delete(name);
}

/** What the names of its caches begin with: there is one for each build of the script. */
export function cachesOf({ pathname }: URL): string {
  return `${pathname} `;
}
