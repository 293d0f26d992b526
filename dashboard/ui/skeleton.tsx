import { classes } from '../lib/classes.ts';
import { Cell, Row } from './table.tsx';

/** A placeholder of the same size as the content to come. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classes('block h-4 animate-pulse rounded bg-ink/8', className ?? 'w-full')}
    />
  );
}

interface SkeletonRowsProps {
  rows?: number;
  columns: number;
  /** Classes of the cells by column index, for columns hidden on small screens. */
  cells?: Record<number, string>;
}

/** Placeholder rows of a table that is loading. */
export function SkeletonRows({ rows = 5, columns, cells = {} }: SkeletonRowsProps) {
  return Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
    <Row key={row}>
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Cell key={column} className={cells[column]}>
          <Skeleton className={column === 0 ? 'w-full max-w-40' : 'w-full max-w-20 min-w-8'} />
        </Cell>
      ))}
    </Row>
  ));
}
