import { purposeOf } from '../accounts/second-factor.ts';
import { tokenPurpose } from '../exports/jobs/build-export.ts';
import { INTEGRATION_PURPOSE } from '../integrations/secrets.ts';
import { passwordPurpose } from '../mail/mail-servers.ts';
import { INVITE_PURPOSE } from '../members/invite-link.ts';
import { keyPurpose } from '../payments/account.ts';

/** A column with values encrypted by the secret box. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The numeric primary key of the table. */
  key: string;
  /** Another column that the purpose uses; the key when absent. */
  name?: string;
  /** The purpose that the value was encrypted for. */
  purpose(row: { id: number; name: string }): string;
}

/** All such columns. */
export const SEALED_COLUMNS: SealedColumn[] = [
  { table: 'integrations', column: 'secrets_encrypted', key: 'id', purpose: () => INTEGRATION_PURPOSE },
  { table: 'workspace_invites', column: 'token_encrypted', key: 'id', purpose: () => INVITE_PURPOSE },
  {
    table: 'export_jobs',
    column: 'file_token_encrypted',
    key: 'id',
    name: 'job_id',
    purpose: ({ name }) => tokenPurpose(name),
  },
  { table: 'second_factors', column: 'secret_encrypted', key: 'user_id', purpose: ({ id }) => purposeOf(id) },
  {
    table: 'workspace_mail_servers',
    column: 'password_encrypted',
    key: 'workspace_id',
    purpose: ({ id }) => passwordPurpose(id),
  },
  {
    table: 'workspace_payment_accounts',
    column: 'secret_key_encrypted',
    key: 'workspace_id',
    purpose: ({ id }) => keyPurpose(id),
  },
];
