import Type from 'typebox';
import { FormParams } from '../../access/form-params.ts';
import { formOf } from '../../access/guard.ts';
import { actorOf } from '../../audit/actor.ts';
import type { Context } from '../../context.ts';
import type { App } from '../../http/app-type.ts';
import { Nullable } from '../../http/nullable.ts';
import { Success, success } from '../../http/success.ts';
import { renameOption } from './rename-option.ts';

const schema = {
  tags: ['Submissions'],
  summary: 'Rename an option in submissions',
  description:
    'Answers say what an option was called when it was chosen. This writes the name that it has now into those that say a former ' +
    'one: of a `select`, a `multi_select` or a `ranking`, also one that is repeated. For some seconds at most; `next_after` says ' +
    'where the next call goes on. `updated_at` stays, and nobody is told.',
  params: FormParams,
  body: Type.Object({
    property_id: Type.String({ maxLength: 64 }),
    from: Type.String({ minLength: 1, maxLength: 5_000, description: 'No option is called so now.' }),
    to: Type.String({ minLength: 1, maxLength: 5_000, description: 'The name of an option.' }),
    after: Type.Optional(Type.Integer({ default: 0, minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  }),
  response: {
    200: Type.Object({
      ...Success.properties,
      renamed: Type.Integer({ description: 'In how many submissions.' }),
      next_after: Nullable(
        Type.Integer({ description: 'The `after` of the next call; null when all is done.' }),
      ),
    }),
  },
};

export function registerRenamedOptionRoutes(app: App, { db }: Context): void {
  const writing = { access: { kind: 'form', ability: 'forms-write', role: 'user', in: 'path' } } as const;

  app.post('/open/forms/:form/submissions/rename-option', { config: writing, schema }, async (request) => {
    const { property_id: propertyId, from, to, after = 0 } = request.body;
    const renaming = { propertyId, from, to };
    const { renamed, nextAfter } = await renameOption(db, formOf(request), renaming, after, actorOf(request));
    return success('Option successfully renamed.', { renamed, next_after: nextAfter });
  });
}
