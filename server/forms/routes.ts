import Type from 'typebox';
import type { MemberRole } from '../access/abilities.ts';
import {
  callerOf,
  FORM_READING,
  FORM_WRITING,
  formOf,
  WORKSPACE_READING,
  workspaceOf,
} from '../access/guard.ts';
import { FormParam, FormParams, WorkspaceParams } from '../access/path-params.ts';
import { actorOf } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { HttpError, unavailable } from '../http/errors.ts';
import { inTurnUntilSent, LONG_BYTES } from '../http/response/long-answers.ts';
import { pageOf, paginated } from '../http/schemas/pagination.ts';
import { Problem } from '../http/schemas/problem.ts';
import { Success, success } from '../http/schemas/success.ts';
import { refuseFailingScenarios } from '../scenarios/refuse-failing.ts';
import { regenerateLink } from './address/regenerate-link.ts';
import { FORM_BYTES } from './checks/body-limit.ts';
import { checkFormInput } from './checks/check-form-input.ts';
import { refuseForeignCode } from './checks/custom-code.ts';
import { refuseChargingWithoutAccount } from './checks/refuse-without-account.ts';
import { refuseConfirmingWithoutMail } from './checks/refuse-without-mail.ts';
import { formById, namedForm, presentNamedForm } from './named-form.ts';
import { currentView, presentForm, presentSummary } from './present-form.ts';
import { type FormRow, findFormSummaries, findFormsOfUser, findTags } from './queries.ts';
import { FormAnswer, FormList, FormListQuery, FormObject, TagList } from './response-schemas.ts';
import { createForm } from './saving/create-form.ts';
import { deleteForm } from './saving/delete-form.ts';
import { duplicateForm } from './saving/duplicate-form.ts';
import { moveForm } from './saving/move-form.ts';
import { normaliseFormInput } from './saving/normalise-form-input.ts';
import { saveForm } from './saving/save-form.ts';
import { CreateFormBody, UpdateFormBody } from './schemas.ts';
import { measureFormsOfUser } from './size-queries.ts';

const tags = ['Forms'];
/** Bytes of all forms in one answer. */
const MAX_LIST_BYTES = 64 * 1024 * 1024;
/** What existing clients send beside what the schemas describe; see `normaliseFormInput`. */
const ALSO_TAKEN =
  'Booleans may also be 0, 1 or text, whole numbers text; where null is allowed, an empty text means null; `[]` stands ' +
  'for `{}`; a title longer than 255 characters is cut off.';

/** Saves of a form that others save during each of them; then 503. */
const MAX_TRIES = 5;

export function registerFormRoutes(app: App, context: Context): void {
  registerListRoutes(app, context);
  registerWriteRoutes(app, context);
  registerCopyRoutes(app, context);
  registerMoveRoute(app, context);
}

function registerListRoutes(app: App, context: Context): void {
  app.get(
    '/open/workspaces/:workspaceId/forms',
    {
      config: WORKSPACE_READING,
      schema: {
        tags,
        summary: 'List the forms of a workspace, without their fields',
        params: WorkspaceParams,
        querystring: FormListQuery,
        response: { 200: FormList },
      },
    },
    async (request) => {
      const { query } = request;
      const { id } = workspaceOf(request);
      const page = pageOf(query);
      const { rows, total } = await findFormSummaries(context.db, id, query, page);
      const summaries = rows.map((row) => presentSummary(row, currentView(context)));
      return paginated(context.baseUrl() + request.url, summaries, page, total);
    },
  );

  app.get(
    '/open/workspaces/:workspaceId/tags',
    {
      config: WORKSPACE_READING,
      schema: {
        tags,
        summary: 'List the tags of the forms of a workspace',
        params: WorkspaceParams,
        response: { 200: TagList },
      },
    },
    (request) => findTags(context.db, workspaceOf(request).id),
  );

  app.get(
    '/open/forms',
    {
      config: { access: { kind: 'own', ability: 'forms-read' } },
      schema: {
        tags,
        deprecated: true,
        summary: 'List the forms of all your workspaces',
        description: 'Kept for existing integrations. Use the list of a workspace instead.',
        response: { 200: Type.Array(FormObject), 422: Problem('The forms are too long for one answer.') },
      },
    },
    async (request, reply) => {
      const { userId } = callerOf(request);
      const bytes = await measureFormsOfUser(context.db, userId);
      if (bytes > MAX_LIST_BYTES)
        throw new HttpError(
          422,
          'Your forms are too long for one answer: list those of a workspace instead.',
        );
      const list = async () => {
        const forms = await findFormsOfUser(context.db, userId);
        return forms.map((form) => presentForm(form, form.role as MemberRole, currentView(context)));
      };
      return bytes > LONG_BYTES ? inTurnUntilSent(reply, userId, list) : list();
    },
  );
}

