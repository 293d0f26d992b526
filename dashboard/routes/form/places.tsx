import { useQuery } from '@tanstack/react-query';
import { fieldPlacesOf } from '../../../fields/choices/option-places.ts';
import type { Property } from '../../../fields/property.ts';
import { placesQuery } from '../../api/queries.ts';
import { formatNumber } from '../../lib/format.ts';
import { Card } from '../../ui/page.tsx';
import { UserText } from '../../ui/user-text.tsx';

/** How often each option with a limit was chosen, by question; nothing if there are no such options. */
export function FormPlaces({ formId, blocks }: { formId: string; blocks: readonly Property[] }) {
  const fields = fieldPlacesOf(blocks);
  const { data } = useQuery({ ...placesQuery(formId), enabled: fields.length > 0 });
  if (fields.length === 0 || !data) return null;
  const takenOf = (field: string, option: string) =>
    data.data.find((one) => one.property_id === field && one.option === option)?.taken ?? 0;
  const titleOf = (field: string) => blocks.find(({ id }) => id === field)?.name ?? '';
  return (
    <Card title="Places">
      <div className="grid grid-cols-1 gap-5">
        {fields.map(({ field, limited }) => (
          <section key={field} aria-label={titleOf(field)} className="grid grid-cols-1 gap-1.5">
            <h3 className="font-medium">
              <UserText text={titleOf(field)} />
            </h3>
            <ul className="-mx-2 grid grid-cols-1 gap-1">
              {limited.map(({ name, places }) => (
                <Places key={name} option={name} all={places} taken={takenOf(field, name)} />
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
