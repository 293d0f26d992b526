import { useInfiniteQuery } from '@tanstack/react-query';
import { UserSearch } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Load } from '../ui/load.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { EmptyState, Notice } from '../ui/states.tsx';
import { DownloadButton } from './download-button.tsx';
import { EraseDialog } from './erase-dialog.tsx';
import { erasedText, type Found, foundIn, foundText, isNothing } from './found.ts';
import { EarlierErasures, FoundElsewhere } from './found-elsewhere.tsx';
import { FoundForms } from './found-forms.tsx';
import { personQuery } from './queries.ts';
import { useErasure } from './use-erasure.ts';

/** After so many responses the search waits for the user, because they are hardly all from one person. */
const MANY = 500;

/** What is stored about a person, and actions on it. */
export function Results({ workspaceId, value }: { workspaceId: number; value: string }) {
  const [asked, setAsked] = useState<Found | null>(null);
  const { erased, erase } = useErasure(workspaceId, value, () => setAsked(null));
  const [limit, setLimit] = useState(MANY);
  const search = useInfiniteQuery(personQuery(workspaceId, value));
  const { data, error, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, refetch } = search;
  const found = data && foundIn(data.pages);
  const isWaiting = found !== undefined && !isFetching && !error && hasNextPage;
  const goesOn = isWaiting && found.responses + found.corrected < limit;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  const isWhole = found !== undefined && !isFetching && !error && !hasNextPage;
  return (
    <section aria-label="What was found" className="grid grid-cols-1 gap-5">
      <div aria-live="polite" className="grid gap-3">
        {erased && <Notice>Erased: {erasedText(erased)}.</Notice>}
        <p className={isWhole && isNothing(found) ? 'sr-only' : 'text-muted'}>
          {statusText(found, isFetching, isWhole)}
        </p>
      </div>
      <Load query={search} skeleton={<ResultsSkeleton />}>
        {() =>
          found && (
            <>
              {error && (
                <Notice tone="bad">
                  <p>{error.message}</p>
                  <Button
                    size="sm"
                    className="mt-2"
                    onClick={() => void (isFetchNextPageError ? fetchNextPage() : refetch())}
                  >
                    Search on
                  </Button>
                </Notice>
              )}
              {isWaiting && !goesOn && (
                <Notice tone="warn">
                  <p>So many are hardly of one person, so the search stopped here.</p>
                  <Button
                    size="sm"
                    className="mt-2"
                    onClick={() => setLimit(found.responses + found.corrected + MANY)}
                  >
                    Search on
                  </Button>
                </Notice>
              )}
              {isWhole && isNothing(found) && (
                <EmptyState icon={<UserSearch />} title={erased ? 'Nothing is left' : 'Nothing found'}>
                  The person may have given another address, a phone number or a name: search for each.
                </EmptyState>
              )}
              {!isNothing(found) && (
                <div className="flex flex-wrap gap-2">
                  <DownloadButton workspaceId={workspaceId} value={value} />
                  <Button
                    look="danger"
                    disabledReason={isWhole ? null : 'You can erase once everything is searched.'}
                    onClick={() => setAsked(found)}
                  >
                    Erase…
                  </Button>
                </div>
              )}
              <FoundForms forms={found.forms} />
              <FoundElsewhere found={found} />
              <EarlierErasures erasures={found.erasures} />
            </>
          )
        }
      </Load>
      <EraseDialog
        asked={asked}
        value={value}
        isRunning={erase.isRunning}
        onClose={() => setAsked(null)}
        onConfirm={() => erase.run()}
      />
    </section>
  );
}

function statusText(found: Found | undefined, isSearching: boolean, isWhole: boolean): string {
  const text = found ? foundText(found) : '';
  if (isWhole) return text ? `Found: ${text}.` : 'Nothing found.';
  const soFar = text && `Found so far: ${text}.`;
  return isSearching ? `Searching… ${soFar}` : soFar;
}

function ResultsSkeleton() {
  return (
    <div className="grid gap-4 rounded-xl border border-line bg-surface p-5">
      <Skeleton className="max-w-48" />
      <Skeleton className="max-w-96" />
      <Skeleton className="max-w-80" />
    </div>
  );
}
