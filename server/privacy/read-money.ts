import type { Db } from '../db/database.ts';
import { findAwaitedPayments, findPayments } from '../payments/queries.ts';
import type { PersonSubmission } from './search-queries.ts';

type Named = Pick<PersonSubmission, 'id' | 'public_id' | 'status'>;

/** What was paid for some submissions of a form, or has to be before they count. */
export async function readMoney(db: Db, formId: number, submissions: readonly Named[]) {
  const [waiting, others] = [submissions.filter(isSetAside), submissions.filter((one) => !isSetAside(one))];
  const payments = await findPayments(
    db,
    formId,
    others.map(({ public_id }) => public_id),
  );
  const waitings = await findAwaitedPayments(
    db,
    formId,
    waiting.map(({ id }) => id),
  );
  return (submission: Named) =>
    isSetAside(submission)
      ? { payment: undefined, waiting: waitings.get(submission.id) }
      : { payment: payments.get(submission.public_id), waiting: undefined };
}

function isSetAside({ status }: Named): boolean {
  return status === 'set_aside';
}
