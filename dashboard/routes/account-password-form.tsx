import type { ReactNode } from 'react';
import type { useAction } from '../api/use-action.ts';
import { submitTexts } from '../lib/read-form.ts';
import { Button } from '../ui/button.tsx';
import { DialogActions, DialogCancel, HoldDialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { PasswordInput } from '../ui/input.tsx';

interface PasswordFormProps<Name extends string> {
  /** What the button says that sends it. */
  action: string;
  look: 'primary' | 'danger';
  /** What is sent: the password, and what the children ask. */
  proof: ReturnType<typeof useAction<Record<Name, string>>>;
  /** Where one may still turn back. */
  hasCancel?: boolean;
  /** What is asked beside the password. */
  children?: ReactNode;
}

/** The password once more, before something about the account changes. */
export function PasswordForm<Name extends string>({
  action,
  look,
  proof,
  hasCancel = false,
  children,
}: PasswordFormProps<Name>) {
  return (
    <form className="grid gap-4" onSubmit={submitTexts(proof.run)}>
      <Field name="current_password" label="Your password" errors={proof.errors}>
        <PasswordInput autoComplete="current-password" />
      </Field>
      {children}
      <HoldDialog isHeld={proof.isRunning} />
      <DialogActions>
        {hasCancel && <DialogCancel />}
        <Button type="submit" look={look} isRunning={proof.isRunning}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}
