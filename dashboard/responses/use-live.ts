import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { address } from '../api/client.ts';
import { fetchPage, PER_PAGE, responsesKey } from './queries.ts';
import { putReviews, type ReviewMark } from './reviews.ts';
import type { ResponsesSearch } from './search.ts';

/** How often to ask where the stream of events does not come through. */
const ASK_MS = 10_000;
/** Many arrivals at once are looked at once. */
const GATHER_MS = 1_000;

/** What an event of the stream tells. */
interface Happened {
  created: unknown[];
  changed: unknown[];
  reviewed?: ReviewMark[];
}

/**
 * Shows what others decide about responses, and tells how many responses that fit came after the newest one shown; `PER_PAGE` means that many or more.
 * @param newest its id; null while nothing is loaded
 */
export function useNewResponses(form: string, filter: ResponsesSearch, newest: number | null): number {
  const client = useQueryClient();
  const [isStreaming, setStreaming] = useState(false);
  const { data = 0 } = useQuery({
    queryKey: [...responsesKey(form), 'newer', filter, newest],
    queryFn: async ({ signal }) => {
      const { sort: _, order: __, ...unsorted } = filter;
      const { rows } = await fetchPage(form, unsorted, {}, signal);
      return Math.min(rows.filter(({ id }) => id > (newest ?? 0)).length, PER_PAGE);
    },
    enabled: newest !== null,
    initialData: 0,
    initialDataUpdatedAt: Date.now(),
    refetchInterval: isStreaming ? false : ASK_MS,
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const source = new EventSource(address('/open/forms/{form}/submissions/events', { form }));
    source.onopen = () => setStreaming(true);
    source.onerror = () => setStreaming(false);
    const look = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries({ queryKey: [...responsesKey(form), 'newer'] });
      }, GATHER_MS);
    };
    source.addEventListener('submission', ({ data }: MessageEvent<string>) => {
      const { created, changed, reviewed } = JSON.parse(data) as Happened;
      if (reviewed) putReviews(client, form, reviewed);
      if (created.length + changed.length > 0) look();
    });
    // More happened than the stream can tell.
    source.addEventListener('reset', () => void client.invalidateQueries({ queryKey: responsesKey(form) }));
    return () => {
      clearTimeout(timer);
      source.close();
      // From now on nobody tells what happens: whoever comes back asks again.
      void client.invalidateQueries({ queryKey: responsesKey(form), refetchType: 'none' });
    };
  }, [client, form]);
  return data;
}
