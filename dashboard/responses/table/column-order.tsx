import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { IconButton } from '../../ui/button.tsx';
import { UserText } from '../../ui/user-text.tsx';
import type { Columns } from './use-columns.ts';

/** The visible columns in order, each with buttons to move it. */
export function ColumnOrder({ columns }: { columns: Columns }) {
  const id = useId();
  const list = useRef<HTMLOListElement>(null);
  const [said, setSaid] = useState('');
  const { shown } = columns;
  const move = (key: string, place: number, steps: number) => {
    const column = shown[place];
    const to = place + steps;
    if (!column || to < 0 || to >= shown.length) return;
    flushSync(() => {
      columns.move(key, steps);
      setSaid(`${column.label} is now ${to + 1} of ${shown.length}.`);
    });
    // A moved element loses the focus; at either end one of its buttons is disabled.
    const wanted = `[data-column="${CSS.escape(key)}"] [data-steps="${steps}"]`;
    list.current?.querySelector<HTMLElement>(wanted)?.focus();
  };
  return (
    <div className="grid min-w-0 gap-1">
      <p id={id} className="mb-1 text-xs font-medium text-muted">
        Shown, in this order
      </p>
      <ol ref={list} aria-labelledby={id} className="grid min-w-0 gap-0.5">
        {shown.map(({ key, label }, place) => {
          const onKeyDown = (event: KeyboardEvent) => {
            const steps = { ArrowUp: -1, ArrowDown: 1 }[event.key];
            if (!event.altKey || steps === undefined) return;
            event.preventDefault();
            move(key, place, steps);
          };
          return (
            <li key={key} data-column={key} className="flex min-w-0 items-center" onKeyDown={onKeyDown}>
              <UserText text={label} className="flex-1" />
              <IconButton
                size="sm"
                data-steps={-1}
                label={`Move ${label} up`}
                disabledReason={place === 0 ? 'It is the first one.' : null}
                onClick={() => move(key, place, -1)}
              >
                <ArrowUp className="size-4" />
              </IconButton>
              <IconButton
                size="sm"
                data-steps={1}
                label={`Move ${label} down`}
                disabledReason={place === shown.length - 1 ? 'It is the last one.' : null}
                onClick={() => move(key, place, 1)}
              >
                <ArrowDown className="size-4" />
              </IconButton>
            </li>
          );
        })}
      </ol>
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
    </div>
  );
}
