import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Button, IconButton } from './button.tsx';

interface OrderInputProps {
  /** The question; announced with the list. Left out where a group around it has this name. */
  label?: ReactNode;
  isLabelHidden?: boolean;
  /** All names to put in order. */
  names: readonly string[];
  /** Names in order; empty if there is no order yet. */
  value: readonly string[];
  /** Label for no order. */
  none: string;
  isOff?: boolean;
  describedBy?: string | undefined;
  onChange(order: string[]): void;
}

/** A list to put in order with buttons. There is no order until the user sets one. */
export function OrderInput({
  label,
  isLabelHidden = false,
  names,
  value,
  none,
  isOff = false,
  describedBy,
  onChange,
}: OrderInputProps) {
  const [said, say] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef<string | null>(null);
  // A moved row takes the focus from its button.
  useLayoutEffect(() => {
    const button = moved.current;
    moved.current = null;
    if (button !== null) list.current?.querySelector<HTMLElement>(`[data-move="${button}"]`)?.focus();
  });
  const move = (from: number, to: number) => {
    const name = value[from];
    if (name === undefined || to < 0 || to >= value.length) return;
    moved.current = `${to} ${to < from ? 'up' : 'down'}`;
    say(`${name}: place ${to + 1} of ${value.length}`);
    onChange(value.toSpliced(from, 1).toSpliced(to, 0, name));
  };
  const isStale = value.length !== names.length || names.some((name) => !value.includes(name));
  const Frame = label === undefined ? 'div' : 'fieldset';
  return (
    <Frame className="grid min-w-0 gap-1.5" aria-describedby={describedBy}>
      {label !== undefined && (
        <legend className={isLabelHidden ? 'sr-only' : 'mb-1.5 font-medium'}>{label}</legend>
      )}
      {value.length === 0 ? (
        <div className="flex flex-wrap items-center gap-3">
          <span className="text-muted">{none}</span>
          {!isOff && names.length > 0 && (
            <Button size="sm" onClick={() => onChange([...names])}>
              Put in order
            </Button>
          )}
        </div>
      ) : (
        <>
          <ol ref={list} className="grid gap-1">
            {value.map((name, index) => (
              <li key={name} className="flex items-center gap-2 rounded-md border border-line ps-2.5">
                <span className="w-5 shrink-0 text-muted tabular-nums">{index + 1}</span>
                <bdi className="min-w-0 flex-1 py-1 wrap-anywhere">
                  {names.includes(name) ? name : `${name} (no such option)`}
                </bdi>
                {!isOff && (
                  <>
                    <IconButton
                      size="sm"
                      label={`Move ${name} up`}
                      data-move={`${index} up`}
                      aria-disabled={index === 0 || undefined}
                      onClick={() => move(index, index - 1)}
                    >
                      <ArrowUp className="size-4" />
                    </IconButton>
                    <IconButton
                      size="sm"
                      label={`Move ${name} down`}
                      data-move={`${index} down`}
                      aria-disabled={index === value.length - 1 || undefined}
                      onClick={() => move(index, index + 1)}
                    >
                      <ArrowDown className="size-4" />
                    </IconButton>
                  </>
                )}
              </li>
            ))}
          </ol>
          {!isOff && (
            <div className="flex flex-wrap gap-2">
              <Button size="sm" look="quiet" onClick={() => onChange([])}>
                Remove the order
              </Button>
              {isStale && (
                <Button size="sm" onClick={() => onChange(withAll(names, value))}>
                  Take over the options as they are now
                </Button>
              )}
            </div>
          )}
        </>
      )}
      <span role="status" className="sr-only">
        {said}
      </span>
    </Frame>
  );
}

/** The given order, without former options and with new ones at the end. */
function withAll(names: readonly string[], order: readonly string[]): string[] {
  return [...order.filter((name) => names.includes(name)), ...names.filter((name) => !order.includes(name))];
}
