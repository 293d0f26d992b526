import { type FormEvent, useState } from 'react';
import { api, type Body } from '../../api/client.ts';
import { tokensQuery } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy-button.tsx';
import { Dialog, DialogCancel, HoldDialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { ABILITIES, AbilityChoice, readTokenTerms, TokenEnd } from './token-terms.tsx';

type TokenBody = Body<'/settings/tokens', 'post'>;

interface NewTokenProps {
  isOpen: boolean;
  onClose(): void;
}

export function NewToken(props: NewTokenProps) {
  // Mounted anew each time it opens, so that no token stays in memory.
  return props.isOpen ? <OpenNewToken {...props} /> : null;
}

function OpenNewToken({ isOpen, onClose }: NewTokenProps) {
  const [token, setToken] = useState<string | null>(null);
  const create = useAction((body: TokenBody) => api.post('/settings/tokens', { body }), {
    refresh: [tokensQuery.queryKey],
    refreshesAnyway: true,
    onDone: (answer) => setToken(answer.token),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    create.run({ name: String(data.get('name')), ...readTokenTerms(data) });
  };
  if (token !== null) {
    return (
      <Dialog
        isOpen={isOpen}
        onClose={onClose}
        title="Your new token"
        isShownOnce
        description="Copy it now: it is not shown again."
      >
        <CopyField text={token} label="Token" />
        <DialogActions>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="New token">
      <form className="grid gap-4" onSubmit={submit}>
        <Field
          name="name"
          label="Name"
          hint="What it is for, such as “Nightly export”."
          errors={create.errors}
        >
          <Input required maxLength={255} />
        </Field>
        <AbilityChoice
          offered={ABILITIES}
          chosen={['forms-read']}
          isMissing={create.errors.abilities !== undefined}
        />
        <TokenEnd errors={create.errors} />
        <HoldDialog isHeld={create.isRunning} isShownOnce />
        <DialogActions>
          <DialogCancel />
          <Button type="submit" look="primary" isRunning={create.isRunning}>
            Create token
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
