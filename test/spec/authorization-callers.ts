import { afterAll, beforeAll, expect } from 'vitest';
import { ABILITIES, type MemberRole } from '../../server/access/abilities.ts';
import { newToken } from '../../server/access/token-format.ts';
import type { Context } from '../../server/context.ts';
import { type Answer, startService, type TestService } from '../setup/service.ts';
import { type StripeServer, startStripeServer } from '../setup/stripe-server.ts';
import {
  type Call,
  type Column,
  callOf,
  nameOf,
  parametersOf,
  type RouteRow,
} from './authorization-routes.ts';
import {
  aConnectionOf,
  aConsentCall,
  aNote,
  anEmailLink,
  aPasswordLink,
  aPendingSignIn,
  aPerson,
  aPlace,
  aSecondFactorOf,
  aSessionIdOf,
  aSessionOf,
  aTokenOf,
  aTokenRequest,
  type Person,
  type Place,
  writeExportFile,
} from './authorization-world.ts';

/** Without a worker, only requests change the database. */
const QUIET = {
  ROLES: 'http',
  // The mail server and the provider cannot be reached, so beginning a sign-in leads back to the sign-in page.
  SMTP_URL: 'smtp://127.0.0.1:9',
  OIDC_ISSUER: 'http://127.0.0.1:9',
  OIDC_CLIENT_ID: 'formstead',
  OIDC_CLIENT_SECRET: 'secret',
};

type Who = 'outsider' | 'neighbour' | 'readonly' | 'user' | 'admin';

interface World {
  service: TestService;
  context: Context;
  people: Record<Who, Person>;
  /** The place that the three members belong to. */
  home: Place;
  /** A place whose only admin is the neighbour. */
  foreign: Place;
  /** A place like `home`, for one request that changes it. */
  newPlace(): Promise<Place>;
}

/** Before the tests of a file, starts a service with people and places; stops it after them. */
export function useWorld(): World {
  const world = {} as World;
  let stripe: StripeServer | undefined;
  beforeAll(async () => {
    stripe = await startStripeServer();
    const env = { ...QUIET, STRIPE_API_URL: stripe.url, OUTBOUND_ALLOW_PRIVATE: 'true' };
    world.service = await startService({ env });
    const { context } = world.service;
    world.context = context;
    const names: Who[] = ['outsider', 'neighbour', 'readonly', 'user', 'admin'];
    const people = await Promise.all(names.map(async (name) => [name, await aPerson(context, name)]));
    world.people = Object.fromEntries(people);
    // A second admin, so that nobody is the last one.
    const founder = await aPerson(context, 'Founder');
    const { readonly, user, admin, neighbour } = world.people;
    const members = new Map<Person, MemberRole>([
      [founder, 'admin'],
      [readonly, 'readonly'],
      [user, 'user'],
      [admin, 'admin'],
    ]);
    world.newPlace = () => aPlace(context, members);
    world.home = await world.newPlace();
    world.foreign = await aPlace(context, new Map([[neighbour, 'admin']]));
    await writeExportFile(context, world.home);
  });
  afterAll(async () => {
    await world.service?.stop();
    await stripe?.close();
  });
  return world;
}

export interface Caller {
  name: string;
  column: Column;
  isSession: boolean;
  /** The person whose things a path may name; for callers who are nobody, the admin. */
  person: Person;
  credentials: { token?: string; cookie?: string };
}

/** All who may call a route, or those of them who are wanted. */
export async function callersOf(
  world: World,
  row: RouteRow,
  isWanted: (caller: Pick<Caller, 'name' | 'column' | 'isSession'>) => boolean = () => true,
): Promise<Caller[]> {
  const wanted = potentialCallers(world, row).filter(isWanted);
  return Promise.all(wanted.map(async ({ letIn, ...caller }) => ({ ...caller, credentials: await letIn() })));
}

interface PotentialCaller extends Omit<Caller, 'credentials'> {
  letIn(): Caller['credentials'] | Promise<Caller['credentials']>;
}

function potentialCallers({ context, people }: World, row: RouteRow): PotentialCaller[] {
  const { admin } = people;
  const nobody = (name: string, credentials: Caller['credentials']): PotentialCaller => ({
    name,
    column: 'nobody',
    isSession: false,
    person: admin,
    letIn: () => credentials,
  });
  const unable = async () => ({ token: (await aTokenOf(context, admin, allBut(row))).token });
  const callers: PotentialCaller[] = [
    nobody('no token', {}),
    nobody('garbage token', { token: 'garbage' }),
    nobody('unknown token', { token: newToken() }),
    nobody('garbage session', { cookie: 'formstead_session=garbage' }),
    nobody('unknown session', { cookie: `formstead_session=${'a'.repeat(43)}` }),
    { ...nobody('token without the ability', {}), column: 'unable', letIn: unable },
  ];
  for (const [column, person] of Object.entries(people) as [Who, Person][]) {
    const caller = { column, person };
    callers.push({ ...caller, name: column, isSession: false, letIn: () => ({ token: person.token }) });
    // A public route needs only one session.
    if (row.needs === 'nothing' && column !== 'admin') continue;
    const signIn = async () => ({ cookie: await aSessionOf(context, await inSession(context, row, person)) });
    callers.push({ ...caller, name: `session of ${column}`, isSession: true, letIn: signIn });
  }
  return callers;
}

