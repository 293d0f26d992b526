import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { ABILITIES, type MemberRole } from '../../server/access/abilities.ts';
import { hashToken, newToken, tokenStart } from '../../server/access/token-format.ts';
import { emailToken } from '../../server/accounts/email-link.ts';
import { passwordToken } from '../../server/accounts/password-link.ts';
import { findUserWithPassword } from '../../server/accounts/queries.ts';
import { purposeOf } from '../../server/accounts/second-factor.ts';
import { insertPendingSignIn } from '../../server/accounts/second-factor-queries.ts';
import type { Context } from '../../server/context.ts';
import { tokenPurpose } from '../../server/exports/jobs/build-export.ts';
import { insertUpload } from '../../server/files/queries.ts';
import { insertResumable } from '../../server/files/resumable/queries.ts';
import { storeNameOf } from '../../server/files/store-name.ts';
import { insertPreview } from '../../server/forms/previews/queries.ts';
import { PRESENTATION_DEFAULTS } from '../../server/forms/schemas.ts';
import { newInviteToken } from '../../server/members/invite-link.ts';
import { readRequest } from '../../server/oauth/authorization-request.ts';
import { clientId } from '../../server/oauth/client.ts';
import { allow } from '../../server/oauth/take-token.ts';
import { upsertPicture } from '../../server/pictures/queries.ts';
import { completeDefinition } from '../../server/saved-views/definition.ts';
import { completeExpectation } from '../../server/scenarios/content.ts';
import { cheapHash } from '../setup/cheap-password.ts';
import { aField, aTextField } from '../setup/factories.ts';
import type { Call } from './authorization-routes.ts';

/** Nothing listens there. */
export const MAIL_SERVER = {
  host: '127.0.0.1',
  port: 1,
  security: 'none',
  sender_address: 'team@example.org',
};

/** Written straight into the database, for speed: a matrix needs hundreds of places, most of them only once. */
export interface Person {
  id: number;
  email: string;
  /** A token with every ability. */
  token: string;
}

/** A workspace with one of everything that a path can name. */
export interface Place {
  workspaceId: number;
  form: number;
  slug: string;
  uuid: string;
  /** A member with the role `user` who makes no requests. */
  userId: number;
  inviteId: number;
  inviteToken: string;
  /** The name of a picture of the workspace. */
  picture: string;
  submissionId: number;
  submissionUuid: string;
  /** Another submission, which is in the trash. */
  trashedId: number;
  /** Another one, which was set aside as suspected spam. */
  setAsideId: number;
  /** A note about the submission, written by the member. */
  noteId: number;
  /** A link for spreadsheets. */
  tableId: number;
  /** A saved view. */
  viewId: number;
  /** A saved test of the form. */
  scenarioId: number;
  integrationId: number;
  deliveryId: number;
  jobId: string;
  /** The secret part of a link to a preview of an unfinished form. */
  previewToken: string;
  version: number;
  /** The secret part of the link to the file of the job. */
  exportToken: string;
  /** A file of four bytes, none of which has arrived. */
  upload: string;
}

const FILES_FIELD = aField('f1', 'files', 'Documents');
export const FILES_FIELD_ID = FILES_FIELD.id;
/** When the submission came, one of the options was called Former. */
const OPTIONS_FIELD = aField('c', 'select', 'Colour', { select: { options: [{ id: 'now', name: 'Now' }] } });
export const OPTIONS_FIELD_ID = OPTIONS_FIELD.id;

export const PASSWORD = 'correct horse battery';
const PASSWORD_HASH = cheapHash(PASSWORD);

export async function aPerson(context: Context, name = 'Ada'): Promise<Person> {
  const email = `${name.toLowerCase()}-${randomBytes(5).toString('hex')}@example.com`;
  const { id } = await context.db
    .insertInto('users')
    .values({ name, email, password_hash: PASSWORD_HASH })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { token } = await aTokenOf(context, { id });
  return { id, email, token };
}

/** A token with any words as abilities; the API would refuse unknown ones. */
export async function aTokenOf(
  { db }: Context,
  person: { id: number },
  abilities: readonly string[] = ABILITIES,
): Promise<{ id: number; token: string }> {
  const token = newToken();
  const row = {
    user_id: person.id,
    name: 'Test',
    token_hash: hashToken(token),
    token_start: tokenStart(token),
    abilities: [...abilities],
  };
  const { id } = await db.insertInto('access_tokens').values(row).returning('id').executeTakeFirstOrThrow();
  return { id, token };
}

const TOTP_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

/** A current code for everybody who has the factor of `aSecondFactorOf`. */
export function aCode(): string {
  return TOTP.generate({ secret: Secret.fromBase32(TOTP_SECRET) });
}

