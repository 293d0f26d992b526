import { Plus } from 'lucide-react';
import { classes } from '../lib/classes.ts';
import { Button } from '../ui/button.tsx';
import { BlockList } from './blocks/block-list.tsx';
import { DragArea } from './blocks/drag-area.tsx';
import { Palette } from './blocks/palette.tsx';
import type { Adding } from './blocks/use-adding.ts';
import { useBuilder } from './builder-context.ts';
import type { Definition } from './definition.ts';
import { FormEnd } from './form-end.tsx';
import { FormHead } from './form-head.tsx';
import type { Collapsed } from './pages/use-collapsed.ts';
import type { Problem } from './publishing/problems.ts';

interface BuildAreaProps {
  definition: Definition;
  selected: string | null;
  collapsed: Collapsed;
  problems: readonly Problem[];
  adding: Adding;
  /** Whether a small screen shows the preview instead. */
  isBehindPreview: boolean;
  /** Asks on a small screen what to add. */
  onAdd(): void;
}

/** What can be added, and the form's blocks. */
export function BuildArea({
  definition,
  selected,
  collapsed,
  problems,
  adding,
  isBehindPreview,
  onAdd,
}: BuildAreaProps) {
  const { refusal } = useBuilder();
  const { properties: blocks } = definition;
  return (
    <DragArea blocks={blocks} onAdd={adding.addAt}>
      {/* The columns at the sides end at the page's padding; otherwise its end would push them up. */}
      <aside aria-label="Fields to add" className="hidden xl:block">
        <div className="sticky top-28 max-h-[calc(100dvh-9rem)] overflow-y-auto pe-1 pb-4">
          <Palette onAdd={adding.addNext} refusal={refusal} />
        </div>
      </aside>
      <div className={classes('min-w-0', isBehindPreview && 'hidden xl:block')}>
        <FormHead definition={definition} />
        <BlockList
          blocks={blocks}
          selected={selected}
          collapsed={collapsed}
          problems={problems}
          isOff={refusal !== null}
        />
        <Button
          className="mt-3 w-full xl:hidden"
          icon={<Plus className="size-4" />}
          disabledReason={refusal}
          onClick={onAdd}
        >
          Add a field
        </Button>
        <FormEnd />
      </div>
    </DragArea>
  );
}
