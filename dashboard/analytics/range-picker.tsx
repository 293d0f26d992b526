import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Switch } from '../ui/checkbox.tsx';
import { DayInput } from '../ui/day-input.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { type AnalyticsSearch, rangeOf } from './search.ts';

const PRESETS = [
  ['7', 'Last 7 days'],
  ['', 'Last 30 days'],
  ['90', 'Last 90 days'],
  ['365', 'Last 12 months'],
  ['own', 'Between two days'],
] as const;

/** The range of days, and whether partial responses are shown beside completed ones. */
export function RangePicker({ search }: { search: AnalyticsSearch }) {
  const navigate = useNavigate({ from: '/workspaces/$workspaceId/forms/$formId/analytics' });
  const range = rangeOf(search, new Date());
  const change = (next: AnalyticsSearch) =>
    void navigate({ search: { ...next, ...(search.partials && { partials: true }) }, replace: true });
  return (
    <div className="mb-5 flex flex-wrap items-end gap-3">
      <Field name="preset" label="Days" isLabelHidden>
        <Select
          className="w-36 sm:w-44"
          value={search.from ? 'own' : String(search.days ?? '')}
          onChange={({ target: { value } }) => {
            if (value === 'own') change(range);
            else change(value === '' ? {} : { days: Number(value) as 7 | 90 | 365 });
          }}
        >
          {PRESETS.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      {search.from && <OwnRange range={range} onChange={change} />}
      <Switch
        label="Partial responses"
        className="ms-auto self-center"
        checked={search.partials ?? false}
        onChange={({ target: { checked } }) =>
          void navigate({
            search: ({ partials: _, ...former }) => ({
              ...former,
              ...(checked && { partials: true as const }),
            }),
            replace: true,
          })
        }
      />
    </div>
  );
}

/** Two years, the longest range the service accepts. */
const MAX_DAYS = 731;
const DAY_MS = 86_400_000;

function OwnRange({
  range,
  onChange,
}: {
  range: { from: string; to: string };
  onChange(range: { from: string; to: string }): void;
}) {
  const [days, setDays] = useState(range);
  const change = (part: Partial<typeof range>) => {
    const next = { ...days, ...part };
    setDays(next);
    if (next.from && next.to && problemOf(next) === null) onChange(next);
  };
  const problem = problemOf(days);
  return (
    <>
      <Field name="from" label="First day" isLabelHidden errors={problem ? { from: [problem] } : {}}>
        <DayInput className="w-40" value={days.from} onChange={(from) => change({ from })} />
      </Field>
      <Field name="to" label="Last day" isLabelHidden>
        <DayInput className="w-40" value={days.to} onChange={(to) => change({ to })} />
      </Field>
    </>
  );
}

function problemOf({ from, to }: { from: string; to: string }): string | null {
  if (from > to) return 'The first day comes after the last.';
  const length = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return length > MAX_DAYS ? 'Two years at most.' : null;
}
