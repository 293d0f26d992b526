import type { AuditEvent } from '../api/queries.ts';

/** What one can filter by: the first word of the verbs. */
export const THINGS: Record<string, string> = {
  form: 'Forms',
  submission: 'Answers',
  member: 'Members',
  invite: 'Invitations',
  workspace: 'Workspace',
  integration: 'Integrations',
  delivery: 'Deliveries',
  export: 'Exports',
  person: 'Personal data',
};

const WORDS: Record<string, string> = {
  'workspace.created': 'Created the workspace',
  'workspace.changed': 'Changed the workspace',
  'workspace.deleted': 'Deleted the workspace',
  'member.added': 'Added a member',
  'member.role_changed': 'Changed a role',
  'member.removed': 'Removed a member',
  'member.left': 'Left the workspace',
  'invite.created': 'Invited somebody',
  'invite.resent': 'Renewed an invitation',
  'invite.cancelled': 'Cancelled an invitation',
  'invite.accepted': 'Accepted an invitation',
  'form.created': 'Created a form',
  'form.changed': 'Changed a form',
  'form.link_changed': 'Gave a form a new link',
  'form.duplicated': 'Copied a form',
  'form.moved': 'Moved a form',
  'form.deleted': 'Deleted a form',
  'submission.changed': 'Changed an answer',
  'submission.deleted': 'Deleted answers',
  'integration.created': 'Added an integration',
  'integration.changed': 'Changed an integration',
  'integration.deleted': 'Deleted an integration',
  'integration.stopped': 'Stopped an integration',
  'integration.tested': 'Sent a test delivery',
  'delivery.replayed': 'Sent deliveries again',
  'export.created': 'Exported answers',
  'person.exported': 'Exported the data of a person',
  'person.erased': 'Erased the data of a person',
};

/** An event in words: what happened, and to what. */
export function describeEvent({ verb, form, target, details }: AuditEvent): { words: string; about: string } {
  // Verbs are added in time; a new one still reads well enough.
  const words = WORDS[verb] ?? capitalised(verb.replaceAll(/[._]/g, ' '));
  const role = typeof details.role === 'string' ? `as ${details.role}` : null;
  const about = [...new Set([target?.name, form?.title])].filter(Boolean).join(' · ');
  return { words, about: [about, role].filter(Boolean).join(' ') };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
