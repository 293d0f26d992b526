import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { forbidden, type HttpError, invalid, notFound, unauthenticated } from '../http/errors.ts';
import { withFirst } from '../http/route-hooks.ts';
import { parseId } from '../http/schemas/ids.ts';
import { type Ability, isAtLeast, type MemberRole } from './abilities.ts';
import { authenticate, type Caller } from './authenticate.ts';
import { type FormAccess, findFormAccess, findWorkspaceAccess, type WorkspaceAccess } from './queries.ts';

/**
 * Who may call a route. Every route declares one of these in `config.access`; without one the service does not start.
 * Order of the checks: 401 → 403 for the ability → 404 of the named resource → 403 for membership and role → 422 of
 * everything else.
 */
export type Access =
  /** Anybody. */
  | { kind: 'public' }
  /** A signed-in person; tokens do not count. */
  | { kind: 'session' }
  /** Any valid token or session. */
  | { kind: 'caller' }
  /** Any valid token; sessions do not count. */
  | { kind: 'token' }
  /** A token with this ability, or a session; the route reaches only what belongs to the caller. */
  | { kind: 'own'; ability: Ability }
  /** Like `own`, and the caller holds at least `role` in the workspace that the request names. */
  | { kind: 'workspace'; ability: Ability; role: MemberRole; in: 'path' | 'body' | 'query' }
  /**
   * Like `own`, and the caller holds at least `role` in the workspace of the form that the request names. `mayBeGone`: the
   * route itself answers for a missing form, with `formAccess` null. `and`: a second ability that a token needs.
   */
  | {
      kind: 'form';
      ability: Ability;
      and?: Ability;
      role: MemberRole;
      in: 'path' | 'body' | 'query';
      mayBeGone?: boolean;
    };

/** For routes by which members read a form that the path names, or what belongs to it. */
export const FORM_READING = {
  access: { kind: 'form', ability: 'forms-read', role: 'readonly', in: 'path' },
} as const;
/** The same for changes. */
export const FORM_WRITING = {
  access: { kind: 'form', ability: 'forms-write', role: 'user', in: 'path' },
} as const;
/** For routes by which members read what all forms of a workspace have in common. */
export const WORKSPACE_READING = {
  access: { kind: 'workspace', ability: 'forms-read', role: 'readonly', in: 'path' },
} as const;

/** The access of a caller whose role is sufficient. */
type Granted<Found> = Found & { role: MemberRole };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    caller: Caller | null;
    workspaceAccess: Granted<WorkspaceAccess> | null;
    formAccess: Granted<FormAccess> | null;
  }
}

/** Enforces the declared access of every route. */
export function installGuard(app: FastifyInstance, context: Context): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('workspaceAccess', null);
  app.decorateRequest('formAccess', null);
  app.addHook('onRoute', (route) => {
    const access = route.config?.access;
    if (!access) throw new Error(`${route.method} ${route.url} does not declare its access.`);
    if (access.kind === 'public') return;
    route.onRequest = withFirst(checkCaller(context, access), route.onRequest);
    route.preValidation = withFirst(checkResource(context, access), route.preValidation);
  });
}

/** The signed-in user or token holder of a guarded route. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw unauthenticated();
  return request.caller;
}

/** Of the session that makes a request to a route for sessions. */
export function sessionHashOf(request: FastifyRequest): Buffer {
  const { sessionHash } = callerOf(request);
  if (!sessionHash) throw unauthenticated();
  return sessionHash;
}

/** The workspace a guarded route names, with the caller's role in it. */
export function workspaceOf(request: FastifyRequest): Granted<WorkspaceAccess> {
  if (!request.workspaceAccess) throw notFound('Workspace');
  return request.workspaceAccess;
}

/** The form a guarded route names, with the caller's role in its workspace. */
export function formOf(request: FastifyRequest): Granted<FormAccess> {
  if (!request.formAccess) throw notFound('Form');
  return request.formAccess;
}

function checkCaller(context: Context, access: Exclude<Access, { kind: 'public' }>) {
  return async (request: FastifyRequest): Promise<void> => {
    const caller = await authenticate(context, request);
    if (!caller || (access.kind === 'token' && caller.tokenId === null)) throw unauthenticated();
    request.caller = caller;
    if (access.kind === 'session' && caller.tokenId !== null) throw forbidden();
    if (!abilitiesOf(access).every((ability) => caller.abilities.has(ability))) throw forbidden();
  };
}

/** The abilities that a route asks of a token. */
export function abilitiesOf(access: Access): Ability[] {
  if (!('ability' in access)) return [];
  return 'and' in access && access.and ? [access.ability, access.and] : [access.ability];
}

function checkResource(context: Context, access: Access) {
  return async (request: FastifyRequest): Promise<void> => {
    if (access.kind === 'workspace') await checkWorkspace(context, request, access);
    if (access.kind === 'form') await checkForm(context, request, access);
  };
}

async function checkWorkspace(
  context: Context,
  request: FastifyRequest,
  access: Extract<Access, { kind: 'workspace' }>,
) {
  const named = namedId(request, access.in, 'workspaceId', 'workspace_id');
  if (named === undefined) return;
  const id = parseId(named);
  const found = id === null ? null : await findWorkspaceAccess(context.db, id, callerOf(request).userId);
  if (!found) throw missing(access.in, 'workspace_id', { noun: 'Workspace', named });
  request.workspaceAccess = granted(found, access.role);
}

async function checkForm(
  context: Context,
  request: FastifyRequest,
  access: Extract<Access, { kind: 'form' }>,
) {
  const named = namedId(request, access.in, 'form', 'form_id');
  if (named === undefined) return;
  const found = await findFormAccess(context.db, String(named), callerOf(request).userId);
  if (!found && access.mayBeGone) return;
  if (!found) throw missing(access.in, 'form_id', { noun: 'Form', named });
  request.formAccess = granted(found, access.role);
}

/** The id as sent, before any parsing. Undefined leaves the complaint to the schema of the route. */
function namedId(
  request: FastifyRequest,
  place: 'path' | 'body' | 'query',
  inPath: string,
  elsewhere: string,
) {
  if (place === 'path') return (request.params as Record<string, string>)[inPath];
  const bag = (place === 'body' ? request.body : request.query) as Record<string, unknown> | null | undefined;
  const value = bag !== null && typeof bag === 'object' ? bag[elsewhere] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** A resource named in the path is missing (404); one named in body or query is a wrong value (422). */
function missing(
  place: 'path' | 'body' | 'query',
  key: string,
  { noun, named }: { noun: string; named: string | number },
): HttpError {
  if (place === 'path') return notFound(noun);
  const words = key.replaceAll('_', ' ');
  const isBlank = String(named).trim() === '';
  return invalid({
    [key]: [isBlank ? `The ${words} field is required.` : `The selected ${words} is invalid.`],
  });
}

/** @throws HttpError 403 unless the caller is a member with at least the needed role */
function granted<Found extends { role: MemberRole | null }>(
  found: Found,
  needed: MemberRole,
): Granted<Found> {
  const { role } = found;
  if (role === null || !isAtLeast(role, needed)) throw forbidden();
  return { ...found, role };
}
