import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ErrorState } from '../ui/states.tsx';

/** In place of a screen that could not be shown. */
export function Failure({ error: thrown, reset }: ErrorComponentProps) {
  const error = thrown instanceof Error ? thrown : new Error('Something went wrong.');
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  const retry = () => {
    // A piece of a former version is gone after an update of the service.
    if (/dynamically imported module|Importing a module/i.test(error.message)) return location.reload();
    queries.reset();
    reset();
    void router.invalidate();
  };
  useEffect(() => {
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  });
  return (
    <div className="mx-auto w-full max-w-2xl p-6">
      <ErrorState level={1} error={error} onRetry={retry} />
    </div>
  );
}
