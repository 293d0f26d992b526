import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { address } from '../../api/client.ts';
import { useIsPageVisible } from '../../lib/use-is-page-visible.ts';
import { fetchPage, responsesKey } from '../queries.ts';
import { putReviews, type ReviewMark } from '../reviews/reviews.ts';
import type { ResponsesSearch } from '../search.ts';

/** Milliseconds between two checks if the event stream is blocked. */
const ASK_MS = 10_000;
/** Milliseconds before another try when the service has refused a stream: browsers make none then. */
const AGAIN_MS = 60_000;
/** Milliseconds in which several arrivals are combined into one check. */
const GATHER_MS = 1_000;

/** An event of the stream. */
interface Happened {
  created: unknown[];
  changed: unknown[];
  reviewed?: ReviewMark[];
}

/** Responses that have arrived. */
interface Arrived {
  count: number;
  /** There may be more than that. */
  isCapped: boolean;
}

const NONE: Arrived = { count: 0, isCapped: false };

/**
 * Shows others' decisions, and counts matching responses that came after the newest one shown, up to a page.
 * @param newest its id; null while nothing is loaded
 */
export function useNewResponses(form: string, filter: ResponsesSearch, newest: number | null): Arrived {
  const client = useQueryClient();
  const [isStreaming, setStreaming] = useState(false);
  const { data = NONE } = useQuery({
    queryKey: [...responsesKey(form), 'newer', filter, newest],
    queryFn: async ({ signal }) => {
      const { sort: _, order: __, ...unsorted } = filter;
      const { rows, next } = await fetchPage(form, unsorted, {}, signal);
      const count = rows.filter(({ id }) => id > (newest ?? 0)).length;
      return { count, isCapped: count === rows.length && next !== null };
    },
    enabled: newest !== null,
    initialData: NONE,
    initialDataUpdatedAt: Date.now(),
    refetchInterval: isStreaming ? false : ASK_MS,
  });
  // A stream takes one of the six connections that a browser opens to a host over HTTP/1.1, for all tabs together.
  const isVisible = useIsPageVisible();
  const position = useRef<string>(undefined);
  /** Without a stream from the start it is not known from where one has to go on. */
  const isLate = useRef(false);
  useEffect(() => {
    if (!isVisible) {
      isLate.current = true;
      return;
    }
    let isDue = false;
    let again: ReturnType<typeof setTimeout> | undefined;
    let source = open();
    function open(): EventSource {
      const opened = new EventSource(
        address('/open/forms/{form}/submissions/events', { form }, { last_event_id: position.current }),
      );
      opened.onopen = () => {
        setStreaming(true);
        if (isLate.current && position.current === undefined) readAnew();
      };
      opened.onerror = () => {
        setStreaming(false);
        if (opened.readyState !== EventSource.CLOSED) return;
        isLate.current = true;
        again = setTimeout(() => {
          source = open();
        }, AGAIN_MS);
      };
      opened.addEventListener('counters', keepPosition);
      opened.addEventListener('submission', (event: MessageEvent<string>) => {
        keepPosition(event);
        const { created, changed, reviewed } = JSON.parse(event.data) as Happened;
        if (reviewed) putReviews(client, form, reviewed);
        if (created.length + changed.length > 0) look();
      });
      // More happened than the stream can report.
      opened.addEventListener('reset', (event) => {
        keepPosition(event);
        readAnew();
      });
      return opened;
    }
    function readAnew(): void {
      void client.invalidateQueries({ queryKey: responsesKey(form) });
    }
    function keepPosition({ lastEventId }: MessageEvent<string>): void {
      position.current = lastEventId;
    }
    function look(): void {
      if (isDue) return;
      isDue = true;
      // It comes even if the tab is hidden meanwhile: the next stream does not tell again what it is about.
      setTimeout(() => {
        isDue = false;
        void client.invalidateQueries({ queryKey: [...responsesKey(form), 'newer'] });
      }, GATHER_MS);
    }
    return () => {
      clearTimeout(again);
      source.close();
    };
  }, [client, form, isVisible]);
  useEffect(
    () => () => {
      position.current = undefined;
      isLate.current = false;
      // Without the stream changes go unnoticed, so the data counts as stale from now on.
      void client.invalidateQueries({ queryKey: responsesKey(form), refetchType: 'none' });
    },
    [client, form],
  );
  return data;
}
