import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Body } from '../api/client.ts';
import type { Form } from '../api/queries.ts';

type Settings = Body<'/open/forms/{form}/preview', 'post'>;

/** Preview links end after an hour; asked for anew well before. */
const FRESH_MS = 30 * 60_000;

/**
 * The path of a page that shows the form as published, with these settings in place of its own, and stores nothing.
 * Without its origin: the dashboard may be open at another address than the public one.
 */
export const previewPathQuery = (form: Form, settings: Settings = {}) =>
  queryOptions({
    queryKey: ['forms', String(form.id), 'preview', form.version, settings],
    queryFn: async ({ signal }) => {
      // An empty body would mean the draft of the builder.
      const body = { title: form.title, ...settings };
      const { url } = await api.post('/open/forms/{form}/preview', { path: { form: form.id }, body, signal });
      return new URL(url).pathname;
    },
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });
