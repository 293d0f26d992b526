import { callerOf, workspaceOf } from '../access/guard.ts';
import { findUser } from '../accounts/queries.ts';
import { actorOf } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import { sendMail } from '../deliveries/deliver-mail.ts';
import { endpointChangesInForce } from '../deliveries/endpoints.ts';
import type { App } from '../http/app-type.ts';
import { notFound } from '../http/errors.ts';
import { success } from '../http/schemas/success.ts';
import { limitConcurrencyPerKey } from '../limit-concurrency.ts';
import { lockWorkspace } from '../workspaces/queries.ts';
import type { MailServer } from './mail-servers.ts';
import { deleteMailServer, findMailServer, saveMailServer } from './queries.ts';
import { readMailServer } from './read-mail-server.ts';
import { deleteSchema, readSchema, saveSchema, testSchema } from './schemas.ts';

const PATH = '/open/workspaces/:workspaceId/mail-server';
const access = { kind: 'workspace', ability: 'workspaces-write', role: 'admin', in: 'path' } as const;

/** Tests of a workspace at a time, and waiting: a server may take long to answer. */
const TESTS_AT_ONCE = 2;
const TESTS_WAITING = 4;

export function registerMailServerRoutes(app: App, context: Context): void {
  const { db, mailer } = context;
  const inTurn = limitConcurrencyPerKey(TESTS_AT_ONCE, TESTS_WAITING);

  app.get(PATH, { config: { access }, schema: readSchema }, async (request) => {
    const server = await findMailServer(db, workspaceOf(request).id);
    return { mail_server: server && present(server), service_sends_mail: mailer.isConfigured };
  });

  app.put(PATH, { config: { access }, schema: saveSchema }, async (request) => {
    const { id } = workspaceOf(request);
    const server = await db.transaction().execute(async (trx) => {
      if (!(await lockWorkspace(trx, id))) throw notFound('Workspace');
      const wanted = readMailServer(context, id, request.body, await findMailServer(trx, id));
      await saveMailServer(trx, wanted);
      const { host, port, security, senderAddress: sender_address } = wanted;
      const details = { host, port, security, sender_address };
      await recordEvent(trx, actorOf(request), { verb: 'mail_server.changed', workspaceId: id, details });
      return wanted;
    });
    await endpointChangesInForce();
    return success('Mail server saved.', { mail_server: present(server) });
  });

  app.delete(PATH, { config: { access }, schema: deleteSchema }, async (request) => {
    const { id } = workspaceOf(request);
    await db.transaction().execute(async (trx) => {
      if (!(await deleteMailServer(trx, id))) throw notFound('Mail server');
      await recordEvent(trx, actorOf(request), { verb: 'mail_server.removed', workspaceId: id });
    });
    await endpointChangesInForce();
    return success('Mail server removed.');
  });

  app.post(`${PATH}/test`, { config: { access }, schema: testSchema }, async (request) => {
    const { id } = workspaceOf(request);
    const server = readMailServer(context, id, request.body, await findMailServer(db, id));
    const user = await findUser(db, callerOf(request).userId);
    if (!user) throw notFound('User');
    await db.transaction().execute((trx) => {
      const { host, port } = server;
      const event = { verb: 'mail_server.tested', workspaceId: id, details: { host, port } } as const;
      return recordEvent(trx, actorOf(request), event);
    });
    return inTurn(String(id), () => sendTest(context, server, user.email));
  });
}

async function sendTest({ mailerOf, log, baseUrl }: Context, server: MailServer, to: string) {
  const mail = {
    to,
    subject: 'Test mail from Formstead',
    text: `This mail came through ${server.host}. Mails from forms of the workspace can go the same way.\n\n${baseUrl()}`,
    isAutomatic: 'generated',
  } as const;
  const result = await sendMail(mailerOf(server), log, mail, false);
  if (!result.ok)
    return { type: 'error' as const, message: result.detail, status_code: null, failure: result.reason };
  const { status: status_code, bodyExcerpt: words } = result;
  const isTaken = status_code < 300;
  return {
    type: isTaken ? ('success' as const) : ('error' as const),
    message: `The mail server ${isTaken ? 'took' : 'refused'} the mail to ${to}: ${words}`,
    status_code,
    failure: null,
  };
}

function present({ host, port, security, userName, password, senderAddress, senderName }: MailServer) {
  return {
    host,
    port,
    security,
    user_name: userName,
    has_password: password !== null,
    sender_address: senderAddress,
    sender_name: senderName,
  };
}
