import type { QueryKey } from '@tanstack/react-query';

/**
 * Keeps showing the former data until another page or filter has loaded, but never data of another workspace or form.
 * @param owner the workspace or form, the second member of the key
 */
export function keepWithin(owner: number | string) {
  return <Data>(former: Data | undefined, query: { queryKey: QueryKey } | undefined): Data | undefined =>
    query?.queryKey[1] === owner ? former : undefined;
}
