import type { AuditEvent, Role } from '../../api/queries.ts';
import { chatById } from '../../integrations/chats.ts';
import { providerName } from '../../integrations/providers.ts';
import { formatNumber } from '../../lib/format.ts';
import { memberName } from '../../lib/member-names.ts';
import { ROLE_NAMES } from '../../lib/workspace.ts';

/** Filter options: the first word of verbs. */
export const THINGS: Record<string, string> = {
  form: 'Forms',
  submission: 'Responses',
  member: 'Members',
  invite: 'Invitations',
  workspace: 'Workspace',
  integration: 'Integrations',
  delivery: 'Deliveries',
  recipients: 'Recipients',
  mail_server: 'Mail server',
  payments: 'Payments',
  personal_links: 'Personal links',
  saved_view: 'Saved views',
  scenario: 'Scenarios',
  live_table: 'Live tables',
  picture: 'Pictures',
  export: 'Exports',
  person: 'Personal data',
};

const WORDS: Record<string, string> = {
  'workspace.created': 'Created the workspace',
  'workspace.changed': 'Changed the workspace',
  'workspace.deleted': 'Deleted the workspace',
  'mail_server.changed': 'Set the mail server of the workspace',
  'mail_server.removed': 'Removed the mail server of the workspace',
  'mail_server.tested': 'Tested a mail server',
  'payments.connected': 'Connected a Stripe account',
  'payments.disconnected': 'Disconnected the Stripe account',
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
  'form.trashed': 'Moved a form to the trash',
  'form.taken_out_of_trash': 'Restored a form from the trash',
  'form.deleted': 'Deleted a form',
  'submission.changed': 'Changed a response',
  'submission.trashed': 'Moved responses to the trash',
  'submission.taken_out_of_trash': 'Restored responses from the trash',
  'submission.deleted': 'Deleted responses',
  'submission.released': 'Put a response among the others that had been set aside',
  'submission.imported': 'Imported responses',
  'submission.option_renamed': 'Renamed an option in answers',
  'submission.reviewed': 'Reviewed responses',
  'submission.note_added': 'Wrote a note about a response',
  'submission.changes_deleted': 'Deleted earlier answers of a response',
  'submission.note_deleted': 'Deleted a note about a response',
  'recipients.added': 'Added recipients',
  'recipients.corrected': 'Corrected addresses of recipients',
  'recipients.deleted': 'Deleted recipients',
  'recipients.reopened': 'Let recipients answer once more',
  'recipients.mailed': 'Sent mails to recipients',
  'recipients.mails_cancelled': 'Cancelled mails to recipients',
  'personal_links.changed': 'Changed how personal links are treated',
  'saved_view.created': 'Saved a view of responses',
  'saved_view.changed': 'Changed a saved view',
  'saved_view.deleted': 'Deleted a saved view',
  'scenario.created': 'Added a scenario',
  'scenario.changed': 'Changed a scenario',
  'scenario.deleted': 'Deleted a scenario',
  'live_table.created': 'Made a live table',
  'live_table.deleted': 'Deleted a live table',
  'picture.added': 'Added a picture',
  'picture.removed': 'Removed a picture',
  'integration.created': 'Added an integration',
  'integration.changed': 'Changed an integration',
  'integration.deleted': 'Deleted an integration',
  'integration.stopped': 'Stopped an integration',
  'integration.tested': 'Sent a test delivery',
  'delivery.replayed': 'Sent deliveries again',
  'export.created': 'Exported responses',
  'person.exported': 'Exported the data of a person',
  'person.erased': 'Erased the data of a person',
};

/** The change of a form's `visibility`, in words. */
const SHOWN: Record<string, string> = {
  public: 'Published a form',
  closed: 'Closed a form',
  draft: 'Took a form offline',
};

/** Changes of a form's draft, in words. */
const DRAFTS: Record<string, string> = {
  begun: 'Began to change a form',
  discarded: 'Discarded the changes to a form',
  published: 'Published the changes to a form',
};

/** Further members are only counted. */
const MAX_MEMBERS = 4;

interface DescribedEvent {
  /** What happened. */
  words: string;
  /** What it happened to, by the names that people gave. */
  names: string[];
  /** Our words after them. */
  more: string;
}

/** Describes an event. */
export function describeEvent({ verb, form, target, details }: AuditEvent): DescribedEvent {
  // Unknown verbs, which may be added later, are made readable.
  const what = changeOfForm(verb, details) ?? WORDS[verb] ?? capitalised(verb.replaceAll(/[._]/g, ' '));
  const words = typeof details.count === 'number' ? `${what}: ${formatNumber(details.count)}` : what;
  const names = [...new Set([targetName({ verb, target }), form?.title])].filter(
    (name) => typeof name === 'string' && name !== '',
  ) as string[];
  const role = typeof details.role === 'string' ? ` as ${roleName(details.role)}` : '';
  const members = verb === 'form.changed' ? changedMembers(details.fields) : null;
  const more = members ? `${role}: ${members}` : role;
  return { words, names, more: names.length > 0 ? more : more.replace(/^[: ]+/, '') };
}

/** What it happened to, as one text. */
export function aboutText({ names, more }: Pick<DescribedEvent, 'names' | 'more'>): string {
  return `${names.join(' · ')}${more}`;
}

function targetName({ verb, target }: Pick<AuditEvent, 'verb' | 'target'>) {
  // The id of a response means nothing to readers; the list links to it.
  if (isOfResponse(verb)) return null;
  // An integration has no name of its own: the chat or the provider is recorded.
  if (/^(integration|delivery)\./.test(verb) && target?.name)
    return chatById(target.name)?.name ?? providerName(target.name);
  return target?.name;
}

/** Whether the target of an event is one response. */
export function isOfResponse(verb: string): boolean {
  return verb.startsWith('submission.');
}

function changeOfForm(
  verb: string,
  { draft, visibility, visibility_before, restored_version }: AuditEvent['details'],
) {
  if (verb !== 'form.changed') return undefined;
  if (visibility === 'public' && visibility_before === 'closed') return 'Opened a form again';
  if (typeof restored_version === 'number') return `Brought back version ${restored_version} of a form`;
  return SHOWN[String(visibility)] ?? DRAFTS[String(draft)];
}

function changedMembers(fields: unknown): string | null {
  if (!Array.isArray(fields) || fields.length === 0) return null;
  const names = fields.map((field) => memberName(String(field)));
  const rest = names.length - MAX_MEMBERS;
  return `${names.slice(0, MAX_MEMBERS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function roleName(role: string): string {
  return role in ROLE_NAMES ? ROLE_NAMES[role as Role] : role;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
