import { CircleSlash2 } from 'lucide-react';
import { useState } from 'react';
import type { JsonValue, Property } from '../../fields/property.ts';
import { isJsonObject } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { PictureInput } from '../pictures/picture-input.tsx';
import { IconButton } from '../ui/button.tsx';
import { Switch } from '../ui/checkbox.tsx';
import { Input } from '../ui/input.tsx';
import { useBuilder } from './builder-context.ts';
import {
  freeName,
  isExclusive,
  limitsPlaces,
  optionImage,
  optionName,
  optionPlaces,
  optionsOf,
  withMember,
  withOptions,
  withPasted,
} from './choice-list.ts';
import { ItemList } from './item-list.tsx';
import { newId } from './new-id.ts';

/** Member of an option: how many submissions may choose it. */
const PLACES = 'max_submissions_count';
/** Likewise: whether it rules out the others. */
const EXCLUSIVE = 'exclusive';

/**
 * The options of a choice, with their pictures and limits, if any.
 * @param isRepeated asked for every entry, where limits cannot be counted
 */
export function ChoiceList({ block, isRepeated = false }: { block: Property; isRepeated?: boolean }) {
  const { edit, refusal } = useBuilder();
  const options = optionsOf(block);
  const hasImages = /image/.test(String(block.option_display_mode ?? ''));
  const set = (next: JsonValue[], { isTyped = false } = {}) =>
    edit({ do: 'change', id: block.id, members: withOptions(block, next), isTyped });
  const setMember = (index: number, key: string, value: JsonValue | undefined) =>
    set(options.with(index, withMember(options[index] ?? '', key, value)), { isTyped: true });
  // Id of the block whose limits are shown even if no option has one.
  const [asked, askFor] = useState<string | null>(null);
  const hasPlaces = asked === block.id || limitsPlaces(block);
  const setPlaces = (index: number, value: string) => {
    // Keeps the column while its last number is being replaced.
    askFor(block.id);
    setMember(index, PLACES, value === '' ? undefined : Number(value));
  };
  const limit = (isOn: boolean) => {
    askFor(isOn ? block.id : null);
    // Converted at once: if the first digit turned a plain text into an object, its line would be replaced and lose the focus.
    const isChanged = isOn ? options.some((option) => !isJsonObject(option)) : limitsPlaces(block);
    if (isChanged) set(options.map((option) => withMember(option, PLACES, undefined)));
  };
  const isSeveral = canonicalTypeName(block.type) === 'multi_select';
  // Id of the block whose marks are shown even if no option has one.
  const [marked, mark] = useState<string | null>(null);
  const hasMarks = isSeveral && (marked === block.id || options.some(isExclusive));
  const setMark = (index: number, isMarked: boolean) => {
    // Keeps the column while the mark moves to another option.
    mark(block.id);
    set(options.with(index, withMember(options[index] ?? '', EXCLUSIVE, isMarked || undefined)));
  };
  const ruleOut = (isOn: boolean) => {
    mark(isOn ? block.id : null);
    const last = options.length - 1;
    // It is nearly always the last one.
    if (isOn && last > 0) setMark(last, true);
    else if (options.some(isExclusive))
      set(options.map((option) => (isExclusive(option) ? withMember(option, EXCLUSIVE, undefined) : option)));
  };
  return (
    <div className="grid gap-4">
      <ItemList
        label="Options"
        word="Option"
        refusal={refusal}
        items={options.map((option, index) => ({
          key: keyOf(option, index),
          name: optionName(option),
          isFilled: optionImage(option) + optionPlaces(option) !== '' || isExclusive(option),
          aside: (
            <>
              {hasPlaces && (
                <div className="w-24 shrink-0">
                  <Input
                    type="number"
                    min={0}
                    aria-label={`Places of option ${index + 1}`}
                    placeholder="No limit"
                    readOnly={refusal !== null}
                    value={optionPlaces(option)}
                    onChange={({ target: { value } }) => setPlaces(index, value)}
                  />
                </div>
              )}
              {hasMarks && (
                <IconButton
                  size="sm"
                  label={`Option ${index + 1} rules out the others`}
                  aria-pressed={isExclusive(option)}
                  look={isExclusive(option) ? 'primary' : 'quiet'}
                  disabledReason={refusal}
                  onClick={() => setMark(index, !isExclusive(option))}
                >
                  <CircleSlash2 className="size-4" />
                </IconButton>
              )}
            </>
          ),
          more: hasImages && (
            <PictureInput
              label={`Picture of option ${index + 1}`}
              isOff={refusal !== null}
              isInvalid={optionImage(option) === ''}
              value={optionImage(option)}
              onChange={(address) => setMember(index, 'image', address || undefined)}
            />
          ),
        }))}
        onRename={(index, name) => edit({ do: 'rename-choice', id: block.id, index, name })}
        onAdd={(at) => set(options.toSpliced(at, 0, { id: newId(), name: freeName(options) }))}
        onPaste={(at, names, dropped) =>
          set(
            withPasted(
              options,
              at,
              names.map((name) => ({ id: newId(), name })),
              dropped,
            ),
          )
        }
        onRemove={(index) => set(options.toSpliced(index, 1))}
        onMove={(from, to) => set(options.toSpliced(from, 1).toSpliced(to, 0, options[from] ?? ''))}
      />
      {isSeveral && (
        <Switch
          label="An option rules out the others"
          hint={
            hasMarks
              ? 'Whoever chooses a marked one, such as “None of these”, can choose nothing else.'
              : undefined
          }
          checked={hasMarks}
          disabled={refusal !== null}
          onChange={(event) => ruleOut(event.target.checked)}
        />
      )}
      {canonicalTypeName(block.type) !== 'ranking' && !isRepeated && (
        <Switch
          label="Limit how many may choose an option"
          hint={hasPlaces ? 'Completed responses count. What is full cannot be chosen any more.' : undefined}
          checked={hasPlaces}
          disabled={refusal !== null}
          onChange={(event) => limit(event.target.checked)}
        />
      )}
    </div>
  );
}

function keyOf(option: JsonValue, index: number): string {
  return isJsonObject(option) && typeof option.id === 'string' ? option.id : `option ${index}`;
}
