import { resetSecondFactor } from '../accounts/second-factor.ts';
import { CLI } from '../audit/actor.ts';
import type { CommandIo } from './command.ts';
import { withDatabase } from './open-database.ts';
import { readOptions, requiredEmail } from './options.ts';
import { USAGES } from './usages.ts';

const USAGE = USAGES['user reset-2fa'].usage;
const OPTIONS = { email: { type: 'string' } } as const;

/** Switches off the second factor of somebody who has lost device and recovery codes. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values } = readOptions(args, OPTIONS, USAGE);
  const email = requiredEmail(values.email, USAGE);
  await withDatabase((db) => resetSecondFactor(db, email, CLI));
  io.out(`${email} signs in with the password alone now.`);
  return 0;
}
