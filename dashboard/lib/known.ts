const KEY = 'formstead-known';

/** Whether somebody signed in with this browser before: then signing in is what they want, not an account. */
export function isKnownHere(): boolean {
  return localStorage.getItem(KEY) !== null;
}

export function rememberKnown(): void {
  localStorage.setItem(KEY, '1');
}
