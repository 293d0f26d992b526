import Type from 'typebox';
import { serverEngines } from '../../fields/server-engines.ts';
import { FORM_READING, formOf } from '../access/guard.ts';
import { FormParams } from '../access/path-params.ts';
import type { Context } from '../context.ts';
import { linkSource } from '../files/file-links.ts';
import type { App } from '../http/app-type.ts';
import { notFound } from '../http/errors.ts';
import { preparePublishedForm } from '../submissions/published-form/published-form.ts';
import { findOwnForm } from '../submissions/published-form/queries.ts';
import { describeAnswers } from './describe-answers.ts';
import { writeTypes } from './write-types.ts';

const schema = {
  tags: ['Forms'],
  summary: "Read the type of a form's answers",
  description:
    'As JSON Schema (2020-12) or as TypeScript: `Submission` for `GET /open/forms/{form}/submissions`, `WebhookBody` for what ' +
    'webhooks get, `Answers` for the answers alone. It describes answers to the form as it is now, without its draft; ' +
    'those from before a change of the form, and imported ones, may differ.',
  params: FormParams,
  querystring: Type.Object({
    format: Type.Optional(Type.Enum(['json-schema', 'typescript'], { default: 'json-schema' })),
  }),
  response: {
    200: {
      content: {
        'application/schema+json': { schema: Type.Object({}, { additionalProperties: true }) },
        'text/plain': { schema: Type.String() },
      },
    },
  },
};

export function registerAnswerSchemaRoute(app: App, context: Context): void {
  app.get('/open/forms/:form/answer-schema', { config: FORM_READING, schema }, async (request, reply) => {
    const row = await findOwnForm(context.db, formOf(request).id);
    if (!row) throw notFound('Form');
    const described = describeAnswers(preparePublishedForm(row, serverEngines, linkSource(context)));
    return request.query.format === 'typescript'
      ? reply.type('text/plain; charset=utf-8').send(writeTypes(described))
      : reply.type('application/schema+json; charset=utf-8').send(JSON.stringify(described));
  });
}
