import { useQuery } from '@tanstack/react-query';
import { formatCount, formatNumber } from '../../lib/format.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/input.tsx';
import { countOf, fetchPage, responsesKey } from '../queries.ts';
import { countMatching } from '../recount.ts';
import { isNarrowed, type ResponsesSearch } from '../search.ts';

/** The responses in the table. */
export interface Shown {
  filter: ResponsesSearch;
  /** Number of responses that match the filter. */
  total: number;
  /** Whether there are more than `total`. */
  isCapped: boolean;
}

/** The selected responses, those in the table, or all. */
export type Scope = 'chosen' | 'shown' | 'all';

/** The responses on screen, if these are not simply all. */
export function usualScope(chosen: ReadonlySet<number>, shown: Shown): Scope {
  if (chosen.size > 0) return 'chosen';
  return canBeShown(shown) && (isNarrowed(shown.filter) || shown.filter.status === 'partial')
    ? 'shown'
    : 'all';
}

/** How many match the filter now: others may have come, or match no longer. As they were until that is known. */
export function useMatching(
  formId: number,
  { filter, ...known }: Shown,
  scope: Scope,
): Pick<Shown, 'total' | 'isCapped'> {
  const form = String(formId);
  const { data } = useQuery({
    queryKey: [...responsesKey(form), 'matching', filter],
    queryFn: ({ signal }) => countMatching(form, filter, {}, signal),
    enabled: scope === 'shown',
    staleTime: 0,
  });
  return data ?? known;
}

interface ExportScopeProps {
  formId: number;
  scope: Scope;
  chosen: ReadonlySet<number>;
  /** How many match the filter. */
  matching: Pick<Shown, 'total' | 'isCapped'>;
  onChange(scope: Scope): void;
}

/** Chooses the responses to export. */
export function ExportScope({ formId, scope, chosen, matching, onChange }: ExportScopeProps) {
  const { data: everything } = useQuery({
    queryKey: [...responsesKey(String(formId)), 'everything'],
    queryFn: async ({ signal }) =>
      (await fetchPage(String(formId), { status: 'all' }, { per_page: 1, total: true }, signal)).opened,
    staleTime: 0,
  });
  const all = `All ${everything ? countOf(everything) : 'responses'}`;
  return (
    <Field
      name="scope"
      label="Responses in the file"
      hint={
        scope === 'all'
          ? `${all}, also unfinished ones and those that the filter hides.`
          : 'Nothing else comes into the file.'
      }
    >
      <Select className="w-full" value={scope} onChange={({ target }) => onChange(target.value as Scope)}>
        {chosen.size > 0 && (
          <option value="chosen">Only the {formatCount(chosen.size, 'selected response')}</option>
        )}
        {(scope === 'shown' || canBeShown(matching)) && (
          <option value="shown">{nameOfMatching(matching)}</option>
        )}
        <option value="all">{all}</option>
      </Select>
    </Field>
  );
}

/** Short enough for a phone. */
function nameOfMatching({ total, isCapped }: Pick<Shown, 'total' | 'isCapped'>): string {
  if (total === 1) return 'The one that matches the filter';
  return `The ${formatNumber(total)}${isCapped ? '+' : ''} that match the filter`;
}

function canBeShown({ total }: Pick<Shown, 'total'>): boolean {
  return total > 0;
}
