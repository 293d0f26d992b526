import { Columns3 } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { SearchInput } from '../../ui/input.tsx';
import { ColumnOrder } from './column-order.tsx';
import type { Column } from './columns.ts';
import type { Columns } from './use-columns.ts';

/** So many columns or more can be searched. */
const MANY = 12;

export function ColumnChooser({ columns }: { columns: Columns }) {
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button icon={<Columns3 className="size-4" />}>
          <span className="max-lg:sr-only">Columns</span>
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={4}
          collisionPadding={12}
          aria-label="Columns"
          className="animate-appear z-50 flex max-h-[min(26rem,var(--radix-popover-content-available-height))] w-72 flex-col rounded-lg border border-line bg-raised shadow-lg"
        >
          <ColumnChoices columns={columns} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Which columns the table has, and in which order. */
export function ColumnChoices({ columns }: { columns: Columns }) {
  const [text, setText] = useState('');
  const shown = new Set(columns.shown.map(({ key }) => key));
  const fits = ({ label }: Column) => label.toLowerCase().includes(text.trim().toLowerCase());
  const groups: [string, Column[]][] = [
    ['Answers', columns.all.filter(({ kind, isRemoved }) => kind === 'field' && !isRemoved)],
    ['About the response', columns.all.filter(({ kind }) => kind === 'system')],
    ['Where it came from', columns.all.filter(({ kind }) => kind === 'attribution')],
    ['Removed questions', columns.all.filter(({ isRemoved }) => isRemoved)],
  ];
  return (
    <>
      {columns.all.length > MANY && (
        <div className="border-b border-line p-2">
          <SearchInput
            aria-label="Search columns"
            placeholder="Search columns"
            className="w-full"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      )}
      <div className="grid min-h-0 grid-cols-1 gap-4 overflow-y-auto p-3">
        {groups.map(([name, group]) => {
          const fitting = group.filter(fits);
          return (
            fitting.length > 0 && (
              <fieldset key={name} className="grid min-w-0 grid-cols-1 gap-2">
                <legend className="mb-2 text-xs font-medium text-muted">{name}</legend>
                {fitting.map(({ key, label }) => (
                  <Checkbox
                    key={key}
                    label={<bdi className="block wrap-anywhere">{label}</bdi>}
                    checked={shown.has(key)}
                    // One column always stays, because it links to the response.
                    disabled={shown.has(key) && shown.size === 1}
                    onChange={(event) => columns.setVisible(key, event.target.checked)}
                  />
                ))}
              </fieldset>
            )
          );
        })}
        {text.trim() === '' && <ColumnOrder columns={columns} />}
      </div>
      <div className="border-t border-line p-2">
        <Button size="sm" look="quiet" onClick={columns.reset}>
          Show the usual columns
        </Button>
      </div>
    </>
  );
}
