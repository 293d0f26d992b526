import { useState } from 'react';
import { isJsonObject, type JsonValue, type Property } from '../../../fields/property.ts';
import { useBuilder } from '../builder-context.ts';
import { isExclusive, limitsPlaces, optionsOf, withMember, withOptions } from './choice-list.ts';

/** Members of an option: how many submissions may choose it, and whether it rules out the others. */
const PLACES = 'max_submissions_count';
const EXCLUSIVE = 'exclusive';

interface ChoiceOptions {
  options: JsonValue[];
  /** @param how whether it goes on with what is being typed, as one step that undo takes back */
  set(next: JsonValue[], how?: { isTyped: boolean }): void;
}

/** The options of a choice, and how they change. */
export function useChoiceOptions(block: Property): ChoiceOptions {
  const { edit } = useBuilder();
  return {
    options: optionsOf(block),
    set: (next, { isTyped } = { isTyped: false }) =>
      edit({ do: 'change', id: block.id, members: withOptions(block, next), isTyped }),
  };
}

/** How many may choose each option. */
export function useLimits(block: Property, { options, set }: ChoiceOptions) {
  // Id of the block whose limits are shown even if no option has one.
  const [asked, askFor] = useState<string | null>(null);
  return {
    isShown: asked === block.id || limitsPlaces(block),
    limit(index: number, value: string): void {
      // Keeps the column while its last number is being replaced.
      askFor(block.id);
      const places = value === '' ? undefined : Number(value);
      set(options.with(index, withMember(options[index] ?? '', PLACES, places)), { isTyped: true });
    },
    show(isOn: boolean): void {
      askFor(isOn ? block.id : null);
      // Converted at once: if the first digit turned a plain text into an object, its line would be replaced and lose the focus.
      const isChanged = isOn ? options.some((option) => !isJsonObject(option)) : limitsPlaces(block);
      if (isChanged) set(options.map((option) => withMember(option, PLACES, undefined)));
    },
  };
}

/** Which options rule out the others. */
export function useMarks(block: Property, { options, set }: ChoiceOptions) {
  // Id of the block whose marks are shown even if no option has one.
  const [asked, askFor] = useState<string | null>(null);
  const mark = (index: number, isMarked: boolean) => {
    // Keeps the column while the mark moves to another option.
    askFor(block.id);
    set(options.with(index, withMember(options[index] ?? '', EXCLUSIVE, isMarked || undefined)));
  };
  return {
    isShown: asked === block.id || options.some(isExclusive),
    mark,
    show(isOn: boolean): void {
      askFor(isOn ? block.id : null);
      const last = options.length - 1;
      // It is nearly always the last one.
      if (isOn && last > 0) mark(last, true);
      else if (options.some(isExclusive))
        set(
          options.map((option) => (isExclusive(option) ? withMember(option, EXCLUSIVE, undefined) : option)),
        );
    },
  };
}
