import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { summaryMailsQuery } from './queries.ts';

type Every = Answer<'/open/workspaces/{workspaceId}/summary-mails'>['every'];

const CHOICES: [Every, string, string][] = [
  [null, 'No mails', 'You are mailed no summary.'],
  ['day', 'Daily mail', 'You are mailed a summary of each day in which something happened.'],
  ['week', 'Weekly mail', 'You are mailed a summary of each week in which something happened.'],
];

/** How often oneself is mailed what the overview shows. Not there where no mail can be sent. */
export function SummaryMails({ workspaceId }: { workspaceId: number }) {
  const client = useQueryClient();
  const query = summaryMailsQuery(workspaceId);
  const { data } = useQuery(query);
  const saving = useAction(
    (every: Every) =>
      api.put('/open/workspaces/{workspaceId}/summary-mails', { path: { workspaceId }, body: { every } }),
    {
      refresh: [query.queryKey],
      refreshesAnyway: true,
      toast: (_, chosen) => CHOICES.find(([every]) => every === chosen)?.[2] ?? '',
    },
  );
  if (!data || (!data.can_mail && data.every === null)) return null;
  const choose = (every: Every) => {
    client.setQueryData(query.queryKey, { ...data, every });
    saving.run(every);
  };
  return (
    <Field name="every" label="Summary by mail" isLabelHidden className="ml-auto">
      <Select
        className="w-36 sm:w-40"
        value={data.every ?? ''}
        onChange={({ target: { value } }) =>
          choose(CHOICES.find(([every]) => (every ?? '') === value)?.[0] ?? null)
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
