import { useDroppable } from '@dnd-kit/core';
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { memo, useMemo, useRef } from 'react';
import type { Property } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { classes } from '../lib/classes.ts';
import { BlockCard, type CardProps } from './block-card.tsx';
import { logicSentence, validationSentence } from './logic-words.ts';
import type { Problem } from './problems.ts';

interface BlockListProps {
  blocks: readonly Property[];
  selected: string | null;
  problems: readonly Problem[];
  isOff: boolean;
}

/** Where something that is dropped goes to the end. */
export const END = 'end of the form';

/** All blocks in their order, page after page. */
export function BlockList({ blocks, selected, problems, isOff }: BlockListProps) {
  const ids = useIds(blocks);
  const cards = useCards(blocks, problems);
  const hasPages = cards.some(({ pageNumber }) => pageNumber !== null);
  return (
    <SortableContext items={ids} strategy={verticalListSortingStrategy} disabled={isOff}>
      {hasPages && <p className="mb-2 px-2 text-xs font-medium text-muted">Page 1</p>}
      <ol aria-label="Blocks of the form" className="grid gap-2">
        {cards.map((card) => (
          <SortableCard
            key={card.block.id}
            {...card}
            isSelected={card.block.id === selected}
            blocks={card.block.id === selected ? blocks : null}
          />
        ))}
      </ol>
      <End isEmpty={blocks.length === 0} />
    </SortableContext>
  );
}

/** The same list as long as the order is the same: else every card would be drawn again with every key. */
function useIds(blocks: readonly Property[]): string[] {
  const last = useRef<string[]>([]);
  if (last.current.length !== blocks.length || blocks.some(({ id }, index) => id !== last.current[index]))
    last.current = blocks.map(({ id }) => id);
  return last.current;
}

function useCards(
  blocks: readonly Property[],
  problems: readonly Problem[],
): Omit<CardProps, 'isSelected' | 'blocks'>[] {
  return useMemo(() => {
    const byId = new Map(blocks.map((block) => [block.id, block]));
    const textsOf = Map.groupBy(problems, ({ blockId }) => blockId);
    let page = 1;
    return blocks.map((block) => {
      if (canonicalTypeName(block.type) === 'nf-page-break') page += 1;
      return {
        block,
        pageNumber: canonicalTypeName(block.type) === 'nf-page-break' ? page : null,
        sentence: [logicSentence(block, byId), validationSentence(block, byId)].filter(Boolean).join(' · '),
        problems: (textsOf.get(block.id) ?? []).map(({ text }) => text).join('\n'),
      };
    });
  }, [blocks, problems]);
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
  } = useSortable({ id: card.block.id, data: { name: card.block.name } });
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
