/** Under it stands who is signed in with this browser; nothing after a sign-out, and no entry before the first sign-in. */
export const KNOWN_KEY = 'formstead-known';

/** Whether somebody signed in with this browser before: then signing in is what they want, not an account. */
export function isKnownHere(): boolean {
  return localStorage.getItem(KNOWN_KEY) !== null;
}

/** @param userId null when nobody is any more */
export function rememberSignedIn(userId: number | null): void {
  localStorage.setItem(KNOWN_KEY, String(userId ?? ''));
}
