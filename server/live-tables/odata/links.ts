import type { Addressed } from './address.ts';
import { type Options, type Query, writePlace } from './options.ts';
import type { Page } from './read-page.ts';

/** The address that clients know the service by. */
export function serviceRoot(baseUrl: string, token: string): string {
  return `${baseUrl}/live-tables/${token}/odata/`;
}

/** What an answer holds, as its context says it (OData 4.0 part 1, 10). */
export function contextUrl(root: string, { set, key }: Addressed, select: Options['select']): string {
  const names = select?.map((index) => encodeURIComponent(set.properties[index]?.name ?? '')).join(',');
  const selected = names === undefined ? '' : `(${names})`;
  return `${root}$metadata#${encodeURIComponent(set.name)}${selected}${key ? '/$entity' : ''}`;
}

/** The address of the following page, with what was asked for; a count is told once. */
export function nextLink(root: string, { set }: Addressed, query: Query, next: Page['next']): string | null {
  if (!next) return null;
  const { $skip: _skipped, $count: _counted, ...kept } = query;
  const options = {
    ...kept,
    ...(next.top !== null && { $top: next.top }),
    $skiptoken: writePlace(next.after),
  };
  const written = Object.entries(options).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  );
  return `${root}${encodeURIComponent(set.name)}?${written.join('&')}`;
}
