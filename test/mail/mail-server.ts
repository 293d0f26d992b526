import type { SmtpServer } from '../setup/smtp-server.ts';

/** A request body that makes this server the one of a workspace. */
export function aMailServer({ url }: SmtpServer, more: object = {}) {
  const { hostname, port } = new URL(url);
  return {
    host: hostname,
    port: Number(port),
    security: 'none',
    sender_address: 'team@example.org',
    sender_name: 'Team: A (B)',
    ...more,
  };
}

export function mailServerPath(workspaceId: number): string {
  return `/open/workspaces/${workspaceId}/mail-server`;
}
