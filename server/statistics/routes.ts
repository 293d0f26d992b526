import { charges } from '../../fields/payment.ts';
import { FORM_READING, formOf, WORKSPACE_READING, workspaceOf } from '../access/guard.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { HttpError, notFound, publicFormNotFound } from '../http/errors.ts';
import { findAnswerCounts } from './answer-queries.ts';
import { answerStatisticsSchema } from './answer-schemas.ts';
import { sumPayments } from './payment-queries.ts';
import { presentAnswers, withPayments } from './present-answers.ts';
import { presentStatistics } from './present-statistics.ts';
import { readWorkspaceStatistics } from './present-workspace.ts';
import { countProgress } from './progress.ts';
import { findStatistics, findStatisticsForm } from './queries.ts';
import { MAX_WORKSPACE_DAYS, readRange } from './range.ts';
import { progressSchema, statisticsSchema, workspaceStatisticsSchema } from './schemas.ts';
import { isPerson } from './visitor.ts';

/** The size of a beacon, enough for the ids or times of all fields of the largest form. */
const PROGRESS_LIMIT_BYTES = 64 * 1024;

export function registerStatisticsRoutes(app: App, context: Context): void {
  // In a scope of its own: `sendBeacon` sends text by its type (Beacon, 3.1).
  app.register(async (scope: App) => {
    scope.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, text, done) => {
      try {
        done(null, JSON.parse(String(text)));
      } catch {
        done(new HttpError(400, 'The request body is no JSON.'), undefined);
      }
    });
    scope.post(
      '/forms/:form/progress',
      { config: { access: { kind: 'public' } }, schema: progressSchema, bodyLimit: PROGRESS_LIMIT_BYTES },
      async (request, reply) => {
        const form = await context.publishedForms.find(request.params.form);
        if (!form) throw publicFormNotFound();
        if (isPerson(request) && !form.isClosed(new Date())) countProgress(context, form, request.body);
        return reply.code(204).send(null);
      },
    );
  });

  app.get(
    '/open/forms/:form/statistics',
    {
      config: FORM_READING,
      schema: statisticsSchema,
    },
    async (request) => {
      const { id } = formOf(request);
      const range = readRange(request.query, new Date());
      const [form, rows] = await Promise.all([
        findStatisticsForm(context.db, id),
        findStatistics(context.db, id, range),
      ]);
      if (!form) throw notFound('Form');
      return presentStatistics(form, range, rows);
    },
  );

  app.get(
    '/open/forms/:form/statistics/fields',
    {
      config: FORM_READING,
      schema: answerStatisticsSchema,
    },
    async (request) => {
      const { id } = formOf(request);
      const range = readRange(request.query, new Date());
      const { status = 'completed' } = request.query;
      const found = await findAnswerCounts(context.db, id, range, status);
      if (!found) throw notFound('Form');
      const answers = presentAnswers(found.blocks, range, status, found.counts);
      const asking = found.blocks.find(charges);
      if (!asking) return answers;
      return withPayments(answers, asking.id, await sumPayments(context.db, id, range, status));
    },
  );

  app.get(
    '/open/workspaces/:workspaceId/statistics',
    { config: WORKSPACE_READING, schema: workspaceStatisticsSchema },
    async (request) => {
      const { id } = workspaceOf(request);
      const range = readRange(request.query, new Date(), MAX_WORKSPACE_DAYS);
      return readWorkspaceStatistics(context.db, id, range);
    },
  );
}
