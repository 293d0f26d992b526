import { MAILING_JOBS } from '../jobs/payloads.ts';

/** Waiting jobs that a copy goes on with: they work on its own data alone. */
const CARRIED: string[] = ['build_export', 'cancel_deliveries', 'purge_form', 'remove_files'];
/** The background jobs a restored place goes on with. All others run by the clock, and come again by themselves. */
export function carriedJobs(withOutward: boolean): string[] {
  return withOutward ? [...CARRIED, ...MAILING_JOBS] : CARRIED;
}
