import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type Role, type User, userQuery, type Workspace, workspacesQuery } from '../api/queries.ts';

const ORDER: Role[] = ['readonly', 'user', 'admin'];
const LAST_KEY = 'formstead-workspace';

export const ROLE_NAMES: Record<Role, string> = { admin: 'Admin', user: 'Editor', readonly: 'Viewer' };
/** Within a sentence. */
export const A_ROLE: Record<Role, string> = { admin: 'an admin', user: 'an editor', readonly: 'a viewer' };
export const ROLE_MEANINGS: Record<Role, string> = {
  admin: 'Everything, members and the workspace included',
  user: 'Makes and changes forms, reads and changes responses',
  readonly: 'Reads forms and responses',
};

export function isAtLeast(role: Role, needed: Role): boolean {
  return ORDER.indexOf(role) >= ORDER.indexOf(needed);
}

/** Why a role is not enough; null if it is. */
function refusal(role: Role, needed: Role): string | null {
  if (isAtLeast(role, needed)) return null;
  return needed === 'admin'
    ? `Only admins of this workspace can do this. You are ${A_ROLE[role]}.`
    : 'As a viewer you can look at forms, responses and figures, but not change them.';
}

/** The workspace in the address does not exist for the user. */
export class NoWorkspace extends Error {
  constructor() {
    super('This workspace does not exist, or you are not a member of it.');
  }
}

/** The workspace in the address. */
export function useWorkspace(): Workspace {
  const { workspaceId } = useParams({ strict: false });
  const { data } = useSuspenseQuery(workspacesQuery);
  const found = data.find(({ id }) => id === Number(workspaceId));
  if (!found) throw new NoWorkspace();
  return found;
}

/** Why the user lacks this role here; null if not. For `disabledReason`. */
export function useRefusal(needed: Role): string | null {
  return refusal(useWorkspace().role, needed);
}

/** The signed-in user. */
export function useUser(): User {
  const { data } = useSuspenseQuery(userQuery);
  if (!data) throw new Error('Nobody is signed in.');
  return data;
}

export function rememberWorkspace(id: number): void {
  localStorage.setItem(LAST_KEY, String(id));
}

/** The workspace used last in this browser, or the first. */
export function usualWorkspace(workspaces: Workspace[]): Workspace | undefined {
  const last = Number(localStorage.getItem(LAST_KEY));
  return workspaces.find(({ id }) => id === last) ?? workspaces[0];
}
