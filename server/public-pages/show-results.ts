import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { notFound } from '../http/errors.ts';
import { createFindResults } from '../public-results/find-results.ts';
import { publicResultSettings } from '../public-results/settings.ts';
import { createFailurePage } from './failure.ts';
import { resultsPage } from './results-page.ts';
import { sendMessage } from './send-page.ts';
import type { VisitedForm } from './visited-form.ts';

type PageRequest = FastifyRequest<{ Params: { form: string } }>;

/** The results of a form for everybody, where its owner wants that; also of one that is closed. */
export function registerPublicResults(
  app: App,
  context: Context,
  find: (request: PageRequest) => Promise<VisitedForm>,
): void {
  const findResults = createFindResults(context);
  const params = Type.Object({ form: Type.String({ description: 'Slug or UUID' }) });
  const config = { access: { kind: 'public' as const }, failurePage: createFailurePage(context) };

  app.get(
    '/forms/:form/results',
    { config, schema: { params, hide: true } },
    async (request: PageRequest, reply) => {
      const { form } = await find(request);
      const settings = publicResultSettings(form);
      if (!settings) throw notFound('Results');
      const results = await findResults(form, settings);
      return sendMessage(context, reply, form, resultsPage(form, settings, results));
    },
  );
}
