import type { JobPayloads } from '../jobs/payloads.ts';

/**
 * What becomes of a waiting background job in a copy: `carried` over, for it works on the data alone; `outward`, it speaks
 * to somebody outside, as deliveries do; `clock`, it comes again by itself.
 */
const JOBS: Record<keyof JobPayloads, 'carried' | 'outward' | 'clock'> = {
  build_export: 'carried',
  purge_form: 'carried',
  send_invite: 'outward',
  resume_exports: 'clock',
  purge_exports: 'clock',
  purge_submissions: 'clock',
  purge_idempotency_keys: 'clock',
  purge_delivery_log: 'clock',
  purge_invites: 'clock',
  purge_sessions: 'clock',
  purge_failed_guesses: 'clock',
  purge_spent_challenges: 'clock',
  purge_drafts: 'clock',
};

/** The background jobs a restored place goes on with. */
export function carriedJobs(withOutward: boolean): string[] {
  return Object.entries(JOBS).flatMap(([name, kind]) =>
    kind === 'carried' || (kind === 'outward' && withOutward) ? [name] : [],
  );
}
