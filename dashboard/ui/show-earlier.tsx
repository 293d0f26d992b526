import { Button } from './button.tsx';

interface ShowEarlierProps {
  /** Query of a log, the latest first. */
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): Promise<unknown> };
}

/** Nothing if everything is shown. */
export function ShowEarlier({ query }: ShowEarlierProps) {
  if (!query.hasNextPage) return null;
  return (
    <div className="mt-4 text-center">
      <Button isRunning={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        Show earlier
      </Button>
    </div>
  );
}
