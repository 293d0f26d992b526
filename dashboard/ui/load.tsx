import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './states.tsx';

interface LoadProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  /** In the size of what comes. */
  skeleton: ReactNode;
  /** 1 where it is a whole screen. */
  level?: 1 | 2;
  children(data: Data): ReactNode;
}

/** Shows what a query brings; until then its skeleton, and when it failed a way to try again. */
export function Load<Data>({ query, skeleton, level = 2, children }: LoadProps<Data>) {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (error) return <ErrorState level={level} error={error} onRetry={() => void refetch()} />;
  return (
    <div role="status" aria-label="Loading">
      {skeleton}
    </div>
  );
}
