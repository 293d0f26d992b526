import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { formatCount, formatNumber } from '../lib/format.ts';
import { Button } from '../ui/button.tsx';
import { DayInput } from '../ui/day-input.tsx';
import { Dialog, DialogCancel, HoldDialog } from '../ui/dialog.tsx';
import { DialogActions } from '../ui/dialog-actions.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { Notice } from '../ui/states.tsx';
import { TypedField } from '../ui/typed-field.tsx';
import { type DeliveryState, deliveryCountsQuery, rangeOf } from './queries.ts';
import type { DeliveryFilter } from './search.ts';
import { STATES } from './words.ts';

/** Earlier than every delivery, because pending ones are kept for as long as they wait. */
const EVER = new Date(0).toISOString();

interface ReplayProps {
  isOpen: boolean;
  onClose(): void;
  form: string;
  integrationId: string;
  isMail: boolean;
  /** The filter of the log, with which the dialog begins. */
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
          ? 'Sends the same mails at once, and starts the attempts over. Whoever has one already gets it again.'
          : 'Sends the same bodies with the same ids at once, and starts the attempts over. Receivers that remember webhook-id ignore what they have already.'
      }
    >
      <ReplayForm {...props} />
    </Dialog>
  );
}

function ReplayForm({ onClose, form, integrationId, isMail, filter }: ReplayProps) {
  // Failed deliveries are meant unless a state is chosen.
  const [chosen, setChosen] = useState<DeliveryFilter>({ ...filter, state: filter.state ?? 'exhausted' });
  const [typed, setTyped] = useState('');
  const { data: counts, error } = useQuery(deliveryCountsQuery(form, integrationId, chosen));
  const { total, count, twice } = amountsIn(counts, chosen.state);
  const isReady = count !== undefined && count > 0 && (twice === 0 || typed.trim() === String(twice));
  const replay = useAction(
    () =>
      api.post('/open/forms/{form}/integrations/{integrationId}/deliveries/replay', {
        path: { form, integrationId },
        body: { since: EVER, ...rangeOf(chosen) },
      }),
    {
      refresh: [['forms', form, 'integrations', integrationId]],
      toast: ({ message }) => message,
      onDone: onClose,
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !replay.isRunning) replay.run();
  };
  const change = (part: DeliveryFilter) => setChosen((former) => ({ ...former, ...part }));
  const numbered = (name: string, number: number | undefined) =>
    number === undefined ? name : `${name} (${formatNumber(number)})`;
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <Field name="state" label="Which" errors={replay.errors}>
        <Select
          value={chosen.state ?? ''}
          onChange={({ target }) =>
            change({ state: (target.value || undefined) as DeliveryState | undefined })
          }
        >
          <option value="">{numbered('In any state', total)}</option>
          {Object.entries(STATES).map(([state, [name]]) => (
            <option key={state} value={state}>
              {numbered(name, counts?.[state as DeliveryState])}
            </option>
          ))}
        </Select>
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          name="since"
          label="Created from"
          hint="Leave empty for all that are kept."
          errors={replay.errors}
        >
          <DayInput value={chosen.since ?? ''} onChange={(day) => change({ since: day || undefined })} />
        </Field>
        <Field name="until" label="Created to" hint="Leave empty for up to now." errors={replay.errors}>
          <DayInput value={chosen.until ?? ''} onChange={(day) => change({ until: day || undefined })} />
        </Field>
      </div>
      {error && <Notice tone="bad">{error.message}</Notice>}
      {!count && !error && (
        <p aria-live="polite" className="text-muted">
          {count === 0 ? 'No deliveries match.' : 'Counting …'}
        </p>
      )}
      {twice > 0 && (
        <>
          <Notice tone="warn">
            {isMail
              ? `${formatCount(twice, 'mail')} arrived already: whoever got one gets it again.`
              : `${formatCount(twice, 'delivery', 'deliveries')} arrived already: the receiver gets them again.`}
          </Notice>
          <TypedField wanted={String(twice)} typed={typed} onChange={setTyped} inputMode="numeric" />
        </>
      )}
      <HoldDialog isHeld={replay.isRunning} />
      <DialogActions>
        <DialogCancel />
        <Button
          type="submit"
          look={twice > 0 ? 'danger' : 'primary'}
          isRunning={replay.isRunning}
          disabled={!isReady}
        >
          {count ? `Send ${formatNumber(count)} again` : 'Send again'}
        </Button>
      </DialogActions>
    </form>
  );
}

/**
 * How many deliveries there are, how many are meant, and how many of these arrived before and would arrive again; the first two are
 * undefined while they are counted.
 */
function amountsIn(counts: Record<DeliveryState, number> | undefined, state: DeliveryState | undefined) {
  if (!counts) return { total: undefined, count: undefined, twice: 0 };
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const isTwice = state === undefined || state === 'delivered';
  return { total, count: state ? counts[state] : total, twice: isTwice ? counts.delivered : 0 };
}
