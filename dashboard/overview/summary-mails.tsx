import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Answer, api } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { summaryMailsQuery } from './queries.ts';

type Every = Answer<'/open/workspaces/{workspaceId}/summary-mails'>['every'];

const CHOICES: [Every, string, string][] = [
  [null, 'No summary by mail', 'You are mailed no summary.'],
  ['day', 'Daily summary', 'You are mailed a summary of each day in which something happened.'],
  ['week', 'Weekly summary', 'You are mailed a summary of each week in which something happened.'],
];

/** How often oneself is mailed what the overview shows. Not there where no mail can be sent. */
export function SummaryMails({ workspaceId }: { workspaceId: number }) {
  const query = summaryMailsQuery(workspaceId);
  const { data } = useQuery(query);
  /** What was chosen and may not be saved yet; null when nothing was. */
  const [chosen, setChosen] = useState<{ every: Every } | null>(null);
  const saving = useAction(
    async (every: Every) => {
      try {
        await api.put('/open/workspaces/{workspaceId}/summary-mails', {
          path: { workspaceId },
          body: { every },
        });
      } catch (error) {
        setChosen(null);
        throw error;
      }
    },
    {
      refresh: [query.queryKey],
      refreshesAnyway: true,
      toast: (_, saved) => CHOICES.find(([every]) => every === saved)?.[2] ?? '',
      onDone: (_, saved) => setChosen((now) => (now?.every === saved ? null : now)),
    },
  );
  const stored = data?.every;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a choice made during saving is saved afterwards
  useEffect(() => {
    if (chosen === null || stored === undefined || saving.isRunning) return;
    if (chosen.every === stored) setChosen(null);
    else saving.run(chosen.every);
  }, [chosen, stored, saving.isRunning]);
  if (!data || (!data.can_mail && data.every === null)) return null;
  return (
    <Field name="every" label="Summary by mail" isLabelHidden className="sm:ms-auto">
      <Select
        className="w-50"
        value={(chosen ?? data).every ?? ''}
        onChange={({ target: { value } }) =>
          setChosen({ every: CHOICES.find(([every]) => (every ?? '') === value)?.[0] ?? null })
        }
      >
        {CHOICES.map(([every, name]) => (
          <option key={every} value={every ?? ''}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
