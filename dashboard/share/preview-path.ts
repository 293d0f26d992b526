import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Body } from '../api/client.ts';
import type { Form } from '../api/queries.ts';

type Settings = Body<'/open/forms/{form}/preview', 'post'>;

/** Milliseconds after which a preview link is renewed, well before it expires after an hour. */
const FRESH_MS = 30 * 60_000;

/**
 * The path of a page that shows the published form with these settings, and stores nothing. Without an origin, because the
 * dashboard may be open at another than the public one.
 */
export const previewPathQuery = (form: Form, settings: Settings = {}) =>
  queryOptions({
    queryKey: ['forms', String(form.id), 'preview', form.version, settings],
    queryFn: async ({ signal }) => {
      // An empty body would preview the builder's draft.
      const body = { title: form.title, ...settings };
      const { url } = await api.post('/open/forms/{form}/preview', { path: { form: form.id }, body, signal });
      return new URL(url).pathname;
    },
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });
