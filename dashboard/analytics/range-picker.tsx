import { useState } from 'react';
import { DayInput } from '../ui/day-input.tsx';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { lengthOf, PRESETS, type RangeSearch, rangeOf } from './range.ts';

/** Days of so many years, and what is said of more. */
const LONGEST = { 1: [366, 'One year at most.'], 2: [731, 'Two years at most.'] } as const;

interface RangePickerProps {
  search: RangeSearch;
  /** Days shown by default. */
  usual: number;
  /** The longest range that the service accepts. */
  maxYears: keyof typeof LONGEST;
  onChange(next: RangeSearch): void;
}

/** Chooses a range of days: one that ends today, or one between two days. */
export function RangePicker({ search, usual, maxYears, onChange }: RangePickerProps) {
  return (
    <>
      <Field name="preset" label="Days" isLabelHidden>
        <Select
          className="w-36 sm:w-44"
          value={search.from ? 'own' : String(search.days ?? usual)}
          onChange={({ target: { value } }) => {
            if (value === 'own') onChange(rangeOf(search, usual, new Date()));
            else onChange(Number(value) === usual ? {} : { days: Number(value) });
          }}
        >
          {PRESETS.map(([days, name]) => (
            <option key={days} value={days}>
              {name}
            </option>
          ))}
          <option value="own">Between two days</option>
        </Select>
      </Field>
      {search.from && (
        <OwnRange range={rangeOf(search, usual, new Date())} maxYears={maxYears} onChange={onChange} />
      )}
    </>
  );
}

function OwnRange({
  range,
  maxYears,
  onChange,
}: Pick<RangePickerProps, 'maxYears'> & {
  range: { from: string; to: string };
  onChange(range: { from: string; to: string }): void;
}) {
  const [days, setDays] = useState(range);
  const change = (part: Partial<typeof range>) => {
    const next = { ...days, ...part };
    setDays(next);
    if (next.from && next.to && problemOf(next, maxYears) === null) onChange(next);
  };
  const problem = problemOf(days, maxYears);
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

function problemOf(range: { from: string; to: string }, maxYears: keyof typeof LONGEST): string | null {
  const [maxDays, text] = LONGEST[maxYears];
  if (range.from > range.to) return 'The first day comes after the last.';
  return lengthOf(range) > maxDays ? text : null;
}
