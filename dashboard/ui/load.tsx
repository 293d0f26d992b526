import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './states.tsx';

type Loading<Data> = Pick<UseQueryResult<Data>, 'data' | 'error'> & { refetch(): unknown };

interface LoadProps<Data> {
  query: Loading<Data>;
  /** As large as the content to come. */
  skeleton: ReactNode;
  /** 1 if it is a whole screen. */
  level?: 1 | 2;
  /** In place of trying again after a failure. */
  wayOut?: ReactNode;
  children(data: Data): ReactNode;
}

/** Shows a query's data; before that its skeleton, and after a failure a button to try again. */
export function Load<Data>({ query, skeleton, level = 2, wayOut, children }: LoadProps<Data>) {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (error) return <ErrorState level={level} error={error} onRetry={() => void refetch()} wayOut={wayOut} />;
  return (
    <div role="status" aria-label="Loading">
      {skeleton}
    </div>
  );
}

/** Two queries whose data is shown at the same time, so that none of it moves the other. */
export function together<One, Other>(one: Loading<One>, other: Loading<Other>): Loading<[One, Other]> {
  return {
    data: one.data === undefined || other.data === undefined ? undefined : [one.data, other.data],
    error: one.error ?? other.error,
    refetch: () => Promise.all([one.refetch(), other.refetch()]),
  };
}
