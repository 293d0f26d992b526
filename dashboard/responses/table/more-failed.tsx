import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/states.tsx';

interface MoreFailedProps {
  list: UseInfiniteQueryResult;
  className?: string;
}

/** Shows why the list ends here. The reader can load more; it is not retried automatically. */
export function MoreFailed({ list, className }: MoreFailedProps) {
  const { error, isFetching, isFetchNextPageError, isFetchPreviousPageError } = list;
  if (!error || !(isFetchNextPageError || isFetchPreviousPageError)) return null;
  const again = isFetchNextPageError ? list.fetchNextPage : list.fetchPreviousPage;
  return (
    <div className={className}>
      <Notice tone="bad">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p>Further responses could not be loaded. {error.message}</p>
          <Button size="sm" isRunning={isFetching} onClick={() => void again()}>
            Try again
          </Button>
        </div>
      </Notice>
    </div>
  );
}
