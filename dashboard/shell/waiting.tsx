import { usePassingTitle } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** Shown while the code of a screen is loading. */
export function Waiting() {
  usePassingTitle('Loading');
  return (
    <div role="status" aria-label="Loading" className="w-full max-w-6xl px-4 py-4 sm:px-8 sm:py-8">
      <Skeleton className="mb-8 h-7 w-56" />
      <Skeleton className="h-64 rounded-xl" />
    </div>
  );
}
