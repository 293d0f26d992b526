import { type FormEvent, useState } from 'react';
import { api, type Body } from '../api/client.ts';
import { tokensQuery } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { CopyField } from '../ui/copy-button.tsx';
import { Dialog, DialogActions, DialogCancel, HoldDialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input, Select } from '../ui/input.tsx';

type TokenBody = Body<'/settings/tokens', 'post'>;
type Ability = TokenBody['abilities'][number];

const ABILITIES: [Ability, string][] = [
  ['forms-read', 'Read forms and answers'],
  ['forms-write', 'Make, change and delete forms and answers'],
  ['manage-integrations', 'Read and change integrations'],
  ['workspaces-read', 'Read workspaces'],
  ['workspaces-write', 'Make, change and delete workspaces, read the audit log'],
  ['workspace-users-read', 'Read members'],
  ['workspace-users-write', 'Invite, change and remove members'],
];
const ENDS: [string, string][] = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'One year'],
  ['', 'Never'],
];

interface NewTokenProps {
  isOpen: boolean;
  onClose(): void;
}

export function NewToken(props: NewTokenProps) {
  // A new one each time it opens, so that no token is left in memory.
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
    const days = String(data.get('expires_in_days'));
    create.run({
      name: String(data.get('name')),
      abilities: data.getAll('abilities') as Ability[],
      expires_in_days: days === '' ? null : Number(days),
    });
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
        <fieldset className="grid gap-2">
          <legend className="mb-2 font-medium">What it may do</legend>
          {ABILITIES.map(([ability, meaning]) => (
            <Checkbox
              key={ability}
              name="abilities"
              value={ability}
              label={
                <>
                  {meaning} <code className="text-xs whitespace-nowrap text-muted">{ability}</code>
                </>
              }
              defaultChecked={ability === 'forms-read'}
            />
          ))}
          {create.errors.abilities && (
            <p role="alert" className="text-[0.8125rem] text-bad">
              Choose at least one.
            </p>
          )}
        </fieldset>
        <Field name="expires_in_days" label="Ends after" errors={create.errors}>
          <Select defaultValue="90">
            {ENDS.map(([days, label]) => (
              <option key={days} value={days}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <HoldDialog isHeld={create.isRunning} />
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
