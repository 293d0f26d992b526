import { useDraggable } from '@dnd-kit/core';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, memo, useRef, useState } from 'react';
import { useHotkeys } from '../../lib/use-hotkeys.ts';
import { SearchInput } from '../../ui/input.tsx';
import { asksForHidden, searchElsewhere } from './elsewhere.ts';
import { KindIcon } from './kind-icon.tsx';
import { GROUPS, type Kind, searchKinds } from './kinds.ts';

interface PaletteProps {
  onAdd(kind: Kind): void;
  refusal: string | null;
  /** In a dialog there is nothing to drag to. */
  isDraggable?: boolean;
}

/** Everything that can be added: by click, by Enter, or by dragging. */
export const Palette = memo(function Palette({ onAdd, refusal, isDraggable = true }: PaletteProps) {
  const [text, setText] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const found = searchKinds(text);
  useHotkeys({ '/': () => search.current?.focus() });
  const onSearchKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && found[0] && text.trim() !== '' && !refusal) {
      event.preventDefault();
      onAdd(found[0]);
      setText('');
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      list.current?.querySelector('button')?.focus();
    } else if (event.key === 'Escape' && text !== '') {
      event.stopPropagation();
      setText('');
    }
  };
  return (
    <div className="grid gap-3">
      <SearchInput
        ref={search}
        aria-label="Search fields to add"
        placeholder="Add a field"
        className="w-full"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onSearchKey}
      />
      <div
        ref={list}
        role="toolbar"
        aria-orientation="vertical"
        aria-label="Fields to add"
        className="grid gap-3"
        onKeyDown={walk}
      >
        {GROUPS.map((group) => {
          const kinds = found.filter((kind) => kind.group === group);
          if (kinds.length === 0) return null;
          return (
            <fieldset key={group} aria-label={group}>
              <p aria-hidden="true" className="mb-1 text-xs font-medium text-muted">
                {group}
              </p>
              <div className="grid grid-cols-2 gap-1 lg:grid-cols-1">
                {kinds.map((kind) =>
                  isDraggable && !refusal ? (
                    <DraggableItem key={kind.key} kind={kind} onAdd={onAdd} />
                  ) : (
                    <Item key={kind.key} kind={kind} onAdd={onAdd} isOff={refusal !== null} />
                  ),
                )}
              </div>
            </fieldset>
          );
        })}
      </div>
      <Elsewhere text={text} isOtherwiseEmpty={found.length === 0} />
    </div>
  );
});

/** Where to find what is no field. */
function Elsewhere({ text, isOtherwiseEmpty }: { text: string; isOtherwiseEmpty: boolean }) {
  const places = searchElsewhere(text);
  if (asksForHidden(text))
    return <p className="text-muted">To hide a field, add it and switch on “Hidden” in its options.</p>;
  if (places.length === 0)
    return isOtherwiseEmpty ? <p className="text-muted">No field with this name.</p> : null;
  return (
    <section aria-label="In the settings">
      <p aria-hidden="true" className="mb-1 text-xs font-medium text-muted">
        In the settings
      </p>
      {places.map(({ label, part }) => (
        <Link
          key={part}
          to="/workspaces/$workspaceId/forms/$formId/settings"
          from="/workspaces/$workspaceId/forms/$formId/build"
          search={{ part }}
          className="block rounded-lg px-2 py-1.5 text-accent hover:bg-hover"
        >
          {label}
        </Link>
      ))}
    </section>
  );
}

interface ItemProps {
  kind: Kind;
  onAdd(kind: Kind): void;
  isOff?: boolean;
}

const ITEM =
  'flex min-h-8 w-full items-center gap-2 rounded-lg px-2 text-start transition-colors hover:bg-hover aria-disabled:opacity-50';

function DraggableItem({ kind, onAdd }: ItemProps) {
  const { setNodeRef, listeners, isDragging } = useDraggable({
    id: `new ${kind.key}`,
    data: { kind, name: kind.label },
  });
  // Dragging works by pointer only, because Enter must add the item.
  const { onKeyDown: _, ...byPointer } = listeners ?? {};
  return (
    <button
      ref={setNodeRef}
      type="button"
      className={`${ITEM} touch-manipulation ${isDragging ? 'opacity-40' : ''}`}
      {...byPointer}
      onClick={() => onAdd(kind)}
    >
      <KindIcon kind={kind.key} className="text-muted" />
      <span className="min-w-0">{kind.label}</span>
    </button>
  );
}

function Item({ kind, onAdd, isOff = false }: ItemProps) {
  return (
    <button type="button" aria-disabled={isOff} className={ITEM} onClick={() => !isOff && onAdd(kind)}>
      <KindIcon kind={kind.key} className="text-muted" />
      <span className="min-w-0">{kind.label}</span>
    </button>
  );
}

/** Arrow keys move between items. */
function walk(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const next = buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
