import { queryOptions } from '@tanstack/react-query';
import type { Property } from '../../fields/property.ts';
import { type Answer, api } from '../api/client.ts';

export type Version = Answer<'/open/forms/{form}/versions'>[number];
type WholeVersion = Answer<'/open/forms/{form}/versions/{version}'>;

export const versionsQuery = (form: string) =>
  queryOptions({
    queryKey: ['forms', form, 'versions'],
    queryFn: ({ signal }) => api.get('/open/forms/{form}/versions', { path: { form }, signal }),
  });

/** A version never changes. */
export const versionQuery = (form: string, version: number) =>
  queryOptions({
    queryKey: ['forms', form, 'version', version],
    queryFn: ({ signal }) =>
      api.get('/open/forms/{form}/versions/{version}', { path: { form, version: String(version) }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** A version's definition, as a preview takes it. */
export function definitionOf({ definition }: WholeVersion): { properties: Property[] } {
  return definition as { properties: Property[] };
}
