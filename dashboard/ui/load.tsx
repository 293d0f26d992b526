import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './states.tsx';

interface LoadProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error'> & { refetch(): unknown };
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
