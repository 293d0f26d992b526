import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import { findMailServer } from './queries.ts';

/** Said to whoever asks for mails where none can be sent. */
export const NO_MAIL_SERVER = 'Neither this workspace nor this service has a mail server.';

/** Whether the service or the workspace has a mail server. Commands, which open none, can ask it too. */
export async function canMail(
  { db, config }: { db: Db; config: Pick<Config, 'smtpUrl'> },
  workspaceId: number,
): Promise<boolean> {
  return config.smtpUrl !== null || (await findMailServer(db, workspaceId)) !== null;
}
