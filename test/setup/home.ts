import { afterAll, beforeAll, expect } from 'vitest';
import { aForm, aMember, aToken, aUser, aWorkspace, type TestUser } from './factories.ts';
import { type Answer, type ServiceOptions, startService, type TestService } from './service.ts';

type MemberRole = 'admin' | 'user' | 'readonly';

/** A service for one test file, a person who owns a workspace, and short functions for what tests do most often. */
export interface Home {
  service: TestService;
  /** The admin of `workspaceId`. */
  ada: TestUser;
  workspaceId: number;
  /** Calls the API as Ada with every ability; with another token if one is given, without any if it is `null`. */
  call(method: string, path: string, body?: unknown, token?: string | null): Promise<Answer>;
  /** Makes a published form of Ada's. */
  form(overrides?: Record<string, unknown>): Promise<any>;
  /** Sends a public submission. */
  submit(form: { slug: string }, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The submissions of a form as its owner reads them, the latest first. */
  records(form: { id: number }): Promise<any[]>;
  /** A person with this role in Ada's workspace. Every call returns the same one, so tests must not change them. */
  member(role: MemberRole): Promise<TestUser>;
  /** A new person with this role. Slower: every registration hashes a password. */
  newMember(role: MemberRole, workspaceId?: number): Promise<TestUser>;
  /** A person in none of Ada's workspaces. Every call returns the same one. */
  stranger(): Promise<TestUser>;
  /** A token of Ada's with only these abilities. */
  tokenWith(...abilities: string[]): Promise<string>;
}

/** Starts it before the tests of the file and stops it after them. */
export function useHome(
  options: ServiceOptions | (() => ServiceOptions | Promise<ServiceOptions>) = {},
): Home {
  const members = new Map<MemberRole, Promise<TestUser>>();
  let stranger: Promise<TestUser> | undefined;
  const home: Home = {
    service: undefined as unknown as TestService,
    ada: undefined as unknown as TestUser,
    workspaceId: 0,
    call: (method, path, body, token = home.ada.token) =>
      home.service.request(method, path, { token: token ?? undefined, body }),
    form: (overrides) => aForm(home.service, home.ada, home.workspaceId, overrides),
    submit: (form, body, headers = {}) =>
      home.service.request('POST', `/forms/${form.slug}/answer`, { body, headers }),
    async records(form) {
      const answer = await home.call('GET', `/open/forms/${form.id}/submissions`);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.data;
    },
    member(role) {
      const member = members.get(role) ?? home.newMember(role);
      members.set(role, member);
      return member;
    },
    stranger() {
      stranger ??= aUser(home.service, { name: 'Mallory' });
      return stranger;
    },
    async newMember(role, workspaceId = home.workspaceId) {
      const person = await aUser(home.service, { name: 'Grace' });
      await aMember(home.service, home.ada, workspaceId, person, role);
      return person;
    },
    tokenWith: (...abilities) => aToken(home.service, home.ada, abilities),
  };
  beforeAll(async () => {
    home.service = await startService(typeof options === 'function' ? await options() : options);
    home.ada = await aUser(home.service);
    home.workspaceId = await aWorkspace(home.service, home.ada);
  });
  afterAll(() => home.service?.stop());
  return home;
}

/** Checks a 422: exactly these keys, each with a list of texts, and a message that begins with the first text. */
export function expectInvalid(answer: Answer, ...keys: string[]): Record<string, string[]> {
  expect(answer.status, answer.text).toBe(422);
  expect(Object.keys(answer.body.errors).sort()).toEqual([...keys].sort());
  const texts: string[] = Object.values<string[]>(answer.body.errors).flat();
  for (const text of texts) expect(text).toBeTypeOf('string');
  expect(texts.some((text) => answer.body.message.startsWith(text))).toBe(true);
  return answer.body.errors;
}

/** Checks an error that is not a 422: the status and a JSON body with a message. */
export function expectRefused(answer: Answer, status: number): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(answer.body.message).toBeTypeOf('string');
  expect(answer.body.message).not.toBe('');
}