/** Gives the person a second factor in this state, with all its codes unused. */
export async function aSecondFactorOf(
  { db, secrets }: Context,
  { id }: { id: number },
  state: 'none' | 'enrolled' | 'confirmed',
): Promise<void> {
  await db.deleteFrom('second_factors').where('user_id', '=', id).execute();
  if (state === 'none') return;
  const secret_encrypted = secrets.encrypt(TOTP_SECRET, purposeOf(id));
  const confirmed_at = state === 'confirmed' ? new Date() : null;
  await db.insertInto('second_factors').values({ user_id: id, secret_encrypted, confirmed_at }).execute();
}

/** Connects the person with the provider of single sign-on, or disconnects them. */
export async function aConnectionOf(
  { db }: Context,
  { id }: { id: number },
  isConnected: boolean,
): Promise<void> {
  await db.deleteFrom('identities').where('user_id', '=', id).execute();
  if (isConnected)
    await db
      .insertInto('identities')
      .values({ user_id: id, issuer: 'https://login.example.org', subject: String(id) })
      .execute();
}

/** The body that finishes the sign-in of a new person. */
export async function aPendingSignIn(context: Context): Promise<{ pending_token: string; code: string }> {
  const person = await aPerson(context);
  await aSecondFactorOf(context, person, 'confirmed');
  const pending_token = randomBytes(32).toString('base64url');
  await insertPendingSignIn(context.db, person.id, hashToken(pending_token), 5);
  return { pending_token, code: aCode() };
}

/** A link for a new account that no other test needs. */
export async function aPasswordLink(context: Context): Promise<{ token: string; password: string }> {
  const { id } = await aPerson(context);
  const user = await findUserWithPassword(context.db, id);
  return { token: (user && passwordToken(context, user)) ?? '', password: PASSWORD };
}

const VERIFIER = 'v'.repeat(43);

/** The authorization request of a program, by the names of OAuth. */
function aProgramsRequest({ secrets }: Context) {
  const client = { name: 'Assistant', redirectUris: ['https://assistant.example/back'] };
  return {
    response_type: 'code',
    client_id: clientId(secrets, client),
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  };
}

export function aConsentCall(context: Context, call: Call): Call {
  const request = aProgramsRequest(context);
  if (call.method === 'GET') return { ...call, path: `${call.path}?${new URLSearchParams(request)}` };
  return { ...call, body: { request, abilities: ['forms-read'], expires_in_days: 30 } };
}

/** The token request of a program that a new person has allowed to act for them. */
export async function aTokenRequest(context: Context): Promise<NonNullable<Call['raw']>> {
  const asked = readRequest(context, aProgramsRequest(context));
  const { id } = await aPerson(context);
  const cookie = randomBytes(32).toString('base64url');
  await insertSession(context, { id }, cookie);
  const sessionHash = hashToken(cookie);
  const code = await allow(context, asked, { sessionHash, abilities: ['forms-read'], expiresInDays: 30 });
  const parameters = {
    grant_type: 'authorization_code',
    code,
    client_id: asked.clientId,
    code_verifier: VERIFIER,
  };
  return { type: 'application/x-www-form-urlencoded', text: String(new URLSearchParams(parameters)) };
}

/** A link to the same address in other letter case, so that the person is still found by it. */
export async function anEmailLink(context: Context, { id }: { id: number }): Promise<{ token: string }> {
  const user = await findUserWithPassword(context.db, id);
  if (!user) throw new Error('The account is gone.');
  const [upper, lower] = [user.email.toUpperCase(), user.email.toLowerCase()];
  return { token: emailToken(context, user, user.email === upper ? lower : upper) };
}

/** @returns the cookie as `name=value` */
export async function aSessionOf(context: Context, person: { id: number }): Promise<string> {
  const value = randomBytes(32).toString('base64url');
  await insertSession(context, person, value);
  return `formstead_session=${value}`;
}

/** Starts a session whose cookie nobody has. @returns its id in the list of sessions */
export function aSessionIdOf(context: Context, person: { id: number }): Promise<number> {
  return insertSession(context, person, randomBytes(32).toString('base64url'));
}

