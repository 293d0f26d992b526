/** Query keys of a visit that is over once its form was sent. */
const OF_WHAT_WAS_SENT = ['visit', 'at', 'step', 'submission_hash'];

/** Loads the form's page for a new visit, for whoever comes back to it: the same answers sent once more are another submission. */
export function loadAnew(): void {
  const address = new URL(location.href);
  for (const key of OF_WHAT_WAS_SENT) address.searchParams.delete(key);
  if (address.href === location.href) location.reload();
  else location.replace(address);
}
