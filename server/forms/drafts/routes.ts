import type { FastifyRequest } from 'fastify';
import { isAtLeast } from '../../access/abilities.ts';
import { callerOf, FORM_READING, FORM_WRITING, formOf } from '../../access/guard.ts';
import { presentAuthor } from '../../accounts/present-user.ts';
import { actorOf } from '../../audit/actor.ts';
import { recordEvent } from '../../audit/record-event.ts';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../db/database.ts';
import type { App } from '../../http/app-type.ts';
import { HttpError, invalid, notFound } from '../../http/errors.ts';
import { success } from '../../http/schemas/success.ts';
import { FORM_BYTES } from '../checks/body-limit.ts';
import { refuseForeignCode } from '../checks/custom-code.ts';
import { lockFormIn } from '../lock-form.ts';
import { namedForm, presentNamedForm } from '../named-form.ts';
import type { FormRow } from '../queries.ts';
import { normaliseFormInput } from '../saving/normalise-form-input.ts';
import { keepReplacedDraft } from '../versions/keep-version.ts';
import {
  type DraftDefinition,
  definitionProblems,
  hashNewPassword,
  knownMembers,
  withoutPassword,
} from './definition.ts';
import { publishDraft } from './publish-draft.ts';
import {
  deleteFormDraft,
  type Expected,
  type FormDraft,
  findFormDraft,
  lockFormDraft,
  upsertFormDraft,
} from './queries.ts';
import { deleteDraftSchema, publishDraftSchema, readDraftSchema, saveDraftSchema } from './schemas.ts';

/** A draft holds changes that are saved while somebody works, and published on purpose. All members of the workspace see it. */
export function registerFormDraftRoutes(app: App, context: Context): void {
  const { db } = context;

  app.put(
    '/open/forms/:form/draft',
    {
      bodyLimit: FORM_BYTES,
      config: FORM_WRITING,
      attachValidation: true,
      preValidation: normaliseFormInput,
      schema: saveDraftSchema,
    },
    async (request) => {
      // Problems of the body, at which validation stops, are only reported with the draft; so the query has to be checked here.
      const revision = wholeNumber(request.query, 'revision');
      const version = wholeNumber(request.query, 'version');
      const keepsReplaced = ['true', '1'].includes(String(request.query.keep_replaced));
      const saved = await save(request, knownMembers(request.body), { revision, version, keepsReplaced });
      return present(request, await namedForm(db, request), saved);
    },
  );

  app.get('/open/forms/:form/draft', { config: FORM_READING, schema: readDraftSchema }, async (request) => {
    const { id } = formOf(request);
    return present(request, await namedForm(db, request), await findFormDraft(db, id));
  });

  app.delete(
    '/open/forms/:form/draft',
    { config: FORM_WRITING, schema: deleteDraftSchema },
    async (request) => {
      const { id } = formOf(request);
      await db.transaction().execute(async (trx) => {
        await lockFormIn(trx, formOf(request));
        if (!(await deleteFormDraft(trx, id))) throw notFound('Draft');
        await note(trx, request, 'discarded');
      });
      return success('The draft was thrown away.');
    },
  );

  app.post(
    '/open/forms/:form/draft/publish',
    { config: FORM_WRITING, schema: publishDraftSchema },
    async (request) => {
      const { role } = formOf(request);
      const { force = false, version = null, visibility } = request.body ?? {};
      const how = { role, force, over: version, visibility, actor: actorOf(request) };
      await publishDraft(context, formOf(request), how);
      const form = await presentNamedForm(context, request);
      return success('Form updated.', { form });
    },
  );

  /** The audit log gets an entry when a draft is begun, not for every save. */
  async function save(
    request: FastifyRequest,
    sent: DraftDefinition,
    { keepsReplaced, ...expected }: Expected & { keepsReplaced: boolean },
  ): Promise<FormDraft> {
    const { id, role } = formOf(request);
    const password = await hashNewPassword(sent);
    const saved = await db.transaction().execute(async (trx) => {
      const form = await lockFormIn(trx, formOf(request));
      const before = await lockFormDraft(trx, id);
      refuseForeignCode(role, sent, form, before?.definition ?? {});
      const kept = withoutPassword(sent, password, before?.password_hash ?? null);
      const draft = await upsertFormDraft(trx, id, { ...kept, userId: callerOf(request).userId }, expected);
      if (draft && !before) await note(trx, request, 'begun');
      if (!draft || !before || !keepsReplaced) return draft;
      await keepReplacedDraft(trx, id, actorOf(request), before);
      return findFormDraft(trx, id);
    });
    return saved ?? refuse(await namedForm(db, request), await findFormDraft(db, id));
  }
}

/** @param other the draft that is there instead */
function refuse({ version }: FormRow, other: FormDraft | null): never {
  const message = other
    ? 'Somebody else saved this draft meanwhile.'
    : 'The form was saved or its draft thrown away meanwhile.';
  throw new HttpError(409, message, {
    revision: other?.revision ?? 0,
    saved_by: other && presentAuthor(other.saved_by, other.saved_by_name),
    saved_at: other?.saved_at.toISOString() ?? null,
    version,
  });
}

function note(trx: Transaction, request: FastifyRequest, draft: 'begun' | 'discarded'): Promise<void> {
  const { id: formId } = formOf(request);
  return recordEvent(trx, actorOf(request), { verb: 'form.changed', formId, details: { fields: [], draft } });
}

/** @throws HttpError 422 */
function wholeNumber(query: Partial<Record<keyof Expected, unknown>>, name: keyof Expected): number | null {
  const text = query[name];
  if (text === undefined) return null;
  if (!/^\d{1,9}$/.test(String(text))) throw invalid({ [name]: [`The ${name} must be a whole number.`] });
  return Number(text);
}

/** The role `readonly` does not learn whether there is a password. */
function present(request: FastifyRequest, form: FormRow, draft: FormDraft | null) {
  if (!draft) throw notFound('Draft');
  const { password: _, ...rest } = draft.definition;
  return {
    definition: isAtLeast(formOf(request).role, 'user') ? draft.definition : rest,
    problems: definitionProblems(draft.definition, form),
    base_version: draft.base_version,
    version: draft.version,
    is_outdated: draft.version !== draft.base_version,
    revision: draft.revision,
    saved_by: presentAuthor(draft.saved_by, draft.saved_by_name),
    begun_at: draft.begun_at.toISOString(),
    saved_at: draft.saved_at.toISOString(),
  };
}
