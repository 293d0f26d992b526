import type { AmountDue } from '../../fields/payment.ts';
import type { Context } from '../context.ts';
import { HttpError } from '../http/errors.ts';
import { clientHash, clientNeighbourhood } from '../http/network/client-network.ts';
import type { PublishedForm } from '../submissions/published-form/published-form.ts';
import { accountOf } from './account.ts';
import { countUnpaid } from './queries.ts';

/** Most submissions of a form that wait to be paid: of all senders, and of one network. */
const MAX_WAITING = 10_000;
const MAX_OF_NETWORK = 1_000;
/** A full form is asked again after an hour; an account may be connected any moment. */
const FULL_SECONDS = '3600';
const DISCONNECTED_SECONDS = '300';

/** What a sender has to pay before a submission counts. */
export interface Owed extends AmountDue {
  /** A keyed hash of form and network: the address cannot be read from it. */
  sender: Buffer;
}

/**
 * Lets a submission wait until it is paid.
 * @param address of the sender
 * @throws HttpError 429 when as many wait already as may, 503 while nobody could pay
 */
export async function admitUnpaid(
  context: Context,
  form: Pick<PublishedForm, 'id' | 'workspaceId'>,
  due: AmountDue,
  address: string,
): Promise<Owed> {
  const { db, secrets } = context;
  const sender = clientHash(secrets, `${form.id} ${clientNeighbourhood(address)}`, 'unpaid-sender');
  if ((await accountOf(context, form.workspaceId)) === null) throw disconnected();
  const { all, own } = await countUnpaid(db, form.id, sender);
  if (own >= MAX_OF_NETWORK) throw tooMany('Too many people of your network have not paid at this form yet.');
  if (all >= MAX_WAITING) throw tooMany('Too many people have not paid at this form yet.');
  return { ...due, sender };
}

function tooMany(message: string): HttpError {
  return new HttpError(
    429,
    `${message} Please try again later.`,
    { error: 'too_many_unpaid' },
    { 'retry-after': FULL_SECONDS },
  );
}

function disconnected(): HttpError {
  return new HttpError(
    503,
    'This form cannot take payments at the moment. Please try again later.',
    { error: 'payments_disconnected' },
    { 'retry-after': DISCONNECTED_SECONDS },
  );
}
