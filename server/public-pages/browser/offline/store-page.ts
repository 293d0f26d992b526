import { WORKER, WORKER_SCOPE } from './addresses.ts';
import { ASSETS, cachesOf, forgetPages, isStorable, storedPages } from './stored-page.ts';

/**
 * Stores this page with everything it loads, now or later, so that the worker can answer for it without a network. After that,
 * pages stored by an earlier build of the script are deleted.
 */
export async function storePage(): Promise<void> {
  await navigator.serviceWorker.register(WORKER, { scope: WORKER_SCOPE });
  const here = new URL(location.href);
  if (!isStorable(here)) return;
  // The address of the page's script identifies the build.
  const build = document.querySelector('script[src]')?.getAttribute('src') ?? '';
  const name = cachesOf(here) + build;
  const cache = await caches.open(name);
  const store = async (address: string) => {
    if (!(await cache.match(address))) await cache.add(address);
  };
  // A resource that could not be loaded was not needed: the page works without it.
  const storeAll = (entries: PerformanceEntry[]) =>
    Promise.allSettled(entries.filter(({ name }) => isOwn(name)).map(({ name }) => store(name)));
  new PerformanceObserver((list) => void storeAll(list.getEntries())).observe({ type: 'resource' });
  // Loaded now because they are needed at the end, when there may be no network.
  await Promise.all([import('../begun.ts'), import('../send.ts')]);
  await storeAll(performance.getEntriesByType('resource'));
  for (const address of new Set([here.href, ...(await storedPages(here, name))])) {
    // This view was counted already.
    const answer = await fetch(address, { headers: { accept: 'text/html', purpose: 'prefetch' } });
    const text = await answer.clone().text();
    // A page of a newer build stores itself when it is shown.
    if (!answer.ok || !text.includes(`src="${build}"`)) return;
    await cache.put(address, answer);
  }
  await forgetPages(here, name);
}

function isOwn(address: string): boolean {
  const { origin, pathname } = new URL(address);
  return origin === location.origin && pathname.startsWith(ASSETS);
}
