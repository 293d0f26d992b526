import { ApiError, api } from '../api/client.ts';
import type { Role } from '../api/queries.ts';

/** What one person may paste at a time: each address is a call. */
export const MAX_ADDRESSES = 100;

export interface Invited {
  email: string;
  /** To be handed over; null when a mail went out, or the person is a member already. */
  link: string | null;
  message: string;
}

export interface NotInvited {
  email: string;
  reason: string;
}

/** The addresses of a text as people paste it: one on a line, or a list out of a mail program, with names or without. */
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

/** One after the other. Where nobody else would come through either, whoever follows is left, too. */
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
      invited.push({ email, link: link ?? null, message });
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

/** The service is away, or the caller may not invite any more. */
function isOfEverybody({ status }: ApiError): boolean {
  return status === 0 || status === 401 || status === 403 || status >= 500;
}
