import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../lib/format.ts';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { countOf, fetchPage, responsesKey } from './queries.ts';
import { isNarrowed, type ResponsesSearch } from './search.ts';

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

interface ExportScopeProps {
  formId: number;
  scope: Scope;
  chosen: ReadonlySet<number>;
  shown: Shown;
  onChange(scope: Scope): void;
}

/** Chooses the responses to export. */
export function ExportScope({ formId, scope, chosen, shown, onChange }: ExportScopeProps) {
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
      <Select
        className="w-full sm:w-72"
        value={scope}
        onChange={({ target }) => onChange(target.value as Scope)}
      >
        {chosen.size > 0 && (
          <option value="chosen">Only the {formatCount(chosen.size, 'selected response')}</option>
        )}
        {canBeShown(shown) && <option value="shown">Only the {countOf(shown)} that match the filter</option>}
        <option value="all">{all}</option>
      </Select>
    </Field>
  );
}

function canBeShown({ total }: Shown): boolean {
  return total > 0;
}
