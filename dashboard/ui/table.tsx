import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../lib/classes.ts';

/** A table on a card; it scrolls if it is wider than the screen. */
export function Table({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
      tabIndex={0}
      className={classes('relative overflow-x-auto rounded-xl border border-line bg-surface', className)}
    >
      <table className="w-full border-collapse text-start">{children}</table>
    </section>
  );
}

export function HeadCell({ className, ...rest }: ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      className={classes(
        'h-9 border-b border-line px-2 first:ps-4 last:pe-4 sm:px-4 text-xs font-medium whitespace-nowrap text-muted',
        className,
      )}
      {...rest}
    />
  );
}

/** The head of the column of buttons, for screen readers. */
export function ActionsHead() {
  return (
    <HeadCell>
      <span className="sr-only">Actions</span>
    </HeadCell>
  );
}

export function Row({ className, ...rest }: ComponentProps<'tr'>) {
  return (
    <tr className={classes('border-b border-line last:border-b-0 hover:bg-hover/60', className)} {...rest} />
  );
}

export function Cell({ className, ...rest }: ComponentProps<'td'>) {
  return (
    <td
      className={classes('h-12 px-2 py-2 align-middle first:ps-4 last:pe-4 sm:px-4', className)}
      {...rest}
    />
  );
}
