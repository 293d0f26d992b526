import { classes } from '../lib/classes.ts';
import { Cell, Row } from './table.tsx';

/** Stands where something will be, in its size. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classes('block h-4 animate-pulse rounded bg-ink/8', className ?? 'w-full')}
    />
  );
}

/** Rows of a table that is on its way. */
export function SkeletonRows({ rows = 5, columns }: { rows?: number; columns: number }) {
  return Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
    <Row key={row}>
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Cell key={column}>
          <Skeleton className={column === 0 ? 'w-40' : 'w-20'} />
        </Cell>
      ))}
    </Row>
  ));
}
