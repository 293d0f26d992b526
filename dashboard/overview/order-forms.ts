import type { CountedForm } from './queries.ts';
import type { OverviewSearch, Sort } from './search.ts';

const titles = new Intl.Collator(undefined, { numeric: true });

/** How many more completed responses than in as many days before; negative for fewer. */
export function changeOf({ completed, before }: CountedForm): number {
  return completed - before.completed;
}

/** Sorted as the address says; what has no figure comes last in both orders. What is equal keeps its place. */
export function orderForms(forms: readonly CountedForm[], search: OverviewSearch): CountedForm[] {
  const { sort, order } = sortingOf(search);
  const way = order === 'asc' ? 1 : -1;
  if (sort === 'title') return forms.toSorted((one, other) => way * titles.compare(one.title, other.title));
  const figure = (form: CountedForm) => (sort === 'change' ? changeOf(form) : form[sort]);
  return forms.toSorted((one, other) => {
    const [left, right] = [figure(one), figure(other)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return way * (left - right);
  });
}

export function sortingOf({ sort = 'completed', reversed }: OverviewSearch): {
  sort: Sort;
  order: 'asc' | 'desc';
} {
  const isAscending = (sort === 'title') !== (reversed ?? false);
  return { sort, order: isAscending ? 'asc' : 'desc' };
}

/** What a press on the head of a column makes of the order: first its usual one, then the reverse. */
export function nextSorting(
  { sort = 'completed', reversed }: OverviewSearch,
  pressed: Sort,
): Pick<OverviewSearch, 'sort' | 'reversed'> {
  return {
    sort: pressed === 'completed' ? undefined : pressed,
    reversed: sort === pressed && !reversed ? true : undefined,
  };
}