/** The person whose session calls a route. A route that removes the account gets somebody whom no later test needs. */
export async function inSession(context: Context, row: RouteRow, person: Person): Promise<Person> {
  return nameOf(row) === 'DELETE /user' ? aPerson(context) : person;
}

/** All abilities but the one a route needs, or but the second of two; none at all for a route that needs none. */
function allBut({ needs }: RouteRow): string[] {
  const needed = needs.split('+').at(-1);
  return ABILITIES.some((ability) => ability === needed)
    ? ABILITIES.filter((ability) => ability !== needed)
    : [];
}

export function expectedStatus(
  row: RouteRow,
  { column, isSession }: Pick<Caller, 'column' | 'isSession'>,
): number {
  return isSession && row.session !== null ? row.session : row.answers[column];
}

const FACTOR_NEEDED: Record<string, 'none' | 'enrolled' | 'confirmed'> = {
  'POST /settings/second-factor': 'none',
  'POST /settings/second-factor/confirm': 'enrolled',
  'POST /settings/second-factor/recovery-codes': 'confirmed',
  'DELETE /settings/second-factor': 'confirmed',
};

/** Brings a person who is let in into a state in which the route can do its work. */
export async function prepareState({ context }: World, row: RouteRow, person: Person): Promise<void> {
  const factor = FACTOR_NEEDED[nameOf(row)];
  if (factor) await aSecondFactorOf(context, person, factor);
  if (nameOf(row) === 'POST /settings/single-sign-on') await aConnectionOf(context, person, false);
  if (nameOf(row) === 'DELETE /settings/single-sign-on') await aConnectionOf(context, person, true);
}

/** The call of a route; a token or session to revoke, and a note, are the caller's own. */
export async function prepareCall(
  { context }: World,
  row: RouteRow,
  place: Place,
  person: Person,
): Promise<Call> {
  const ownIds: Record<string, string | number> = {};
  if (parametersOf(row).includes('tokenId')) ownIds.tokenId = (await aTokenOf(context, person)).id;
  if (parametersOf(row).includes('sessionId')) ownIds.sessionId = await aSessionIdOf(context, person);
  if (parametersOf(row).includes('noteId')) ownIds.noteId = await aNote(context, place, person.id);
  const call = callOf(row, place, person, ownIds);
  if (nameOf(row) === 'POST /login/second-factor') return { ...call, body: await aPendingSignIn(context) };
  if (nameOf(row) === 'PUT /password') return { ...call, body: await aPasswordLink(context) };
  if (row.path === '/oauth/consent') return aConsentCall(context, call);
  if (nameOf(row) === 'POST /oauth/token') return { ...call, raw: await aTokenRequest(context) };
  if (nameOf(row) === 'PUT /user/email') return { ...call, body: await anEmailLink(context, person) };
  return call;
}

export function send(
  { service }: Pick<World, 'service'>,
  { method, path, body, raw }: { method: string; path: string; body?: unknown; raw?: Call['raw'] },
  credentials: Caller['credentials'] = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  if (!raw) return service.request(method, path, { ...credentials, body, headers });
  const typed = { ...headers, ...raw.headers, 'content-type': raw.type };
  return service.request(method, path, { ...credentials, body: raw.text, headers: typed });
}

/** Checks that a refusal is JSON with a message, and reveals nothing about the resource. */
export function expectRefusal(answer: Answer, label: string): void {
  expect(answer.status, `${label}: ${answer.text}`).toBeOneOf([401, 403, 404]);
  expect(answer.headers.get('content-type'), label).toContain('application/json');
  // OData JSON Format 4.0, 19: the message is in the member `error`.
  const message = { message: expect.stringMatching(/\S/) };
  const inOData = { error: { code: expect.stringMatching(/^\w+$/), ...message } };
  expect(answer.body, label).toEqual(answer.headers.has('odata-version') ? inOData : message);
  expect(answer.headers.get('www-authenticate'), label).toEqual(
    answer.status === 401 ? expect.stringMatching(/^Bearer\b/) : null,
  );
}

/** Members of body and query that name the resource to which access is checked. */
const NAMING = ['workspace_id', 'form_id'];

/**
 * The same call with bodies and queries that no route accepts: wrong types, values that cannot be stored, no object. The
 * members that name the resource stay.
 */
export function spoiledCalls({ method, path, body = {} }: Call) {
  const query = `${path.includes('?') ? '&' : '?'}limit=none&page=-1&per_page=none&before=none&state=none`;
  if (method === 'GET') return [{ method, path: path + query, body: undefined }];
  const naming = Object.fromEntries(Object.entries(body).filter(([key]) => NAMING.includes(key)));
  const wrong = Object.fromEntries(Object.keys(body).map((key) => [key, { not: ['valid'] }]));
  const spoiled: unknown[] = [
    { ...wrong, ...naming },
    { ...body, extra: '\u0000' },
  ];
  // A body that is no object cannot name a resource.
  if (Object.keys(naming).length === 0) spoiled.push([], 'null', '"text"');
  return [{ method, path: path + query, body }, ...spoiled.map((one) => ({ method, path, body: one }))];
}
