import { useQuery } from '@tanstack/react-query';
import { type FieldOption, optionPlacesOf } from '../../fields/option-places.ts';
import type { Property } from '../../fields/property.ts';
import { placesQuery } from '../api/queries.ts';
import { formatNumber } from '../lib/format.ts';
import { Card } from '../ui/page.tsx';
import { UserText } from '../ui/user-text.tsx';

/** How many have chosen each option with a limit, by question; nothing for a form without one. */
export function FormPlaces({ formId, blocks }: { formId: string; blocks: readonly Property[] }) {
  const limited = optionPlacesOf(blocks);
  const { data } = useQuery({ ...placesQuery(formId), enabled: limited.length > 0 });
  if (limited.length === 0 || !data) return null;
  const takenOf = ({ field, option }: FieldOption) =>
    data.data.find((one) => one.property_id === field && one.option === option)?.taken ?? 0;
  const questions = blocks.filter(({ id }) => limited.some(({ field }) => field === id));
  return (
    <Card title="Places">
      <div className="grid gap-5">
        {questions.map(({ id, name }) => (
          <section key={id} aria-label={name} className="grid gap-1.5">
            <h3 className="font-medium">
              <UserText text={name} />
            </h3>
            <ul className="-mx-2 grid grid-cols-1 gap-1">
              {limited
                .filter(({ field }) => field === id)
                .map((one) => (
                  <Places key={one.option} option={one.option} all={one.places} taken={takenOf(one)} />
                ))}
            </ul>
          </section>
        ))}
      </div>
    </Card>
  );
}

function Places({ option, all, taken }: { option: string; all: number; taken: number }) {
  const isFull = taken >= all;
  return (
    <li className="relative flex items-center gap-3 rounded-md px-2 py-1.5">
      <span
        aria-hidden="true"
        className="absolute inset-y-0 inset-s-0 rounded-md bg-accent-soft"
        style={{ width: `${Math.min(1, taken / Math.max(1, all)) * 100}%` }}
      />
      <span className="relative min-w-0 flex-1">
        <UserText text={option} />
      </span>
      <span className="relative shrink-0 tabular-nums">
        {formatNumber(taken)} of {formatNumber(all)}
        {isFull && <span className="font-medium"> · full</span>}
      </span>
    </li>
  );
}
