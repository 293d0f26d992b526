import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../lib/format.ts';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/input.tsx';
import { countOf, fetchPage, responsesKey } from './queries.ts';
import { isNarrowed, type ResponsesSearch } from './search.ts';

/** What the table shows. */
export interface Shown {
  filter: ResponsesSearch;
  /** How many fit the filter. */
  total: number;
  /** There are more. */
  isCapped: boolean;
}

/** The ticked responses, those that the table shows, or all. */
export type Scope = 'chosen' | 'shown' | 'all';

/** What is on the screen, where that can be told from everything. */
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

/** Which responses come into the file. */
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
        {canBeShown(shown) && <option value="shown">Only the {countOf(shown)} that fit the filter</option>}
        <option value="all">{all}</option>
      </Select>
    </Field>
  );
}

function canBeShown({ total }: Shown): boolean {
  return total > 0;
}
