import { WORKER, WORKER_SCOPE } from './addresses.ts';
import { ASSETS, cachesOf, forgetPages, isStorable, storedPages } from './stored-page.ts';

/**
 * Stores this page with all it loads, also what it loads later, and has the worker answer for it without a network. What
 * an earlier build of the script stored goes when this one is there.
 */
export async function storePage(): Promise<void> {
  await navigator.serviceWorker.register(WORKER, { scope: WORKER_SCOPE });
  const here = new URL(location.href);
  if (!isStorable(here)) return;
  // The address of the page's script names the build.
  const build = document.querySelector('script[src]')?.getAttribute('src') ?? '';
  const name = cachesOf(here) + build;
  const cache = await caches.open(name);
  const store = async (address: string) => {
    if (!(await cache.match(address))) await cache.add(address);
  };
  // Whatever could not be loaded is not missing in a page that works without.
  const storeAll = (entries: PerformanceEntry[]) =>
    Promise.allSettled(entries.filter(({ name }) => isOwn(name)).map(({ name }) => store(name)));
  new PerformanceObserver((list) => void storeAll(list.getEntries())).observe({ type: 'resource' });
  // Needed in the end, when there may be no network any more.
  await Promise.all([import('../begun.ts'), import('../send.ts')]);
  await storeAll(performance.getEntriesByType('resource'));
  for (const address of new Set([here.href, ...(await storedPages(here, name))])) {
    // It was counted when it was shown.
    const answer = await fetch(address, { headers: { accept: 'text/html', purpose: 'prefetch' } });
    const text = await answer.clone().text();
    // A newer one is stored by itself when it is shown.
    if (!answer.ok || !text.includes(`src="${build}"`)) return;
    await cache.put(address, answer);
  }
  await forgetPages(here, name);
}

function isOwn(address: string): boolean {
  const { origin, pathname } = new URL(address);
  return origin === location.origin && pathname.startsWith(ASSETS);
}
