import type { JobPayloads } from '../jobs/payloads.ts';

/** Waiting jobs that a copy goes on with: they work on its own data alone. */
const CARRIED: string[] = ['build_export', 'cancel_deliveries', 'purge_form', 'remove_files'];
/** Those that speak to somebody outside, as deliveries do. */
const OUTWARD: (keyof JobPayloads)[] = [
  'send_invite',
  'mail_password_link',
  'mail_email_link',
  'mail_email_changed',
];

/** The background jobs a restored place goes on with. All others run by the clock, and come again by themselves. */
export function carriedJobs(withOutward: boolean): string[] {
  return withOutward ? [...CARRIED, ...OUTWARD] : CARRIED;
}
