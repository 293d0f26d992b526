import { rankedNames } from '../../fields/choices/ranking-places.ts';
import type { Property } from '../../fields/property.ts';
import { formatNumber } from '../lib/format.ts';
import { formatShare } from './figures.tsx';
import type { FieldFigures } from './queries.ts';
import { wholeNames } from './whole-names.ts';

interface RanksProps {
  property: Property;
  ranking: NonNullable<FieldFigures['ranking']>;
}

/** The options with their average rank, the best first; the longer the bar, the nearer to rank 1. */
export function Ranks({ property, ranking }: RanksProps) {
  const options = rankedNames(property);
  const wholeOf = wholeNames(options);
  const places = Math.max(options.length, ...ranking.map(({ mean }) => Math.ceil(mean)));
  return (
    <table className="w-full table-fixed border-collapse">
      <thead>
        <tr className="text-xs text-muted">
          <th scope="col" className="pb-2 text-start font-medium">
            Option
          </th>
          <th scope="col" className="w-20 pb-2 ps-3 text-end font-medium">
            Average place
          </th>
          <th scope="col" className="w-24 pb-2 ps-3 text-end font-medium">
            First
          </th>
        </tr>
      </thead>
      <tbody>
        {ranking.map(({ value, mean, first, count }) => (
          <tr key={value} className="border-t border-line">
            <th scope="row" className="relative px-2 py-1.5 text-start font-normal">
              <span
                aria-hidden="true"
                className="drawn-behind-text absolute inset-y-0.5 inset-s-0 rounded-md bg-accent-soft"
                style={{ width: `${((places + 1 - mean) / places) * 100}%` }}
              />
              <bdi className="relative wrap-anywhere">{wholeOf(value)}</bdi>
            </th>
            <td className="ps-3 text-end font-semibold tabular-nums">
              {formatNumber(Math.round(mean * 100) / 100)}
            </td>
            <td className="ps-3 text-end whitespace-nowrap tabular-nums">
              {formatNumber(first)} <span className="text-muted">{formatShare(first, count)}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
