import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { classes } from '../lib/classes.ts';
import { useCurrentInView } from '../lib/use-current-in-view.ts';

/** Classes of tabs, also for links that are tabs of screens: the router sets `data-status="active"`. */
export const TAB_CLASSES =
  'inline-flex h-9 shrink-0 items-center border-b-2 border-transparent px-1 text-muted transition-colors hover:text-ink ' +
  // Inside the tab, because a scrolling row cuts off what is outside.
  'focus-visible:-outline-offset-2 ' +
  'data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink ' +
  'data-[status=active]:border-accent data-[status=active]:font-medium data-[status=active]:text-ink';

interface TabsProps {
  label: string;
  value: string;
  onChange(value: string): void;
  /** Key, name and content of each. */
  tabs: readonly { key: string; name: ReactNode; content: ReactNode }[];
  className?: string;
}

/** Tabs within a screen. Tabs with their own addresses are links in a `TabBar`. */
export function Tabs({ label, value, onChange, tabs, className }: TabsProps) {
  const list = useCurrentInView<HTMLDivElement>('[data-state=active]');
  return (
    <Radix.Root value={value} onValueChange={onChange} className={className}>
      <Radix.List
        ref={list}
        aria-label={label}
        className="scrolls-on flex gap-5 overflow-x-auto border-b border-line"
      >
        {tabs.map(({ key, name }) => (
          <Radix.Trigger key={key} value={key} className={TAB_CLASSES}>
            {name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ key, content }) => (
        <Radix.Content key={key} value={key} className="pt-4">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

export function TabBar({
  label,
  className,
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}) {
  const bar = useCurrentInView<HTMLElement>('[data-status=active]');
  return (
    <nav
      ref={bar}
      aria-label={label}
      className={classes(
        'scrolls-on flex gap-5 overflow-x-auto overflow-y-hidden border-b border-line print:hidden',
        className,
      )}
    >
      {children}
    </nav>
  );
}
