import { ApiError, api } from '../../api/client.ts';
import type { Role } from '../../api/queries.ts';

/** Most addresses to paste at a time, because each is a call. */
export const MAX_ADDRESSES = 100;

/** The API's only sign that nobody was added. */
const MEMBER_ALREADY = 'User is already in workspace.';

export interface Invited {
  email: string;
  /** The role is then as before. */
  wasMember: boolean;
  /** A link to hand over; null if it was mailed, or the person is already a member. */
  link: string | null;
  message: string;
}

export interface NotInvited {
  email: string;
  reason: string;
}

/** Addresses from a pasted text: one per line, or a list from a mail program, with or without names. */
export function readAddresses(text: string): string[] {
  const withoutNames = text.replace(/"[^"\n]*"/g, ' ');
  const addresses = withoutNames.split(/[,;\n]/).flatMap((piece) => {
    const [, address] = /<([^<>]*)>\s*$/.exec(piece) ?? [];
    return (address ?? piece).split(/\s+/).filter((word) => word !== '');
  });
  const known = new Set<string>();
  return addresses.filter((address) => {
    const isNew = !known.has(address.toLowerCase());
    known.add(address.toLowerCase());
    return isNew;
  });
}

/** Invites one person after another. If a failure concerns everybody, the rest is left out. */
export async function invitePeople(
  workspaceId: number,
  emails: readonly string[],
  role: Role,
): Promise<{ invited: Invited[]; left: NotInvited[] }> {
  const invited: Invited[] = [];
  const left: NotInvited[] = [];
  for (const [index, email] of emails.entries()) {
    try {
      const { invite_link: link, message } = await api.post('/open/workspaces/{workspaceId}/users/add', {
        path: { workspaceId },
        body: { email, role },
      });
      invited.push({ email, wasMember: message === MEMBER_ALREADY, link: link ?? null, message });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { message: reason } = error;
      if (isOfEverybody(error)) {
        left.push(...emails.slice(index).map((email) => ({ email, reason })));
        break;
      }
      left.push({ email, reason });
    }
  }
  return { invited, left };
}

/** `2 people were invited or added. 1 was a member already; the role stays.` */
export function invitedWords(invited: readonly Invited[]): string {
  const added = invited.filter(({ wasMember }) => !wasMember);
  const members = invited.length - added.length;
  const [only] = added;
  const words: string[] = [];
  if (only)
    words.push(
      added.length === 1
        ? `${only.email} is invited or a member now.`
        : `${added.length} people were invited or added.`,
    );
  if (members > 0)
    words.push(
      members === 1
        ? `${invited.length === 1 ? invited[0]?.email : '1'} was a member already; the role stays.`
        : `${members} were members already; their roles stay.`,
    );
  return words.join(' ');
}

/** Whether it concerns everybody: the service is unavailable, or the user may no longer invite. */
function isOfEverybody({ status }: ApiError): boolean {
  return status === 0 || status === 401 || status === 403 || status >= 500;
}
