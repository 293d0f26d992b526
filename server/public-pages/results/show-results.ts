import type { Context } from '../../context.ts';
import type { App } from '../../http/app-type.ts';
import { notFound } from '../../http/errors.ts';
import { createFindResults } from '../../public-results/find-results.ts';
import { publicResultSettings } from '../../public-results/settings.ts';
import { createFailurePage } from '../failure.ts';
import { sendMessage } from '../page/send-page.ts';
import { type FindAskedForm, type PageRequest, pageParams } from '../page-request.ts';
import { resultsPage } from './results-page.ts';

/** A form's public results, if its owner wants them; closed forms show them too. */
export function registerPublicResults(app: App, context: Context, find: FindAskedForm): void {
  const findResults = createFindResults(context);
  const config = { access: { kind: 'public' as const }, failurePage: createFailurePage(context) };

  app.get(
    '/forms/:form/results',
    { config, schema: { params: pageParams, hide: true } },
    async (request: PageRequest, reply) => {
      const { form } = await find(request);
      const settings = publicResultSettings(form);
      if (!settings) throw notFound('Results');
      const results = await findResults(form, settings);
      return sendMessage(context, reply, form, resultsPage(form, settings, results));
    },
  );
}
