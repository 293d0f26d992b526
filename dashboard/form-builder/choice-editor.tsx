import type { JsonValue, Property } from '../../fields/property.ts';
import { isJsonObject } from '../../fields/property.ts';
import { Input } from '../ui/input.tsx';
import { useBuilder } from './builder-context.ts';
import { freeName, optionImage, optionName, optionsOf, withOptions, withPasted } from './choice-list.ts';
import { ItemList } from './item-list.tsx';
import { newId } from './new-id.ts';

/** The options of a choice, with their pictures where they are shown. */
export function ChoiceList({ block }: { block: Property }) {
  const { edit, refusal } = useBuilder();
  const options = optionsOf(block);
  const hasImages = /image/.test(String(block.option_display_mode ?? ''));
  const set = (next: JsonValue[], isTyped = false) =>
    edit({ do: 'change', id: block.id, members: withOptions(block, next), isTyped });
  const setImage = (index: number, image: string) => {
    const option = options[index];
    if (option === undefined) return;
    const { image: _, ...rest } = isJsonObject(option) ? option : { id: newId(), name: optionName(option) };
    set(options.with(index, (image === '' ? rest : { ...rest, image }) as JsonValue), true);
  };
  return (
    <ItemList
      label="Options"
      word="Option"
      refusal={refusal}
      items={options.map((option, index) => ({
        key: keyOf(option, index),
        name: optionName(option),
        isFilled: optionImage(option) !== '',
        more: hasImages && (
          <Input
            type="url"
            dir="ltr"
            aria-label={`Address of the picture of option ${index + 1}`}
            aria-invalid={optionImage(option) === '' || undefined}
            placeholder="https://… (picture)"
            readOnly={refusal !== null}
            value={optionImage(option)}
            onChange={(event) => setImage(index, event.target.value)}
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
  );
}

function keyOf(option: JsonValue, index: number): string {
  return isJsonObject(option) && typeof option.id === 'string' ? option.id : `option ${index}`;
}
