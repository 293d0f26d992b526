import { workspaceOf } from '../access/guard.ts';
import { actorOf } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { notFound } from '../http/errors.ts';
import { success } from '../http/schemas/success.ts';
import { limitConcurrencyPerKey } from '../limit-concurrency.ts';
import { lockWorkspace } from '../workspaces/queries.ts';
import { checkKey, keyPurpose, type PaymentAccount } from './account.ts';
import { deleteAccount, findAccount, saveAccount } from './account-queries.ts';
import { deleteSchema, readSchema, saveSchema } from './schemas.ts';

const PATH = '/open/workspaces/:workspaceId/payments';
const access = { kind: 'workspace', ability: 'workspaces-write', role: 'admin', in: 'path' } as const;
/** Shown in place of the key. */
const MASK = '********';
/** Keys of a workspace that are checked at a time, and that wait. */
const CHECKS_AT_ONCE = 2;
const CHECKS_WAITING = 4;

/** The account at Stripe that the forms of a workspace take payments for. */
export function registerPaymentRoutes(app: App, context: Context): void {
  const { db, secrets } = context;
  const inTurn = limitConcurrencyPerKey(CHECKS_AT_ONCE, CHECKS_WAITING);

  app.get(PATH, { config: { access }, schema: readSchema }, async (request) => {
    const account = await findAccount(db, workspaceOf(request).id);
    return { payments: account && present(account) };
  });

  app.put(PATH, { config: { access }, schema: saveSchema }, async (request) => {
    const { id } = workspaceOf(request);
    const given = request.body.stripe_secret_key;
    const { secretKey, ...account } = await inTurn(String(id), () => checkKey(context, id, given));
    const sealed = secrets.encrypt(secretKey, keyPurpose(id));
    await db.transaction().execute(async (trx) => {
      if (!(await lockWorkspace(trx, id))) throw notFound('Workspace');
      await saveAccount(trx, { ...account, sealed });
      const details = { mode: account.mode, account: account.name };
      await recordEvent(trx, actorOf(request), { verb: 'payments.connected', workspaceId: id, details });
    });
    return success('Account connected.', { payments: present(account) });
  });

  app.delete(PATH, { config: { access }, schema: deleteSchema }, async (request) => {
    const { id } = workspaceOf(request);
    await db.transaction().execute(async (trx) => {
      if (!(await deleteAccount(trx, id))) throw notFound('Payment account');
      await recordEvent(trx, actorOf(request), { verb: 'payments.disconnected', workspaceId: id });
    });
    return success('Account disconnected.');
  });
}

function present({ mode, name }: Pick<PaymentAccount, 'mode' | 'name'>) {
  return { provider: 'stripe' as const, mode, account: name, stripe_secret_key: MASK } as const;
}
