import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from '../lib/classes.ts';
import { Button } from './button.tsx';
import { useTitle } from './page.tsx';

const NOT_SHOWN = 'This could not be shown';

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  /** What to do next. */
  children?: ReactNode;
  action?: ReactNode;
  /** 1 if it replaces a whole screen. */
  level?: 1 | 2;
}

export function EmptyState({ icon, title, children, action, level = 2 }: EmptyStateProps) {
  const Heading = `h${level}` as const;
  return (
    <div className="grid grid-cols-1 justify-items-center gap-2 rounded-xl border border-dashed border-line px-6 py-14 text-center">
      {icon && <div className="mb-1 text-muted [&_svg]:size-7">{icon}</div>}
      <Heading className="font-semibold">{title}</Heading>
      {children && <p className="max-w-prose text-muted">{children}</p>}
      {action && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

interface ErrorStateProps {
  error: Error;
  onRetry?: () => void;
  /** In place of trying again, where that would not help. */
  wayOut?: ReactNode;
  /** 1 if it replaces a whole screen. */
  level?: 1 | 2;
}

/** Says what went wrong, and offers a way out. */
export function ErrorState({ error, onRetry, wayOut, level = 2 }: ErrorStateProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={classes(level === 1 && 'mx-auto w-full max-w-2xl p-6')}>
      <div
        role="alert"
        className="grid grid-cols-1 justify-items-center gap-2 rounded-xl border border-line bg-surface px-6 py-14 text-center"
      >
        <TriangleAlert aria-hidden="true" className="mb-1 size-7 text-warn" />
        {level === 1 && <TabName name={NOT_SHOWN} />}
        <Heading className="font-semibold">{NOT_SHOWN}</Heading>
        <p className="max-w-prose text-muted">{error.message}</p>
        {wayOut ? (
          <div className="mt-3">{wayOut}</div>
        ) : (
          onRetry && (
            <Button className="mt-3" onClick={onRetry}>
              Try again
            </Button>
          )
        )}
      </div>
    </div>
  );
}

/** Sets the tab's title, only if it is a whole screen. */
function TabName({ name }: { name: string }) {
  useTitle(name);
  return null;
}

/** A note within a screen. */
export function Notice({
  tone = 'neutral',
  children,
}: {
  tone?: 'neutral' | 'warn' | 'bad';
  children: ReactNode;
}) {
  const look = { neutral: 'bg-sunken', warn: 'bg-warn-soft text-warn', bad: 'bg-bad-soft text-bad' }[tone];
  return (
    <div role={tone === 'bad' ? 'alert' : undefined} className={`rounded-lg px-3 py-2 wrap-anywhere ${look}`}>
      {children}
    </div>
  );
}
