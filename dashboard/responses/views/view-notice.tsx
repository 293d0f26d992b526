import type { ReactNode } from 'react';
import { Notice } from '../../ui/states.tsx';
import { describeFilter, questionName } from '../filters/filters.tsx';
import type { Column } from '../table/columns.ts';
import type { SavedView } from './saved-views.ts';
import type { Shown } from './use-shown.ts';

/** Says what a view no longer shows, because the form has changed since, or because it was deleted. */
export function ViewNotice({ shown, all }: { shown: Shown; all: Column[] }) {
  const { view, isViewGone, address, filter } = shown;
  if (isViewGone)
    return (
      <Told tone="warn">
        This view does not exist any more.
        {!address.changed && ' You see all completed responses.'}
      </Told>
    );
  if (!view) return null;
  const { left_out: leftOut } = view;
  const former = all.filter(
    ({ kind, name, isRemoved }) =>
      kind === 'field' && isRemoved && filter.filters?.some(({ id }) => id === name),
  );
  return (
    <>
      {leftOut.length > 0 && (
        <Told tone="warn">
          The form has changed since this view was saved. Left out:
          <ul className="list-disc ps-5">
            {leftOut.map((part) => (
              <li key={JSON.stringify(part)}>
                <bdi>{describe(part, all)}</bdi>
              </li>
            ))}
          </ul>
        </Told>
      )}
      {former.length > 0 && (
        <Told tone="neutral">
          This view filters by what the form no longer asks; new responses have no answer to it:{' '}
          <bdi>{former.map(({ label }) => label).join(', ')}</bdi>
        </Told>
      )}
    </>
  );
}

function describe({ member, id, operator, value }: SavedView['left_out'][number], all: Column[]): string {
  switch (member) {
    case 'filters':
      return `Filter: ${describeFilter({ id, operator: operator ?? '', value: value ?? '' }, all)}`;
    case 'sort':
      return `Order: ${questionName(id, all)}`;
    case 'columns':
      return `Column: ${questionName(id, all)}`;
  }
}

function Told({ tone, children }: { tone: 'neutral' | 'warn'; children: ReactNode }) {
  return (
    <div className="mb-3 print:hidden">
      <Notice tone={tone}>{children}</Notice>
    </div>
  );
}
