import { useContext, useState } from 'react';
import type { Property } from '../../../fields/property.ts';
import { canonicalTypeName, isLayoutBlock } from '../../../fields/type-names.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { IsPublishing } from '../builder-context.ts';
import { LogicEditor, ValidationEditor } from '../logic/logic-editor.tsx';
import { contentOptions, lookOptions, stateOptions } from '../options/block-options.ts';
import { OptionInput } from '../options/option-input.tsx';
import type { OptionSpec } from '../options/option-spec.ts';
import { KindInput } from './kind-input.tsx';

/** Kept from block to block, because people often set the same thing for several. */
let lastTab = 'options';

/** Blocks whose names are shown only in the builder; for players and frames the page shows theirs. */
const UNSEEN = new Set(['nf-text', 'nf-divider', 'nf-image', 'nf-page-break']);

/** For a new block, whose options are filled in first. */
export function openOptions(): void {
  lastTab = 'options';
}

/** All settings of a block except its name. */
export function BlockSettings({ block, blocks }: { block: Property; blocks: readonly Property[] }) {
  const [wanted, setWanted] = useState(lastTab);
  const look = lookOptions(block);
  // Begun anew, conditions are marked where they lack a value, although nobody has been there yet.
  const key = String(useContext(IsPublishing));
  const tabs = [
    {
      key: 'options',
      name: 'Options',
      content: (
        <div className="grid grid-cols-1 gap-4">
          {UNSEEN.has(canonicalTypeName(block.type)) && (
            <p className="text-muted">The name above is for you alone: visitors do not see it.</p>
          )}
          {!isLayoutBlock(block.type) && <KindInput block={block} />}
          <Options block={block} blocks={blocks} specs={mainOptions(block)} />
        </div>
      ),
    },
    { key: 'logic', name: 'Logic', content: <LogicEditor key={key} block={block} blocks={blocks} /> },
    ...(isLayoutBlock(block.type)
      ? []
      : [
          {
            key: 'validation',
            name: 'Validation',
            content: <ValidationEditor key={key} block={block} blocks={blocks} />,
          },
        ]),
    ...(look.length > 0
      ? [{ key: 'look', name: 'Look', content: <Options block={block} blocks={blocks} specs={look} /> }]
      : []),
  ];
  const value = tabs.some(({ key }) => key === wanted) ? wanted : 'options';
  return (
    <Tabs
      label={`Settings of ${block.name}`}
      value={value}
      onChange={(key) => {
        lastTab = key;
        setWanted(key);
      }}
      tabs={tabs}
    />
  );
}

/** The most frequent settings come first. */
function mainOptions(block: Property): OptionSpec[] {
  const state = stateOptions(block);
  const first = state.filter(({ key }) => key === 'required');
  return [...first, ...contentOptions(block), ...state.filter((spec) => !first.includes(spec))];
}

interface OptionsProps {
  block: Property;
  blocks: readonly Property[];
  specs: readonly OptionSpec[];
}

function Options({ block, blocks, specs }: OptionsProps) {
  if (specs.length === 0) return <p className="text-muted">There is nothing to set here.</p>;
  return (
    <div className="grid grid-cols-1 gap-4">
      {specs.map((spec) => (
        <OptionInput key={spec.key} block={block} blocks={blocks} spec={spec} />
      ))}
    </div>
  );
}
