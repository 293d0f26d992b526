import type { ReactNode } from 'react';
import type { useAction } from '../../api/use-action.ts';
import { submitTexts } from '../../lib/submit-texts.ts';
import { Button } from '../../ui/button.tsx';
import { DialogCancel, HoldDialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { Field } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/input.tsx';

interface PasswordFormProps<Name extends string> {
  /** Label of the submit button. */
  action: string;
  look: 'primary' | 'danger';
  /** Sends the password and the children's inputs. */
  proof: ReturnType<typeof useAction<Record<Name, string>>>;
  /** Whether it can be cancelled. */
  hasCancel?: boolean;
  /** Whether what it gives is shown only once. */
  isShownOnce?: boolean;
  /** Further inputs. */
  children?: ReactNode;
}

/** Asks for the password again before a change of the account. */
export function PasswordForm<Name extends string>({
  action,
  look,
  proof,
  hasCancel = false,
  isShownOnce = false,
  children,
}: PasswordFormProps<Name>) {
  return (
    <form className="grid grid-cols-1 gap-4" onSubmit={submitTexts(proof.run)}>
      <Field name="current_password" label="Your password" errors={proof.errors}>
        <PasswordInput autoComplete="current-password" />
      </Field>
      {children}
      <HoldDialog isHeld={proof.isRunning} isShownOnce={isShownOnce} />
      <DialogActions>
        {hasCancel && <DialogCancel />}
        <Button type="submit" look={look} isRunning={proof.isRunning}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}
