import { MAILING_JOBS } from '../jobs/payloads.ts';

/** Waiting jobs that a restored copy may run: they touch only its own data. */
const CARRIED: string[] = ['build_export', 'cancel_deliveries', 'purge_form', 'remove_files'];
/** The background jobs that a restored installation continues. All others are started by the clock again. */
export function carriedJobs(withOutward: boolean): string[] {
  return withOutward ? [...CARRIED, ...MAILING_JOBS] : CARRIED;
}
