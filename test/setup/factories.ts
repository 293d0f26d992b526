import { randomBytes } from 'node:crypto';
import { ABILITIES } from '../../server/access/abilities.ts';
import { insertUser } from '../../server/accounts/queries.ts';
import { recordEvent } from '../../server/audit/record-event.ts';
import type { Context } from '../../server/context.ts';
import { createWorkspace } from '../../server/workspaces/create-workspace.ts';
import { cheapHash } from './cheap-password.ts';
import type { TestService } from './service.ts';

export interface TestUser {
  id: number;
  name: string;
  email: string;
  password: string;
  /** The session cookie as `name=value`. */
  cookie: string;
  /** A token with every ability. */
  token: string;
}

const PASSWORD = 'correct horse battery';

/** A registered, signed-in person with a token that may do everything. */
export async function aUser(service: TestService, { name = 'Ada' } = {}): Promise<TestUser> {
  const email = `${name.toLowerCase()}-${randomBytes(5).toString('hex')}@example.com`;
  const person = { name, email, password: PASSWORD };
  // A service in its own process is reached by requests only.
  if (service.context) await addAccount(service.context, name, email);
  const path = service.context ? '/login' : '/register';
  const answer = await service.request('POST', path, { body: person });
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const me = await service.request('GET', '/user', { cookie });
  const user = { id: me.body.id, name, email, password: PASSWORD, cookie, token: '' };
  return { ...user, token: await aToken(service, user) };
}

/** Writes the same rows as registering, without the slow hash. */
async function addAccount({ db }: Context, name: string, email: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const user = await insertUser(trx, { name, email, password_hash: cheapHash(PASSWORD) });
    const actor = { kind: 'user', userId: user.id, tokenId: null, network: '127.0.0.1' } as const;
    await recordEvent(trx, actor, { verb: 'account.registered', target: { id: user.id, name } });
    await createWorkspace(trx, { name: 'My Workspace', icon: '' }, user.id, actor);
  });
}

/** A token of this user with these abilities, by default all. */
export async function aToken(
  service: TestService,
  user: { cookie: string },
  abilities: readonly string[] = ABILITIES,
): Promise<string> {
  const body = { name: 'Test', abilities };
  const answer = await service.request('POST', '/settings/tokens', { cookie: user.cookie, body });
  if (answer.status >= 300) throw new Error(`tokens answered ${answer.status}: ${answer.text}`);
  return answer.body.token;
}

/** A workspace whose admin is the user. @returns its id */
export async function aWorkspace(service: TestService, user: TestUser, name = 'Research'): Promise<number> {
  const answer = await service.request('POST', '/open/workspaces/create', {
    token: user.token,
    body: { name },
  });
  if (answer.status >= 300) throw new Error(`workspaces answered ${answer.status}: ${answer.text}`);
  return answer.body.workspace_id;
}

/** Makes a person with an account a member of the workspace. */
export async function aMember(
  service: TestService,
  admin: TestUser,
  workspaceId: number,
  member: TestUser,
  role: 'admin' | 'user' | 'readonly',
): Promise<void> {
  const path = `/open/workspaces/${workspaceId}/users/add`;
  const answer = await service.request('POST', path, {
    token: admin.token,
    body: { email: member.email, role },
  });
  if (answer.status >= 300) throw new Error(`users/add answered ${answer.status}: ${answer.text}`);
}

/** A published form; `overrides` are members of the request. @returns the form object of the API */
export async function aForm(
  service: TestService,
  user: TestUser,
  workspaceId: number,
  overrides: Record<string, unknown> = {},
): Promise<any> {
  const body = { workspace_id: workspaceId, title: 'Feedback', properties: [aTextField()], ...overrides };
  const answer = await service.request('POST', '/open/forms', { token: user.token, body });
  if (answer.status >= 300) throw new Error(`forms answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

export const TEXT_FIELD_ID = '3700d380-0000-4000-8000-000000000001';

export function aTextField(overrides: Record<string, unknown> = {}) {
  return { id: TEXT_FIELD_ID, type: 'text', name: 'Name', hidden: false, required: false, ...overrides };
}

const FIELD_ID = '3700d380-0000-4000-8000-0000000001';

/** A field of any type with an id of its own, made of two hexadecimal digits. */
export function aField(digits: string, type: string, name: string, overrides: Record<string, unknown> = {}) {
  return { id: FIELD_ID + digits, type, name, hidden: false, required: false, ...overrides };
}
