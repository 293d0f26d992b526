import { type FormEvent, useState } from 'react';
import { api } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input, Select } from '../ui/input.tsx';
import { type DeliveryState, rangeOf } from './queries.ts';
import type { DeliveryFilter } from './search.ts';
import { STATES } from './words.ts';

/** Deliveries are kept for so long, in days. */
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

interface ReplayProps {
  isOpen: boolean;
  onClose(): void;
  form: string;
  integrationId: string;
  isMail: boolean;
  /** What the log shows; the dialog begins with it. */
  filter: DeliveryFilter;
}

export function ReplayDialog(props: ReplayProps) {
  return (
    <Dialog
      isOpen={props.isOpen}
      onClose={props.onClose}
      title="Send deliveries again"
      description={
        props.isMail
          ? 'The same mails, at once, with all attempts ahead. Whoever has got one gets it again.'
          : 'The same bodies and ids, at once, with all attempts ahead. Receivers that remember webhook-id do nothing twice.'
      }
    >
      <ReplayForm {...props} />
    </Dialog>
  );
}

function ReplayForm({ onClose, form, integrationId, filter }: ReplayProps) {
  const [chosen, setChosen] = useState<DeliveryFilter>(filter);
  const replay = useAction(
    () => {
      const { since = new Date(Date.now() - KEPT_DAYS * DAY_MS).toISOString(), ...rest } = rangeOf(chosen);
      return api.post('/open/forms/{form}/integrations/{integrationId}/deliveries/replay', {
        path: { form, integrationId },
        body: { since, ...rest },
      });
    },
    {
      refresh: [['forms', form, 'integrations', integrationId]],
      toast: ({ message }) => message,
      onDone: onClose,
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    replay.run();
  };
  const change = (part: DeliveryFilter) => setChosen((former) => ({ ...former, ...part }));
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <Field name="state" label="Which" errors={replay.errors}>
        <Select
          value={chosen.state ?? ''}
          onChange={({ target }) =>
            change({ state: (target.value || undefined) as DeliveryState | undefined })
          }
        >
          <option value="">In any state</option>
          {Object.entries(STATES).map(([state, [name]]) => (
            <option key={state} value={state}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field name="since" label="Created from" hint="Empty: all that are kept." errors={replay.errors}>
          <Input
            type="date"
            value={chosen.since ?? ''}
            onChange={({ target }) => change({ since: target.value || undefined })}
          />
        </Field>
        <Field name="until" label="Created to" hint="Empty: now." errors={replay.errors}>
          <Input
            type="date"
            value={chosen.until ?? ''}
            onChange={({ target }) => change({ until: target.value || undefined })}
          />
        </Field>
      </div>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isRunning={replay.isRunning}>
          Send again
        </Button>
      </DialogActions>
    </form>
  );
}
