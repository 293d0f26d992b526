import { setEmail } from '../accounts/change-email.ts';
import type { CommandIo } from './command.ts';
import { withDatabase } from './open-database.ts';
import { readOptions, requiredEmail } from './options.ts';
import { USAGES } from './usages.ts';

const USAGE = USAGES['user set-email'].usage;
const OPTIONS = { email: { type: 'string' }, 'new-email': { type: 'string' } } as const;

/** Changes the address of an account; its sessions and tokens stay. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values } = readOptions(args, OPTIONS, USAGE);
  const former = requiredEmail(values.email, USAGE);
  const email = requiredEmail(values['new-email'], USAGE, 'new-email');
  const user = await withDatabase((db) => setEmail(db, former, email));
  io.out(`Address set: ${user.email}`);
  return 0;
}
