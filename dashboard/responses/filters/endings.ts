import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../api/client.ts';

/** An ending that responses reached, or may reach; without a name once the form has it no more. */
export type ReachedEnding = Answer<'/open/forms/{form}/endings'>['data'][number];

const REMOVED = '(removed ending)';

/** The endings of a form, and those it had that responses still name. */
export const endingsQuery = (form: string) =>
  queryOptions({
    queryKey: ['forms', form, 'endings'],
    queryFn: async ({ signal }) =>
      (await api.get('/open/forms/{form}/endings', { path: { form }, signal })).data,
  });

/** What an ending is called where it is shown. */
export function endingName({ name }: Pick<ReachedEnding, 'name'>): string {
  return name ?? REMOVED;
}

/** The same, apart from all others of the form: of several that were removed, each says its id. */
export function distinctName(ending: ReachedEnding, all: readonly ReachedEnding[]): string {
  const isOnly = all.filter((other) => endingName(other) === endingName(ending)).length < 2;
  return isOnly ? endingName(ending) : `${endingName(ending)} ${ending.id}`;
}
