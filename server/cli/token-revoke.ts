import { revokeToken } from '../access/issue-token.ts';
import { CLI } from '../audit/actor.ts';
import { parseId } from '../http/schemas/ids.ts';
import { CommandError, type CommandIo, UsageError } from './command.ts';
import { withDatabase } from './open-database.ts';
import { readOptions } from './options.ts';
import { USAGES } from './usages.ts';

const USAGE = USAGES['token revoke'].usage;

/** Revokes a token; its next request is refused. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { positionals } = readOptions(args, {}, USAGE, 1);
  const id = parseId(positionals[0]);
  if (id === null) throw new UsageError(`Usage: formstead ${USAGE}`);
  if (!(await withDatabase((db) => revokeToken(db, id, null, CLI))))
    throw new CommandError(`There is no token ${id}.`);
  io.out(`Token ${id} revoked.`);
  return 0;
}
