/** Key of the id of the user signed in with this browser: an empty value after signing out, no entry before the first sign-in. */
export const KNOWN_KEY = 'formstead-known';

/** Whether somebody has signed in with this browser before, and so wants to sign in rather than register. */
export function isKnownHere(): boolean {
  return localStorage.getItem(KNOWN_KEY) !== null;
}

/** @param userId null after signing out */
export function rememberSignedIn(userId: number | null): void {
  localStorage.setItem(KNOWN_KEY, String(userId ?? ''));
}