function registerWriteRoutes(app: App, context: Context): void {
  app.get(
    '/open/forms/:form',
    {
      config: FORM_READING,
      schema: { tags, summary: 'Read a form', params: FormParams, response: { 200: FormObject } },
    },
    (request) => presentNamedForm(context, request),
  );

  app.post(
    '/open/forms',
    {
      config: { access: { kind: 'workspace', ability: 'forms-write', role: 'user', in: 'body' } },
      attachValidation: true,
      preValidation: normaliseFormInput,
      schema: {
        tags,
        summary: 'Create a form',
        description: `Everything but the workspace and the title has a default. Unknown members are ignored. ${ALSO_TAKEN}`,
        body: CreateFormBody,
        response: { 201: FormObject },
      },
    },
    async (request, reply) => {
      checkFormInput(request.body, request.validationError?.validation ?? [], null);
      const { id: workspaceId, role } = workspaceOf(request);
      refuseForeignCode(role, request.body);
      await refuseConfirmingWithoutMail(context, workspaceId, request.body, null);
      await refuseChargingWithoutAccount(context.db, workspaceId, request.body, null);
      const owner = { workspaceId, creatorId: callerOf(request).userId };
      const id = await createForm(context.db, owner, request.body, actorOf(request));
      const form = presentForm(await formById(context.db, id), role, currentView(context));
      return reply.code(201).send(form);
    },
  );

  app.put(
    '/open/forms/:form',
    {
      bodyLimit: FORM_BYTES,
      config: FORM_WRITING,
      attachValidation: true,
      preValidation: normaliseFormInput,
      schema: {
        tags,
        summary: 'Change a form',
        description:
          'Replaces the members that the body names and keeps all others. A form that was read can be sent back as ' +
          `it is. Past answers to fields missing from \`properties\` stay exportable. ${ALSO_TAKEN}`,
        params: FormParams,
        body: UpdateFormBody,
        response: { 200: FormAnswer },
      },
    },
    async (request) => {
      const check = (form: FormRow) => {
        checkFormInput(request.body, request.validationError?.validation ?? [], form);
        refuseForeignCode(formOf(request).role, request.body, form);
      };
      const save = async () => {
        const current = await namedForm(context.db, request);
        check(current);
        await refuseConfirmingWithoutMail(context, current.workspace_id, request.body, current);
        await refuseChargingWithoutAccount(context.db, current.workspace_id, request.body, current);
        await refuseFailingScenarios(context.db, current, request.body);
        const checked = { version: current.version, check };
        return saveForm(context.db, formOf(request), request.body, checked, actorOf(request));
      };
      for (let tries = 1; !(await save()); tries++) if (tries === MAX_TRIES) throw unavailable();
      context.publishedForms.forget(formOf(request).id);
      const form = await presentNamedForm(context, request);
      return success('Form updated.', { form });
    },
  );

  app.delete(
    '/open/forms/:form',
    {
      config: FORM_WRITING,
      schema: {
        tags,
        summary: 'Delete a form with all its submissions',
        params: FormParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteForm(context, formOf(request), actorOf(request));
      return reply.code(204).send(null);
    },
  );
}

function registerCopyRoutes(app: App, context: Context): void {
  app.post(
    '/open/forms/:form/duplicate',
    {
      config: FORM_WRITING,
      schema: {
        tags,
        summary: 'Copy a form, without its submissions and integrations',
        params: FormParams,
        querystring: Type.Object({
          visibility: Type.Optional(
            Type.Enum(['public', 'draft', 'closed'], {
              description: 'That of the original, unless it is named.',
            }),
          ),
        }),
        response: {
          200: Type.Object({ ...Success.properties, new_form: FormObject }, { additionalProperties: true }),
        },
      },
    },
    async (request) => {
      const { userId } = callerOf(request);
      const { visibility } = request.query;
      const id = await duplicateForm(context, formOf(request), visibility, userId, actorOf(request));
      const form = presentForm(await formById(context.db, id), formOf(request).role, currentView(context));
      return success('The form was copied. You are working on the copy now.', { new_form: form });
    },
  );

  app.put(
    '/open/forms/:form/regenerate-link/:option',
    {
      config: FORM_WRITING,
      schema: {
        tags,
        summary: 'Give a form a new public address',
        params: Type.Object({ form: FormParam, option: Type.Enum(['slug', 'uuid']) }),
        response: { 200: FormAnswer },
      },
    },
    async (request) => {
      const current = await namedForm(context.db, request);
      const wanted = { option: request.params.option, title: current.title };
      await regenerateLink(context.db, formOf(request), wanted, actorOf(request));
      context.publishedForms.forget(current.id);
      const form = await presentNamedForm(context, request);
      return success(`Form url successfully updated. Your new form url now is: ${form.share_url}.`, { form });
    },
  );
}

function registerMoveRoute(app: App, context: Context): void {
  app.post(
    '/open/forms/:form/move',
    {
      config: FORM_WRITING,
      schema: {
        tags,
        summary: 'Move a form to another workspace',
        description:
          'Its submissions, integrations and versions move too. Needs the role `user` in both workspaces.',
        params: FormParams,
        body: Type.Object({ workspace_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
        response: { 200: FormAnswer },
      },
    },
    async (request) => {
      const { userId } = callerOf(request);
      const target = { workspaceId: request.body.workspace_id, userId };
      const role = await moveForm(context, formOf(request), target, actorOf(request));
      const form = presentForm(await namedForm(context.db, request), role, currentView(context));
      return success('The form was moved.', { form });
    },
  );
}