async function insertSession({ db }: Context, { id: user_id }: { id: number }, value: string) {
  const expires_at = new Date(Date.now() + 60 * 60 * 1000);
  const { id } = await db
    .insertInto('sessions')
    .values({ token_hash: hashToken(value), user_id, expires_at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function aPlace(context: Context, members: Map<Person, MemberRole>): Promise<Place> {
  const { id: workspaceId } = await context.db
    .insertInto('workspaces')
    .values({ name: 'Research' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await aMailServer(context, workspaceId);
  await aPaymentAccount(context, workspaceId);
  const rows = [...members].map(([{ id }, role]) => ({ workspace_id: workspaceId, user_id: id, role }));
  await context.db.insertInto('workspace_members').values(rows).execute();
  return aSiblingOf(context, { workspaceId });
}

/** A new one of everything, in an existing workspace. */
export async function aSiblingOf(
  context: Context,
  { workspaceId }: Pick<Place, 'workspaceId'>,
): Promise<Place> {
  const { db } = context;
  const slug = `feedback-${randomBytes(6).toString('hex')}`;
  const form = await db
    .insertInto('forms')
    .values({
      workspace_id: workspaceId,
      slug,
      title: 'Feedback',
      properties: JSON.stringify([aTextField(), FILES_FIELD, OPTIONS_FIELD]),
      presentation: JSON.stringify(PRESENTATION_DEFAULTS),
    })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow();
  await db.insertInto('form_counters').values({ form_id: form.id, completed_count: 1 }).execute();
  await db
    .insertInto('unpublished_changes')
    .values({ form_id: form.id, definition: '{"title":"Feedback, soon"}', base_version: 1 })
    .execute();
  const submissionUuid = randomUUID();
  const data = JSON.stringify({ [OPTIONS_FIELD_ID]: 'Former' });
  const submission = await db
    .insertInto('submissions')
    .values({ form_id: form.id, public_id: submissionUuid, status: 'completed', data })
    .returning('id')
    .executeTakeFirstOrThrow();
  const parents = { workspaceId, form: form.id, submissionId: submission.id };
  const memberAndInvite = await aMemberAndAnInvite(context, workspaceId);
  await aChange(context, parents);
  return {
    ...parents,
    slug,
    uuid: form.uuid,
    submissionUuid,
    trashedId: await aTrashed(context, form.id),
    setAsideId: await aSetAside(context, form.id),
    ...memberAndInvite,
    picture: await aPicture(context, workspaceId),
    noteId: await aNote(context, parents, memberAndInvite.userId),
    tableId: await aLiveTable(context, form.id),
    viewId: await aSavedView(context, form.id),
    scenarioId: await aScenario(context, form.id),
    version: await aVersion(context, form.id),
    previewToken: await aPreview(context, workspaceId, memberAndInvite.userId),
    ...(await anIntegration(context, parents)),
    ...(await anExport(context, form.id)),
    upload: await anUpload(context, form.id),
  };
}

async function aMailServer({ db }: Context, workspace_id: number): Promise<void> {
  await db
    .insertInto('workspace_mail_servers')
    .values({ workspace_id, ...MAIL_SERVER })
    .execute();
}

async function aPaymentAccount({ db }: Context, workspace_id: number): Promise<void> {
  await db
    .insertInto('workspace_payment_accounts')
    .values({ workspace_id, mode: 'test', secret_key_encrypted: Buffer.from('sealed') })
    .execute();
}

async function aPicture({ db }: Context, workspaceId: number): Promise<string> {
  const name = `${randomBytes(32).toString('hex')}.svg`;
  await upsertPicture(db, workspaceId, { name, content: Buffer.from('<svg />') });
  return name;
}

async function aTrashed({ db }: Context, formId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into trashed_submissions (form_id, id, public_id, status, data, created_at, updated_at, source_ids)
    values (${formId}, nextval('submission_ids'), gen_random_uuid(), 'completed', '{}', now(), now(), '{}') returning id`.execute(
    db,
  );
  return rows[0]?.id as number;
}

async function aSetAside({ db }: Context, formId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into set_aside_submissions (form_id, public_id, data, reasons)
    values (${formId}, gen_random_uuid(), '{}', '{too_fast}') returning id`.execute(db);
  return rows[0]?.id as number;
}

async function anUpload({ db }: Context, formId: number): Promise<string> {
  const id = randomUUID();
  const parents = { formId, propertyId: FILES_FIELD_ID };
  await db.transaction().execute(async (trx) => {
    await insertUpload(trx, {
      id,
      ...parents,
      name: `a_${id}.txt`,
      storeName: storeNameOf(id),
      size: 0,
      sender: null,
    });
    await insertResumable(trx, { id, length: 4, metadata: '' });
  });
  return id;
}

export async function aNote(
  { db }: Context,
  { form, submissionId }: Pick<Place, 'form' | 'submissionId'>,
  userId: number,
): Promise<number> {
  const parents = { form_id: form, submission_id: submissionId };
  await db
    .insertInto('submission_reviews')
    .values({ ...parents, state: 'received', notes_count: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { id } = await db
    .insertInto('review_entries')
    .values({ ...parents, user_id: userId, note: 'Call back' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** An earlier answer of the submission, as kept after an edit. */
async function aChange({ db }: Context, { form, submissionId }: Pick<Place, 'form' | 'submissionId'>) {
  const changed = { answers: JSON.stringify({ former: 'before' }), changed_at: new Date() };
  await db
    .insertInto('submission_changes')
    .values({ form_id: form, submission_id: submissionId, is_by_member: false, ...changed })
    .execute();
}

/** Every form of this world has only one version, and its number is one that no other form has. */
async function aVersion({ db }: Context, form: number): Promise<number> {
  const { version } = await db
    .insertInto('form_versions')
    .values({ form_id: form, version: form, definition: JSON.stringify({ title: 'Former', properties: [] }) })
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

async function aLiveTable({ db }: Context, form: number): Promise<number> {
  const { id } = await db
    .insertInto('live_tables')
    .values({ form_id: form, name: 'Sheet', token_hash: randomBytes(32) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function aSavedView({ db }: Context, form: number): Promise<number> {
  const { id } = await db
    .insertInto('saved_views')
    .values({ form_id: form, name: 'Complete', definition: JSON.stringify(completeDefinition({})) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function aScenario({ db }: Context, form: number): Promise<number> {
  const expected = JSON.stringify(completeExpectation({ outcome: 'accepted' }));
  const { id } = await db
    .insertInto('form_scenarios')
    .values({ form_id: form, name: 'Nothing', answers: '{}', expected })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** An integration that has delivered the submission to a local port on which nothing listens. */
export async function anIntegration(
  { db }: Context,
  { form, submissionId }: Pick<Place, 'form' | 'submissionId'>,
): Promise<Pick<Place, 'integrationId' | 'deliveryId'>> {
  const data = JSON.stringify({ webhook_url: 'http://127.0.0.1:9/hook' });
  const { id: integrationId } = await db
    .insertInto('integrations')
    .values({ form_id: form, integration_id: 'webhook', status: 'active', data })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: deliveryId } = await db
    .insertInto('deliveries')
    .values({
      form_id: form,
      integration_id: integrationId,
      submission_id: submissionId,
      state: 'delivered',
      body: '{}',
      attempts: 1,
      finished_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { integrationId, deliveryId };
}

async function aMemberAndAnInvite({ db, secrets }: Context, workspaceId: number) {
  const email = `${randomBytes(8).toString('hex')}@example.com`;
  const { id: userId } = await db
    .insertInto('users')
    .values({ name: 'Member', email, password_hash: PASSWORD_HASH })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('workspace_members')
    .values({ workspace_id: workspaceId, user_id: userId, role: 'user' })
    .execute();
  const { tokenHash, tokenEncrypted } = newInviteToken(secrets);
  const { id: inviteId } = await db
    .insertInto('workspace_invites')
    .values({
      workspace_id: workspaceId,
      email: `invited-${email}`,
      role: 'user',
      token_hash: tokenHash,
      token_encrypted: tokenEncrypted,
      valid_until: new Date(Date.now() + 60 * 60 * 1000),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { userId, inviteId, inviteToken: secrets.decrypt(tokenEncrypted, 'invite') ?? '' };
}

async function aPreview({ db }: Context, workspaceId: number, userId: number): Promise<string> {
  const previewToken = randomBytes(32).toString('base64url');
  const definition = { title: 'Soon', closes_at: null, properties: [], presentation: PRESENTATION_DEFAULTS };
  const preview = { workspaceId, formId: null, userId, definition, showsCode: false };
  await insertPreview(db, { ...preview, tokenHash: hashToken(previewToken) }, 100);
  return previewToken;
}

async function anExport({ db, secrets }: Context, form: number) {
  const jobId = `export_${randomBytes(16).toString('hex')}`;
  const exportToken = randomBytes(32).toString('base64url');
  await db
    .insertInto('export_jobs')
    .values({
      job_id: jobId,
      form_id: form,
      status: 'completed',
      progress: 100,
      columns: '[]',
      file_name: fileOf(jobId),
      file_token_hash: hashToken(exportToken),
      file_token_encrypted: secrets.encrypt(exportToken, tokenPurpose(jobId)),
      expires_at: new Date(Date.now() + 60 * 60 * 1000),
    })
    .execute();
  return { jobId, exportToken };
}

/** Writes the file of an export; other places have none, since writing files takes time. */
export async function writeExportFile({ files }: Context, { jobId }: Place): Promise<void> {
  await files.write(fileOf(jobId), Readable.from(['id\n']));
}

function fileOf(jobId: string): string {
  return `exports/${jobId}.csv`;
}
