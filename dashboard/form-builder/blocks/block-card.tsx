import {
  Asterisk,
  ChevronDown,
  Copy,
  Ellipsis,
  EyeOff,
  GripVertical,
  ListTree,
  MoveDown,
  MoveUp,
  Trash2,
  TriangleAlert,
} from 'lucide-react';
import { type HTMLAttributes, type KeyboardEvent, type MouseEvent, memo, type ReactNode } from 'react';
import { isOn } from '../../../fields/block-options/options.ts';
import type { Property } from '../../../fields/property.ts';
import { isLayoutBlock } from '../../../fields/type-names.ts';
import { classes } from '../../lib/classes.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useBuilder } from '../builder-context.ts';
import { usePageActions } from '../pages/page-actions.ts';
import { PageItems, PageToggle } from '../pages/page-head.tsx';
import { useBlockActions } from './block-actions.ts';
import { BlockSettings } from './block-settings.tsx';
import { KindIcon } from './kind-icon.tsx';
import { kindOf } from './kinds.ts';

export interface CardProps {
  block: Property;
  /** Number of the page that a page break begins. */
  pageNumber: number | null;
  /** Blocks of the page it begins, if that is collapsed; otherwise null. */
  hiddenCount: number | null;
  /** When it is shown or required, in words; '' if always. */
  sentence: string;
  /** Its problems, in lines; '' for none. */
  problems: string;
  isSelected: boolean;
  /** All blocks, for the settings of the selected one. */
  blocks: readonly Property[] | null;
}

interface HandleProps {
  /** From the sortable list: makes the handle drag the card. */
  handle: HTMLAttributes<HTMLButtonElement>;
  handleRef(element: HTMLElement | null): void;
}

/** A block in the list: its editable name, its kind and, while selected, its settings. */
export const BlockCard = memo(function BlockCard(props: CardProps & HandleProps) {
  const { block, pageNumber, sentence, problems, isSelected, blocks } = props;
  const onKeyDown = useCardKeys(props);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that work wherever in the card one is
    <div
      className={classes(
        'rounded-xl border bg-surface transition-colors',
        isSelected ? 'border-accent shadow-sm' : 'border-line hover:border-edge/60',
        pageNumber !== null && !isSelected && 'border-dashed bg-sunken',
      )}
      onKeyDown={onKeyDown}
    >
      <CardHead {...props} />
      <Notes sentence={isSelected ? '' : sentence} problems={problems} />
      {isSelected && blocks && (
        <div className="border-t border-line px-4 pt-1 pb-4">
          <BlockSettings key={block.id} block={block} blocks={blocks} />
        </div>
      )}
    </div>
  );
});

/** Keys that move, copy and delete a block. */
function useCardKeys({ block, pageNumber, hiddenCount }: CardProps): (event: KeyboardEvent) => void {
  const { refusal } = useBuilder();
  const actions = useBlockActions(block.id);
  const page = usePageActions(block.id);
  /** What a key does; null for nothing. */
  const actionOf = (event: KeyboardEvent): (() => void) | null => {
    const key = event.key.toLowerCase();
    // A collapsed page is moved with its blocks; for an open one only the break is moved.
    const { moveBy } = pageNumber !== null && (event.shiftKey || hiddenCount !== null) ? page : actions;
    if (event.altKey && key === 'arrowup') return () => moveBy(-1);
    if (event.altKey && key === 'arrowdown') return () => moveBy(1);
    const isOnHandle = (event.target as HTMLElement).dataset.handle !== undefined;
    if (key === 'delete' && isOnHandle) return actions.remove;
    return key === 'd' && (event.ctrlKey || event.metaKey) ? actions.duplicate : null;
  };
  return (event) => {
    if (refusal || event.defaultPrevented) return;
    const act = actionOf(event);
    if (act === null) return;
    act();
    event.preventDefault();
  };
}

