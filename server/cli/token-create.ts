import { issueToken, MAX_EXPIRY_DAYS, tokenExpiry } from '../access/issue-token.ts';
import { findUserByEmail } from '../accounts/queries.ts';
import { CLI } from '../audit/actor.ts';
import { CommandError, type CommandIo, UsageError } from './command.ts';
import { withDatabase } from './open-database.ts';
import { abilityList, readOptions, required, requiredEmail } from './options.ts';
import { USAGES } from './usages.ts';

const USAGE = USAGES['token create'].usage;
const OPTIONS = {
  email: { type: 'string' },
  name: { type: 'string' },
  abilities: { type: 'string' },
  expires: { type: 'string' },
} as const;
const DAYS = /^([1-9]\d{0,4})d$/;

/** Makes an access token and prints nothing else, so that a script can use the output as it is. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values } = readOptions(args, OPTIONS, USAGE);
  const email = requiredEmail(values.email, USAGE);
  const name = required(values.name, 'name', USAGE);
  const abilities = abilityList(required(values.abilities, 'abilities', USAGE));
  const expiresAt = expiry(values.expires);
  const token = await withDatabase(async (db) => {
    const user = await findUserByEmail(db, email);
    if (!user) throw new CommandError(`There is no account ${email}. Make one with: formstead user create`);
    return (await issueToken(db, { userId: user.id, name, abilities, expiresAt }, CLI)).token;
  });
  io.out(token);
  return 0;
}

function expiry(text: string | undefined): Date | null {
  const [, days] = DAYS.exec(text ?? '') ?? [];
  if (days !== undefined && Number(days) <= MAX_EXPIRY_DAYS) return tokenExpiry(Number(days), undefined);
  try {
    return tokenExpiry(undefined, text);
  } catch {
    throw new UsageError(
      `--expires takes days such as 30d (at most ${MAX_EXPIRY_DAYS}d), never, or a time in the future such as 2027-01-31T12:00Z.\nUsage: formstead ${USAGE}`,
    );
  }
}
