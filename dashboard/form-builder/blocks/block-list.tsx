import { useDroppable } from '@dnd-kit/core';
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { memo, useMemo, useRef } from 'react';
import type { Property } from '../../../fields/property.ts';
import { classes } from '../../lib/classes.ts';
import { useBuilder } from '../builder-context.ts';
import { fieldsById, logicSentence, validationSentence } from '../logic/logic-words.ts';
import { FirstPage } from '../pages/page-head.tsx';
import { FIRST_PAGE, headOf, isPageBreak, pagesOf } from '../pages/pages.ts';
import { type Collapsed, isCollapsed } from '../pages/use-collapsed.ts';
import type { Problem } from '../publishing/problems.ts';
import { BlockCard, type CardProps } from './block-card.tsx';

interface BlockListProps {
  blocks: readonly Property[];
  selected: string | null;
  collapsed: Collapsed;
  problems: readonly Problem[];
  isOff: boolean;
}

/** Drop target for the end of the form. */
export const END = 'end of the form';

/** All blocks in order, page after page. */
export function BlockList({ blocks, selected, collapsed, problems, isOff }: BlockListProps) {
  const { calculations } = useBuilder();
  const cards = useCards(blocks, calculations, problems);
  const pages = useMemo(() => pagesOf(blocks), [blocks]);
  const hasPages = pages.length > 1;
  const closed = hasPages ? pages.filter((page) => isCollapsed(page, collapsed, selected)) : [];
  const counts = new Map(closed.map((page) => [headOf(page), page.blocks.length]));
  const hidden = new Set(closed.flatMap((page) => page.blocks.map(({ id }) => id)));
  const shown = cards.filter(({ block }) => !hidden.has(block.id));
  const ids = useSame([...(hasPages ? [FIRST_PAGE] : []), ...shown.map(({ block }) => block.id)]);
  return (
    <SortableContext items={ids} strategy={verticalListSortingStrategy} disabled={isOff}>
      <ol aria-label="Blocks of the form" className="grid grid-cols-1 gap-2">
        {hasPages && <SortableFirstPage hiddenCount={counts.get(FIRST_PAGE) ?? null} />}
        {shown.map((card) => (
          <SortableCard
            key={card.block.id}
            {...card}
            hiddenCount={counts.get(card.block.id) ?? null}
            isSelected={card.block.id === selected}
            blocks={card.block.id === selected ? blocks : null}
          />
        ))}
      </ol>
      <End isEmpty={blocks.length === 0} />
    </SortableContext>
  );
}

/** Keeps the same array while its content is the same; otherwise every card would be rendered again on each key press. */
function useSame(ids: string[]): string[] {
  const last = useRef<string[]>([]);
  if (last.current.length !== ids.length || ids.some((id, index) => id !== last.current[index]))
    last.current = ids;
  return last.current;
}

function useCards(
  blocks: readonly Property[],
  calculations: readonly Property[],
  problems: readonly Problem[],
): Omit<CardProps, 'isSelected' | 'blocks' | 'hiddenCount'>[] {
  return useMemo(() => {
    const byId = fieldsById(blocks, calculations);
    const textsOf = Map.groupBy(problems, ({ blockId }) => blockId);
    let page = 1;
    return blocks.map((block) => {
      if (isPageBreak(block)) page += 1;
      return {
        block,
        pageNumber: isPageBreak(block) ? page : null,
        sentence: [logicSentence(block, byId), validationSentence(block, byId)].filter(Boolean).join(' · '),
        problems: (textsOf.get(block.id) ?? []).map(({ text }) => text).join('\n'),
      };
    });
  }, [blocks, calculations, problems]);
}

function SortableFirstPage({ hiddenCount }: { hiddenCount: number | null }) {
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } =
    useSortable({ id: FIRST_PAGE, data: { name: 'Page 1', isPage: true } });
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className={classes(isDragging && 'opacity-60')}
    >
      <FirstPage
        hiddenCount={hiddenCount}
        handle={{ ...attributes, ...listeners }}
        handleRef={setActivatorNodeRef}
      />
    </li>
  );
}

const SortableCard = memo(function SortableCard(card: CardProps) {
  const {
    setNodeRef,
    setActivatorNodeRef,
    attributes,
    listeners,
    transform,
    transition,
    isDragging,
    isOver,
    active,
  } = useSortable({
    id: card.block.id,
    data: { name: card.block.name, isPage: card.hiddenCount !== null },
  });
  const isNewOver = isOver && active?.data.current?.kind !== undefined;
  const handle = useMemo(() => ({ ...attributes, ...listeners }), [attributes, listeners]);
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className={classes('relative', isDragging && 'z-10 opacity-60')}
    >
      {isNewOver && (
        <span aria-hidden="true" className="absolute inset-x-0 -top-1.5 h-0.5 rounded bg-accent" />
      )}
      <BlockCard {...card} handle={handle} handleRef={setActivatorNodeRef} />
    </li>
  );
});

function End({ isEmpty }: { isEmpty: boolean }) {
  const { setNodeRef, isOver, active } = useDroppable({ id: END });
  const isNew = active?.data.current?.kind !== undefined;
  return (
    <div
      ref={setNodeRef}
      className={classes(
        'mt-2 grid place-items-center rounded-xl border border-dashed px-4 text-center text-muted',
        isEmpty ? 'min-h-48' : isNew ? 'min-h-16' : 'min-h-8 border-transparent',
        isOver && isNew ? 'border-accent bg-accent-soft text-accent-strong' : 'border-line',
      )}
    >
      {isEmpty
        ? 'Nothing is asked yet. Add the first field: click one, or drag it here.'
        : isNew
          ? 'Put it at the end'
          : ''}
    </div>
  );
}
