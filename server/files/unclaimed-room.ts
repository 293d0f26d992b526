import { MEGABYTE } from '../../fields/upload-rules.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { clientNetwork } from '../http/client-network.ts';
import { HttpError } from '../http/errors.ts';
import { countUnclaimed } from './queries.ts';

/** Files that one sender may leave unclaimed at one form, and their bytes together. */
const MAX_OWN = { count: 300, size: 1024 * MEGABYTE };
/** The same for all senders of a form together. */
const MAX_ALL = { count: 10_000, size: 10 * 1024 * MEGABYTE };
const TRY_AGAIN_SECONDS = '600';

/** Who sends a file, as far as anybody has to know: a keyed hash of form and network. */
export function senderOf({ secrets }: Context, formId: number, address: string): Buffer {
  return Buffer.from(secrets.sign(`${formId} ${clientNetwork(address)}`, 'sender').slice(0, 32), 'hex');
}

/** What comes to what a form has already. */
interface Addition {
  /** 0 for a part of a file that is counted already. */
  files: 0 | 1;
  bytes: number;
  /** Bytes that the whole file may have. */
  fileSize: number;
}

/**
 * Makes sure that sender and form have room for more, under a lock that lets one upload of the form in at a time.
 * @throws HttpError 429 when the sender has left too much unclaimed, 503 when all have together
 */
export async function requireRoom(
  trx: Transaction,
  formId: number,
  sender: Buffer,
  { files, bytes, fileSize }: Addition,
): Promise<void> {
  const { own, all } = await countUnclaimed(trx, formId, sender);
  // A workspace may take files as large as that together: one still fits, and once more when it is sent again.
  const maxOwnSize = Math.max(MAX_OWN.size, 2 * fileSize);
  if (own.count + files > MAX_OWN.count || own.size + bytes > maxOwnSize)
    throw new HttpError(
      429,
      'Too many files were uploaded without being sent. Please send the form first, or try again later.',
      { error: 'too_many_uploads' },
      { 'retry-after': TRY_AGAIN_SECONDS },
    );
  if (all.count + files > MAX_ALL.count || all.size + bytes > MAX_ALL.size)
    throw new HttpError(
      503,
      'This form takes no more files at the moment. Please try again later.',
      { error: 'too_many_uploads' },
      { 'retry-after': TRY_AGAIN_SECONDS },
    );
}
