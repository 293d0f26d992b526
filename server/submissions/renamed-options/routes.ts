import Type from 'typebox';
import { FORM_WRITING, formOf } from '../../access/guard.ts';
import { FormParams } from '../../access/path-params.ts';
import { actorOf } from '../../audit/actor.ts';
import type { Context } from '../../context.ts';
import type { App } from '../../http/app-type.ts';
import { Nullable } from '../../http/schemas/nullable.ts';
import { Success, success } from '../../http/schemas/success.ts';
import { renameOption } from './rename-option.ts';

const schema = {
  tags: ['Submissions'],
  summary: 'Rename an option in submissions',
  description:
    'Submissions keep the name that an option had when it was chosen. This replaces a former name by the present ' +
    'one, for `select`, `multi_select` and `ranking` fields, also repeated ones. A call works for some seconds at ' +
    'most; `next_after` says where to go on. `updated_at` stays, and no webhook or mail is sent.',
  params: FormParams,
  body: Type.Object({
    property_id: Type.String({ maxLength: 64 }),
    from: Type.String({
      minLength: 1,
      maxLength: 5_000,
      description: 'A former name, which no option has now.',
    }),
    to: Type.String({ minLength: 1, maxLength: 5_000, description: 'The present name of an option.' }),
    after: Type.Optional(Type.Integer({ default: 0, minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  }),
  response: {
    200: Type.Object({
      ...Success.properties,
      renamed: Type.Integer({ description: 'Number of submissions changed.' }),
      next_after: Nullable(Type.Integer({ description: '`after` of the next call; null when all is done.' })),
    }),
  },
};

export function registerRenamedOptionRoutes(app: App, { db }: Context): void {
  app.post(
    '/open/forms/:form/submissions/rename-option',
    { config: FORM_WRITING, schema },
    async (request) => {
      const { property_id: propertyId, from, to, after = 0 } = request.body;
      const renaming = { propertyId, from, to };
      const { renamed, nextAfter } = await renameOption(
        db,
        formOf(request),
        renaming,
        after,
        actorOf(request),
      );
      return success('Option successfully renamed.', { renamed, next_after: nextAfter });
    },
  );
}
