import { accountAddress } from '../accounts/email.ts';
import type { Db } from '../db/database.ts';
import { type Check, ok, warn } from './finding.ts';
import { listUnusualAddresses } from './queries.ts';

const SHOWN = 5;

/** Earlier versions stored domains as they were written, and some can be read as another one. */
export function accountsCheck(db: Db): Check {
  return {
    name: 'accounts',
    mend: 'Look at the log of PostgreSQL.',
    async examine() {
      const odd = (await listUnusualAddresses(db)).filter(({ email }) => accountAddress(email) !== email);
      if (odd.length === 0) return ok('every address is written as mail is sent to it');
      const shown = odd
        .slice(0, SHOWN)
        .map(({ email, isInvite }) => `${isInvite ? 'invite of ' : ''}${email}`);
      const more = odd.length > SHOWN ? `, and ${odd.length - SHOWN} more` : '';
      return warn(
        `not written as mail is sent to it: ${shown.join(', ')}${more}`,
        'If you know whose they are, run formstead user set-email with the same address twice; else delete the account. Cancel such invites.',
      );
    },
  };
}
