import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { NoWorkspace } from '../lib/workspace.ts';
import { buttonClasses } from '../ui/button.tsx';
import { ErrorState } from '../ui/states.tsx';

/** Messages of Chrome, Firefox and Safari when a part of the dashboard fails to load. */
const PIECE_MISSING = /dynamically imported module|Importing a module/i;

/** Replaces a screen that could not be shown. */
export function Failure({ error: thrown, reset }: ErrorComponentProps) {
  const isPieceMissing = thrown instanceof Error && PIECE_MISSING.test(thrown.message);
  const error = isPieceMissing
    ? new Error('This screen could not be loaded: there is no network, or Formstead was updated meanwhile.')
    : thrown instanceof Error
      ? thrown
      : new Error('Something went wrong.');
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  const retry = () => {
    // After an update of the service, parts of the former version are gone.
    if (isPieceMissing) return location.reload();
    queries.reset();
    reset();
    void router.invalidate();
  };
  useEffect(() => {
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  });
  return (
    <ErrorState
      level={1}
      error={error}
      onRetry={retry}
      wayOut={
        error instanceof NoWorkspace && (
          <Link to="/workspaces" className={buttonClasses()}>
            Go to your workspaces
          </Link>
        )
      }
    />
  );
}
