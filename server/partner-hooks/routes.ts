import { type Access, callerOf, formOf, workspaceOf } from '../access/guard.ts';
import { actorOf } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { unauthenticated } from '../http/errors.ts';
import { Success, success } from '../http/schemas/success.ts';
import { listMemberships } from '../members/queries.ts';
import { findPerson, listFormNames } from './queries.ts';
import { recentSubmissions } from './recent-submissions.ts';
import {
  FormQuery,
  Forms,
  HookAnswer,
  HookBody,
  Person,
  RecentSubmissions,
  WorkspaceQuery,
  Workspaces,
} from './schemas.ts';
import { subscribe, unsubscribe } from './subscribe.ts';

/** Both prefixes have the same endpoints: existing connectors use the partner's name. */
const PREFIXES = ['/external/partner', '/external/zapier'];

const tags = ['Partner hooks'];
const hookAccess = {
  kind: 'form',
  ability: 'manage-integrations',
  role: 'user',
  in: 'body',
} as const satisfies Access;

export function registerPartnerRoutes(app: App, context: Context): void {
  for (const prefix of PREFIXES) {
    registerHookRoutes(app, context, prefix);
    registerLookUpRoutes(app, context, prefix);
  }
}

function registerHookRoutes(app: App, context: Context, prefix: string): void {
  app.post(
    `${prefix}/webhook`,
    {
      config: { access: hookAccess },
      schema: {
        tags,
        summary: 'Subscribe a hook to the new submissions of a form',
        body: HookBody,
        response: { 200: HookAnswer },
      },
    },
    async (request) => {
      const { hookUrl } = request.body;
      await subscribe(context, formOf(request), hookUrl, actorOf(request));
      return success('Webhook created.', { id: hookUrl });
    },
  );

  app.delete(
    `${prefix}/webhook`,
    {
      config: { access: { ...hookAccess, mayBeGone: true } },
      schema: {
        tags,
        summary: 'Unsubscribe a hook',
        description: 'The response is the same when the hook or the form does not exist any more.',
        body: HookBody,
        response: { 200: Success },
      },
    },
    async (request) => {
      await unsubscribe(context, request.formAccess ?? null, request.body.hookUrl, actorOf(request));
      return success('Webhook deleted.');
    },
  );
}

function registerLookUpRoutes(app: App, context: Context, prefix: string): void {
  app.get(
    `${prefix}/validate`,
    {
      config: { access: { kind: 'caller' } },
      schema: { tags, summary: 'Test a token', response: { 200: Person } },
    },
    async (request) => {
      const person = await findPerson(context.db, callerOf(request).userId);
      if (!person) throw unauthenticated();
      return person;
    },
  );

  app.get(
    `${prefix}/workspaces`,
    {
      config: { access: { kind: 'own', ability: 'workspaces-read' } },
      schema: { tags, summary: 'List the workspaces to choose from', response: { 200: Workspaces } },
    },
    async (request) => listMemberships(context.db, callerOf(request).userId),
  );

  app.get(
    `${prefix}/forms`,
    {
      config: { access: { kind: 'workspace', ability: 'forms-read', role: 'readonly', in: 'query' } },
      schema: {
        tags,
        summary: 'List the forms of a workspace to choose from',
        querystring: WorkspaceQuery,
        response: { 200: Forms },
      },
    },
    async (request) => {
      const forms = await listFormNames(context.db, workspaceOf(request).id);
      return forms.map(({ id, title, slug }) => ({ id, name: title, label: `${title} (${slug})` }));
    },
  );

  app.get(
    `${prefix}/submissions/recent`,
    {
      config: { access: { kind: 'form', ability: 'manage-integrations', role: 'user', in: 'query' } },
      schema: {
        tags,
        summary: 'Show what a hook of this form receives',
        querystring: FormQuery,
        response: { 200: RecentSubmissions },
      },
    },
    async (request) => recentSubmissions(context, formOf(request).id),
  );
}
