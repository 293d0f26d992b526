import { listAllTokens } from '../access/queries.ts';
import type { CommandIo } from './command.ts';
import { oneLine } from './one-line.ts';
import { withDatabase } from './open-database.ts';
import { readOptions } from './options.ts';
import { USAGES } from './usages.ts';

const USAGE = USAGES['token list'].usage;
const OPTIONS = { email: { type: 'string' } } as const;
const COLUMNS = ['id', 'email', 'name', 'starts with', 'abilities', 'last used', 'expires', 'status'];

/** Prints one line per token with tabs between columns. Nothing shows the tokens themselves. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values } = readOptions(args, OPTIONS, USAGE);
  const tokens = await withDatabase((db) => listAllTokens(db, values.email?.trim() ?? null));
  io.out(COLUMNS.join('\t'));
  for (const token of tokens) {
    const lastUse = token.last_used_at?.toISOString() ?? 'never';
    const expiry = token.expires_at?.toISOString() ?? 'never';
    const cells = [
      token.id,
      token.email,
      token.name,
      token.token_start,
      token.abilities.join(','),
      lastUse,
      expiry,
      token.status,
    ];
    io.out(cells.map(oneLine).join('\t'));
  }
  return 0;
}