/** What of a block is always in sight. */
function CardHead({
  block,
  pageNumber,
  hiddenCount,
  isSelected,
  handle,
  handleRef,
}: CardProps & HandleProps) {
  const { edit, refusal } = useBuilder();
  const page = usePageActions(block.id);
  const kind = kindOf(block);
  const title = block.name.trim() || 'No name';
  const onClick = (event: MouseEvent) => {
    const isControl = (event.target as HTMLElement).closest('button, [role=menuitem]');
    if (!isControl && !isSelected) edit({ do: 'select', id: block.id });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button with the arrow does the same
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button with the arrow does the same
    <div className="flex items-start gap-1 p-1.5 @max-3xs/screen:flex-wrap" onClick={onClick}>
      <button
        ref={handleRef}
        type="button"
        data-handle={block.id}
        {...handle}
        aria-label={`Move ${title}`}
        title="Drag, or press Space and the arrows"
        className="grid h-8 w-6 shrink-0 cursor-grab touch-none place-items-center rounded-md text-muted hover:bg-hover"
      >
        <GripVertical className="size-4" />
      </button>
      <Tooltip text={kind?.label ?? block.type}>
        <span className="grid h-8 w-6 shrink-0 place-items-center text-muted">
          <KindIcon kind={kind?.key} />
          <span className="sr-only">{kind?.label ?? block.type}</span>
        </span>
      </Tooltip>
      <div className="min-w-0 flex-1 @max-3xs/screen:order-first @max-3xs/screen:basis-full">
        {pageNumber !== null && <PageToggle number={pageNumber} hiddenCount={hiddenCount} actions={page} />}
        <Name block={block} isOff={refusal !== null} isMuted={isLayoutBlock(block.type)} />
      </div>
      <span className="flex h-8 shrink-0 items-center text-muted">
        {isOn(block.required) && <Mark icon={<Asterisk className="size-4" />} text="Required" />}
        {isOn(block.hidden) && <Mark icon={<EyeOff className="size-4" />} text="Hidden at first" />}
      </span>
      <BlockMenu block={block} title={title}>
        {pageNumber !== null && (
          <>
            <MenuSeparator />
            <PageItems hiddenCount={hiddenCount} actions={page} />
          </>
        )}
      </BlockMenu>
      <IconButton
        size="sm"
        label={`Settings of ${title}`}
        aria-expanded={isSelected}
        className="mt-0.5"
        onClick={() => edit({ do: 'select', id: isSelected ? null : block.id })}
      >
        <ChevronDown className={classes('size-4 transition-transform', isSelected && 'rotate-180')} />
      </IconButton>
    </div>
  );
}

interface BlockMenuProps {
  block: Property;
  title: string;
  /** What can be done with the page that it begins. */
  children: ReactNode;
}

function BlockMenu({ block, title, children }: BlockMenuProps) {
  const { refusal } = useBuilder();
  const actions = useBlockActions(block.id);
  return (
    <Menu
      trigger={
        <IconButton size="sm" label={`More for ${title}`} className="mt-0.5">
          <Ellipsis className="size-4" />
        </IconButton>
      }
    >
      <MenuItem icon={<Copy />} disabledReason={refusal} onSelect={actions.duplicate}>
        Duplicate
      </MenuItem>
      <MenuItem icon={<MoveUp />} disabledReason={refusal} onSelect={() => actions.moveBy(-1)}>
        Move up
      </MenuItem>
      <MenuItem icon={<MoveDown />} disabledReason={refusal} onSelect={() => actions.moveBy(1)}>
        Move down
      </MenuItem>
      {children}
      <MenuSeparator />
      <MenuItem icon={<Trash2 />} isDangerous disabledReason={refusal} onSelect={actions.remove}>
        Delete
      </MenuItem>
    </Menu>
  );
}

function Notes({ sentence, problems }: Pick<CardProps, 'sentence' | 'problems'>) {
  if (sentence === '' && problems === '') return null;
  return (
    <div className="grid gap-0.5 ps-17 pe-3 pb-2">
      {sentence !== '' && (
        <p dir="auto" className="flex gap-1.5 text-[0.8125rem] text-muted">
          <ListTree aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
          <span className="line-clamp-2 min-w-0 break-words">{sentence}</span>
        </p>
      )}
      {problems !== '' && (
        <ul className="grid gap-0.5 text-[0.8125rem] text-warn">
          {problems.split('\n').map((problem) => (
            <li key={problem} className="flex gap-1.5">
              <TriangleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
              <span className="min-w-0 break-words">{problem}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Grows with its text; Enter ends editing. */
function Name({ block, isOff, isMuted }: { block: Property; isOff: boolean; isMuted: boolean }) {
  const { edit } = useBuilder();
  return (
    <textarea
      data-name-of={block.id}
      aria-label={`Name of the ${inSentence(kindOf(block)?.label ?? 'Block')}`}
      aria-invalid={block.name.trim() === '' || undefined}
      dir="auto"
      rows={1}
      readOnly={isOff}
      placeholder="Name"
      value={block.name}
      className={classes(
        'field-sizing-content block max-h-40 min-h-8 w-full resize-none rounded-md bg-transparent px-1.5 py-1.5 break-words focus-visible:bg-canvas',
        isMuted ? 'text-muted' : 'font-medium',
      )}
      onChange={(event) =>
        edit({
          do: 'change',
          id: block.id,
          members: { name: event.target.value.replace(/\n/g, ' ') },
          isTyped: true,
        })
      }
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
        event.preventDefault();
        edit({ do: 'settle' });
      }}
    />
  );
}

function Mark({ icon, text }: { icon: ReactNode; text: string }) {
  return (
    <Tooltip text={text}>
      <span>
        {icon}
        <span className="sr-only">{text}</span>
      </span>
    </Tooltip>
  );
}

/** `Barcode or QR` within a sentence. */
function inSentence(label: string): string {
  return label.charAt(0).toLowerCase() + label.slice(1);
}
