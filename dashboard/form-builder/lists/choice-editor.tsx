import { CircleSlash2 } from 'lucide-react';
import type { JsonValue, Property } from '../../../fields/property.ts';
import { isJsonObject } from '../../../fields/property.ts';
import { canonicalTypeName } from '../../../fields/type-names.ts';
import { PictureInput } from '../../pictures/picture-input.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Switch } from '../../ui/checkbox.tsx';
import { Input } from '../../ui/input.tsx';
import { useBuilder } from '../builder-context.ts';
import { newId } from '../new-id.ts';
import {
  freeName,
  isExclusive,
  optionImage,
  optionName,
  optionPlaces,
  withMember,
  withPasted,
} from './choice-list.ts';
import { ItemList } from './item-list.tsx';
import { useChoiceOptions, useLimits, useMarks } from './use-choice-options.ts';

/**
 * The options of a choice, with their pictures and limits, if any.
 * @param isRepeated asked for every entry, where limits cannot be counted
 */
export function ChoiceList({ block, isRepeated = false }: { block: Property; isRepeated?: boolean }) {
  const { edit, refusal } = useBuilder();
  const list = useChoiceOptions(block);
  const { options, set } = list;
  const limits = useLimits(block, list);
  const marks = useMarks(block, list);
  const isSeveral = canonicalTypeName(block.type) === 'multi_select';
  const hasMarks = isSeveral && marks.isShown;
  const hasImages = /image/.test(String(block.option_display_mode ?? ''));
  const setImage = (index: number, address: string) =>
    set(options.with(index, withMember(options[index] ?? '', 'image', address || undefined)), {
      isTyped: true,
    });
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
              {limits.isShown && (
                <div className="w-24 shrink-0">
                  <Input
                    type="number"
                    min={0}
                    aria-label={`Places of option ${index + 1}`}
                    placeholder="No limit"
                    readOnly={refusal !== null}
                    value={optionPlaces(option)}
                    onChange={({ target: { value } }) => limits.limit(index, value)}
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
                  onClick={() => marks.mark(index, !isExclusive(option))}
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
              onChange={(address) => setImage(index, address)}
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
          onChange={(event) => marks.show(event.target.checked)}
        />
      )}
      {canonicalTypeName(block.type) !== 'ranking' && !isRepeated && (
        <Switch
          label="Limit how many may choose an option"
          hint={
            limits.isShown ? 'Completed responses count. What is full cannot be chosen any more.' : undefined
          }
          checked={limits.isShown}
          disabled={refusal !== null}
          onChange={(event) => limits.show(event.target.checked)}
        />
      )}
    </div>
  );
}

function keyOf(option: JsonValue, index: number): string {
  return isJsonObject(option) && typeof option.id === 'string' ? option.id : `option ${index}`;
}
