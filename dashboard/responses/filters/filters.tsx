import { X } from 'lucide-react';
import { formatDay } from '../../lib/format.ts';
import { useHotkeys } from '../../lib/use-hotkeys.ts';
import { useSearchText } from '../../lib/use-search-text.ts';
import { Button } from '../../ui/button.tsx';
import { SearchInput, Select } from '../../ui/input.tsx';
import { REVIEW_STATES, STATE_NAMES } from '../reviews/review-states.ts';
import { type FieldFilter, MAX_SEARCH, type ResponsesSearch } from '../search.ts';
import type { Column } from '../table/columns.ts';
import { AddFilter } from './add-filter.tsx';
import { EndingFilter } from './ending-filter.tsx';
import type { ReachedEnding } from './endings.ts';
import { operatorName } from './operators.ts';

interface FiltersProps {
  filter: ResponsesSearch;
  all: Column[];
  /** Whether any response was decided or commented on. */
  isReviewed: boolean;
  endings: readonly ReachedEnding[];
  onChange(part: ResponsesSearch): void;
}

/** The filters of the list, which are all in the address, or those of the saved view there. */
export function Filters({ filter, all, isReviewed, endings, onChange: change }: FiltersProps) {
  const [text, setText] = useSearchText(filter.search, (search) => change({ search }));
  useHotkeys({ '/': () => document.getElementById('search-responses')?.focus() });
  return (
    <>
      <SearchInput
        id="search-responses"
        aria-label="Search answers"
        placeholder="Search answers"
        className="w-full sm:w-auto sm:max-w-64 sm:min-w-36 sm:flex-1"
        maxLength={MAX_SEARCH}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Select
        aria-label="Status"
        className="min-w-28 flex-1 sm:w-36 sm:flex-none"
        value={filter.status ?? ''}
        onChange={(event) =>
          change({ status: (event.target.value || undefined) as ResponsesSearch['status'] })
        }
      >
        <option value="">Completed</option>
        <option value="partial">Partial</option>
        <option value="all">All</option>
      </Select>
      {(isReviewed || filter.review) && (
        <Select
          aria-label="Review"
          className="min-w-28 flex-1 sm:w-36 sm:flex-none"
          value={filter.review ?? ''}
          onChange={(event) =>
            change({ review: (event.target.value || undefined) as ResponsesSearch['review'] })
          }
        >
          <option value="">Any review</option>
          {REVIEW_STATES.map((state) => (
            <option key={state} value={state}>
              {STATE_NAMES[state]}
            </option>
          ))}
        </Select>
      )}
      <EndingFilter value={filter.ending} endings={endings} onChange={(ending) => change({ ending })} />
      <AddFilter filter={filter} all={all} onChange={change} />
    </>
  );
}

/** The active filters, each with a button to remove it. */
export function FilterChips({
  filter,
  all,
  onChange: change,
}: Pick<FiltersProps, 'filter' | 'all' | 'onChange'>) {
  const { filters = [], from, to } = filter;
  if (filters.length === 0 && !from && !to) return null;
  return (
    <ul aria-label="Filters" className="mb-3 flex flex-wrap gap-2">
      {from && (
        <Chip text={`Sent from ${formatDay(`${from}T00:00`)}`} onStop={() => change({ from: undefined })} />
      )}
      {to && (
        <Chip text={`Sent until ${formatDay(`${to}T00:00`)}`} onStop={() => change({ to: undefined })} />
      )}
      {filters.map((one, index) => {
        const rest = filters.filter((_, other) => other !== index);
        return (
          <Chip
            key={`${one.id} ${one.operator} ${one.value}`}
            text={describeFilter(one, all)}
            onStop={() => change({ filters: rest.length > 0 ? rest : undefined })}
          />
        );
      })}
    </ul>
  );
}

/** A comparison in words. */
export function describeFilter({ id, operator, value }: FieldFilter, all: readonly Column[]): string {
  return `${questionName(id, all)} ${operatorName(operator)} ${value}`.trim();
}

/** The text of a question, present or former. */
export function questionName(id: string, all: readonly Column[]): string {
  return all.find(({ kind, name }) => kind === 'field' && name === id)?.label ?? 'A question that is gone';
}

function Chip({ text, onStop }: { text: string; onStop(): void }) {
  return (
    <li className="max-w-full min-w-0">
      <Button size="sm" className="max-w-full" aria-label={`Stop filtering: ${text}`} onClick={onStop}>
        <bdi className="max-w-72 truncate" title={text}>
          {text}
        </bdi>
        <X aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
      </Button>
    </li>
  );
}
