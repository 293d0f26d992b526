import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { MemberRole } from '../../access/abilities.ts';
import { callerOf, FORM_WRITING, formOf, workspaceOf } from '../../access/guard.ts';
import { FormParams } from '../../access/path-params.ts';
import { hashToken } from '../../access/token-format.ts';
import type { Context } from '../../context.ts';
import type { App } from '../../http/app-type.ts';
import { HttpError, invalid } from '../../http/errors.ts';
import { Nullable } from '../../http/schemas/nullable.ts';
import { FORM_BYTES } from '../checks/body-limit.ts';
import { refuseForeignCode } from '../checks/custom-code.ts';
import { type DraftDefinition, knownMembers } from '../drafts/definition.ts';
import { findFormDraft } from '../drafts/queries.ts';
import { Problems } from '../drafts/schemas.ts';
import { formById } from '../named-form.ts';
import type { FormRow } from '../queries.ts';
import { normaliseFormInput } from '../saving/normalise-form-input.ts';
import { FIELDS_WITHOUT_DEFAULTS, type FormInput, UpdateFormBody } from '../schemas.ts';
import { type PreviewDefinition, previewOf } from './definition.ts';
import { insertPreview } from './queries.ts';

const TOKEN_BYTES = 32;
/** Links of one person that work at the same time; a further one ends the oldest. */
const MAX_PREVIEWS = 20;

const tags = ['Forms'];
const description =
  'The real page of the form, for an hour, marked as a preview: answers are checked, but not stored. Parts of the ' +
  'definition with problems are left out and listed in `problems`. Only pages of this service may show it in a frame.';
const PreviewAnswer = Type.Object({
  url: Type.String({ description: 'Opens without credentials.' }),
  expires_at: Type.String({ description: 'ISO 8601, UTC' }),
  problems: Problems,
});

const PreviewBody = Type.Unsafe<FormInput & { workspace_id: number }>({
  type: 'object',
  required: ['workspace_id'],
  properties: { workspace_id: Type.Integer({ minimum: 1 }), ...FIELDS_WITHOUT_DEFAULTS },
});

/** Links that show how a form will look; see pages.ts for what they lead to. */
export function registerPreviewRoutes(app: App, context: Context): void {
  const { db } = context;

  app.post(
    '/open/forms/preview',
    {
      bodyLimit: FORM_BYTES,
      config: { access: { kind: 'workspace', ability: 'forms-write', role: 'user', in: 'body' } },
      attachValidation: true,
      preValidation: normaliseFormInput,
      schema: {
        tags,
        summary: 'Preview a form that does not exist yet',
        description,
        body: PreviewBody,
        response: { 201: PreviewAnswer },
      },
    },
    async (request, reply) => {
      if (!request.workspaceAccess) throw invalid({ workspace_id: ['The workspace id field is required.'] });
      const { id: workspaceId, role } = workspaceOf(request);
      const answer = await make(request, knownMembers(request.body), { workspaceId, role, form: null });
      return reply.code(201).send(answer);
    },
  );

  app.post(
    '/open/forms/:form/preview',
    {
      bodyLimit: FORM_BYTES,
      config: FORM_WRITING,
      attachValidation: true,
      preValidation: normaliseFormInput,
      schema: {
        tags,
        summary: 'Preview changes of a form',
        description: `Shows the changes in the body, or in the draft when the body is empty. ${description}`,
        params: FormParams,
        body: Nullable(UpdateFormBody),
        response: { 201: PreviewAnswer },
      },
    },
    async (request, reply) => {
      const { id, workspaceId, role } = formOf(request);
      const form = await formById(db, id);
      const sent = knownMembers(request.body ?? {});
      const definition = Object.keys(sent).length > 0 ? sent : (await findFormDraft(db, id))?.definition;
      return reply.code(201).send(await make(request, definition ?? {}, { workspaceId, role, form }));
    },
  );

  async function make(
    request: FastifyRequest,
    definition: DraftDefinition,
    { workspaceId, role, form }: { workspaceId: number; role: MemberRole; form: FormRow | null },
  ) {
    const { preview, problems } = previewOf(definition, form);
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = await insertPreview(
      db,
      {
        tokenHash: hashToken(token),
        workspaceId,
        formId: form?.id ?? null,
        userId: callerOf(request).userId,
        definition: preview,
        showsCode: mayShowCode(role, preview, form),
      },
      MAX_PREVIEWS,
    );
    const url = `${context.baseUrl()}/forms/preview/${token}`;
    return { url, expires_at: expiresAt.toISOString(), problems };
  }
}

/** Code that the caller could not publish is not shown either. */
function mayShowCode(role: MemberRole, preview: PreviewDefinition, form: FormRow | null): boolean {
  const { custom_code } = preview.presentation;
  try {
    refuseForeignCode(role, { custom_code, properties: preview.properties }, form ?? {});
    return true;
  } catch (error) {
    if (error instanceof HttpError) return false;
    throw error;
  }
}
