import { asNumber } from '../../../fields/block-options/options.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../fields/property.ts';
import { PictureInput } from '../../pictures/picture-input.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, Select } from '../../ui/input.tsx';

interface ImageInputProps {
  value: JsonValue | undefined;
  isOff: boolean;
  onChange(value: JsonValue | undefined): void;
}

const LAYOUTS = [
  ['between', 'Between name and field'],
  ['left-small', 'Small, at the start'],
  ['right-small', 'Small, at the end'],
  ['left-split', 'Half, at the start'],
  ['right-split', 'Half, at the end'],
  ['background', 'Behind the block'],
] as const;
const MAX_ALT = 125; // characters

/** The picture of a block: its address, its position, its focal point. */
export function ImageInput({ value, isOff, onChange }: ImageInputProps) {
  const image: JsonObject = isJsonObject(value) ? value : {};
  const focus: JsonObject = isJsonObject(image.focal_point) ? image.focal_point : {};
  const url = typeof image.url === 'string' ? image.url : '';
  const set = (members: JsonObject) => {
    const next = { ...image, ...members };
    onChange(next.url ? (next as JsonValue) : undefined);
  };
  return (
    <fieldset className="grid gap-4">
      <legend className="sr-only">Picture</legend>
      <Field name="image_url" label="Picture">
        <PictureInput label="Picture" isOff={isOff} value={url} onChange={(url) => set({ url })} />
      </Field>
      {url !== '' && (
        <>
          <Field name="image_alt" label="What it shows" hint="Read out to people who cannot see it.">
            <Input
              maxLength={MAX_ALT}
              readOnly={isOff}
              value={typeof image.alt === 'string' ? image.alt : ''}
              onChange={(event) => set({ alt: event.target.value })}
            />
          </Field>
          <Field name="image_layout" label="Where it stands">
            <Select
              className="w-full"
              disabled={isOff}
              value={typeof image.layout === 'string' ? image.layout : 'between'}
              onChange={(event) => set({ layout: event.target.value })}
            >
              {LAYOUTS.map(([key, label]) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
            </Select>
          </Field>
          {(
            [
              ['Focus from the left', 'x'],
              ['Focus from the top', 'y'],
            ] as const
          ).map(([label, axis]) => (
            <Slider
              key={axis}
              label={label}
              min={0}
              max={100}
              value={asNumber(focus[axis]) ?? 50}
              isOff={isOff}
              onChange={(next) => set({ focal_point: { x: 50, y: 50, ...focus, [axis]: next } as JsonValue })}
            />
          ))}
          <Slider
            label="Brightness"
            min={-100}
            max={100}
            value={asNumber(image.brightness) ?? 0}
            isOff={isOff}
            onChange={(brightness) => set({ brightness })}
          />
        </>
      )}
    </fieldset>
  );
}

interface SliderProps {
  label: string;
  min: number;
  max: number;
  value: number;
  isOff: boolean;
  onChange(value: number): void;
}

function Slider({ label, min, max, value, isOff, onChange }: SliderProps) {
  return (
    <Field name={label} label={`${label}: ${value}`}>
      <input
        type="range"
        aria-label={label}
        className="w-full accent-accent"
        min={min}
        max={max}
        value={value}
        disabled={isOff}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </Field>
  );
}
