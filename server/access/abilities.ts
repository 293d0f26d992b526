/** What a token may do. Abilities never imply one another, and there is no wildcard. */
export const ABILITIES = [
  'workspaces-read',
  'workspaces-write',
  'workspace-users-read',
  'workspace-users-write',
  'forms-read',
  'forms-write',
  'manage-integrations',
] as const;

export type Ability = (typeof ABILITIES)[number];

/** Roles of a workspace member, weakest first. */
export const ROLES = ['readonly', 'user', 'admin'] as const;

export type MemberRole = (typeof ROLES)[number];

/** Whether `role` is `needed` or a stronger role. */
export function isAtLeast(role: MemberRole, needed: MemberRole): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
