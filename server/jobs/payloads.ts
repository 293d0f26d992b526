/** What each background job is given. Jobs carry ids only and read the rest when they run. */
export interface JobPayloads {
  build_export: { jobId: string };
  send_invite: { inviteId: number };
  send_mail: { to: string; subject: string; text: string };
}
