/** Query keys that make a page different every time. */
const NEVER_STORED = ['visit', 'key', 'personal', 'submission_id', 'submission_hash'];

/** Path of the script's files, whose names change with their content. */
export const ASSETS = '/assets/';

/** Whether this is the address of a form without a visit in it. */
export function isStorable({ pathname, searchParams }: URL): boolean {
  return /^\/forms\/[^/]+$/.test(pathname) && !NEVER_STORED.some((key) => searchParams.has(key));
}

/** The stored response to a request, whatever encodings the request accepts. */
export function findStored(address: string): Promise<Response | undefined> {
  return caches.match(address, { ignoreVary: true });
}

/** Stored addresses of this form, except those in one cache; there may be several with different prefilled answers. */
export async function storedPages(address: URL, but: string): Promise<string[]> {
  const all = await caches.keys();
  const names = all.filter((name) => name.startsWith(cachesOf(address)) && name !== but);
  const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return requests.flat().flatMap(({ url }) => (url.includes(ASSETS) ? [] : [url]));
}

/** Deletes the stored pages of this form, except those in one cache. */
export async function forgetPages(address: URL, but = ''): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(cachesOf(address)) && name !== but) await caches.delete(name);
}

/** Prefix of the names of the form's caches; there is one cache for each build of the script. */
export function cachesOf({ pathname }: URL): string {
  return `${pathname} `;
}
