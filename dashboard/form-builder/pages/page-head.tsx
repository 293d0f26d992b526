import {
  ChevronDown,
  ChevronsDownUp,
  ChevronsUpDown,
  Ellipsis,
  GripVertical,
  MoveDown,
  MoveUp,
} from 'lucide-react';
import type { HTMLAttributes, KeyboardEvent } from 'react';
import { classes } from '../../lib/classes.ts';
import { formatCount } from '../../lib/format.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { useBuilder } from '../builder-context.ts';
import { type PageActions, usePageActions } from './page-actions.ts';
import { FIRST_PAGE } from './pages.ts';

interface PageToggleProps {
  number: number;
  /** Number of blocks of a collapsed page; null while it is open. */
  hiddenCount: number | null;
  actions: PageActions;
}

/** The number of a page, as a button that hides or shows its blocks. */
export function PageToggle({ number, hiddenCount, actions }: PageToggleProps) {
  const isOpen = hiddenCount === null;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      className="flex min-h-6 items-center gap-1 rounded-md px-1.5 text-xs font-medium text-muted hover:bg-hover hover:text-ink"
      onClick={() => actions.setCollapsed(isOpen)}
    >
      <ChevronDown
        aria-hidden="true"
        className={classes('size-3.5 transition-transform', !isOpen && '-rotate-90 rtl:rotate-90')}
      />
      Page {number}
      {hiddenCount !== null && <span className="font-normal">· {formatCount(hiddenCount, 'block')}</span>}
    </button>
  );
}

/** Menu items for a page, in the menu at its head. */
export function PageItems({ hiddenCount, actions }: Omit<PageToggleProps, 'number'>) {
  const { refusal } = useBuilder();
  const isOpen = hiddenCount === null;
  return (
    <>
      <MenuItem icon={<MoveUp />} disabledReason={refusal} onSelect={() => actions.moveBy(-1)}>
        Move the page up
      </MenuItem>
      <MenuItem icon={<MoveDown />} disabledReason={refusal} onSelect={() => actions.moveBy(1)}>
        Move the page down
      </MenuItem>
      <MenuItem
        icon={isOpen ? <ChevronsDownUp /> : <ChevronsUpDown />}
        onSelect={() => actions.setAllCollapsed(isOpen)}
      >
        {isOpen ? 'Collapse all pages' : 'Open all pages'}
      </MenuItem>
    </>
  );
}

interface FirstPageProps {
  hiddenCount: number | null;
  handle: HTMLAttributes<HTMLButtonElement>;
  handleRef(element: HTMLElement | null): void;
}

/** The head of the first page, which has no page break. */
export function FirstPage({ hiddenCount, handle, handleRef }: FirstPageProps) {
  const { refusal } = useBuilder();
  const actions = usePageActions(FIRST_PAGE);
  const onKeyDown = (event: KeyboardEvent) => {
    if (refusal || event.defaultPrevented || !event.altKey) return;
    if (event.key === 'ArrowUp') actions.moveBy(-1);
    else if (event.key === 'ArrowDown') actions.moveBy(1);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that work wherever in the head one is
    <div
      className={classes(
        'flex items-center gap-1 rounded-xl border p-1.5',
        hiddenCount === null ? 'border-transparent' : 'border-dashed border-line bg-surface',
      )}
      onKeyDown={onKeyDown}
    >
      <button
        ref={handleRef}
        type="button"
        data-handle={FIRST_PAGE}
        {...handle}
        aria-label="Move page 1"
        title="Drag, or press Space and the arrows"
        className="grid h-8 w-6 shrink-0 cursor-grab touch-none place-items-center rounded-md text-muted hover:bg-hover"
      >
        <GripVertical className="size-4" />
      </button>
      <div className="min-w-0 flex-1">
        <PageToggle number={1} hiddenCount={hiddenCount} actions={actions} />
      </div>
      <Menu
        trigger={
          <IconButton size="sm" label="More for page 1">
            <Ellipsis className="size-4" />
          </IconButton>
        }
      >
        <PageItems hiddenCount={hiddenCount} actions={actions} />
      </Menu>
    </div>
  );
}
