import { useQuery } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { useChoice } from '../api/use-choice.ts';
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
  const every = useChoice(
    data?.every ?? null,
    (chosen) =>
      api.put('/open/workspaces/{workspaceId}/summary-mails', {
        path: { workspaceId },
        body: { every: chosen },
      }),
    {
      refresh: [query.queryKey],
      refreshesAnyway: true,
      toast: (saved) => CHOICES.find(([one]) => one === saved)?.[2] ?? '',
    },
  );
  if (!data || (!data.can_mail && data.every === null)) return null;
  return (
    <Field name="every" label="Summary by mail" isLabelHidden className="sm:ms-auto">
      <Select
        className="w-50"
        value={every.value ?? ''}
        onChange={({ target: { value } }) =>
          every.choose(CHOICES.find(([one]) => (one ?? '') === value)?.[0] ?? null)
        }
      >
        {CHOICES.map(([one, name]) => (
          <option key={one} value={one ?? ''}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
