import { type ReactNode, useState } from 'react';
import { api } from '../api/client.ts';
import { saveRest } from '../form-builder/saving/running-save.ts';
import { isAnythingUnsaved } from '../lib/unsaved.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useSessionEnd } from './use-session-end.ts';

/** Milliseconds after which a screen knows that it has been saved. */
const RENDERED_MS = 50;

/** @param stays whether the screen is also for visitors who are not signed in */
export function useSignOut({ stays = false } = {}) {
  return useSessionEnd(() => api.post('/logout'), { stays });
}

/** Signs out after saving what can be saved, and asks first if something would be lost. */
export function useSignOutSafely(): { signOut(): void; question: ReactNode } {
  const leave = useSignOut();
  const [isAsking, setAsking] = useState(false);
  const signOut = async () => {
    await saveRest().catch(() => {});
    if (isAnythingUnsaved()) await new Promise((resolve) => setTimeout(resolve, RENDERED_MS));
    if (isAnythingUnsaved()) setAsking(true);
    else leave.run();
  };
  const question = (
    <ConfirmDialog
      isOpen={isAsking}
      onClose={() => setAsking(false)}
      title="Sign out without saving?"
      action="Sign out"
      isRunning={leave.isRunning}
      onConfirm={() => leave.run()}
    >
      <p>What you have not saved on this screen would be lost.</p>
    </ConfirmDialog>
  );
  return { signOut: () => void signOut(), question };
}
