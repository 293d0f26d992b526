import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import type { OwnSettingProps } from './own-setting-props.ts';

const MIDDLE = 50;

/** The focal point of the cover, set in the picture or in percent. */
export function FocalPoint({ setting, changes, isDisabled }: OwnSettingProps) {
  const { cover_picture: picture, cover_settings: settings } = changes.values;
  const { x = MIDDLE, y = MIDDLE } = settings.focal_point ?? {};
  const set = (point: { x: number; y: number }) => changes.change(setting, point);
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium">{setting.label}</legend>
      {picture && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the numbers below do the same
        // biome-ignore lint/a11y/noStaticElementInteractions: the numbers below do the same
        <div
          className="relative w-full max-w-sm cursor-crosshair overflow-hidden rounded-lg border border-line"
          onClick={({ currentTarget, clientX, clientY }) => {
            if (isDisabled) return;
            const box = currentTarget.getBoundingClientRect();
            set({
              x: Math.round(((clientX - box.left) / box.width) * 100),
              y: Math.round(((clientY - box.top) / box.height) * 100),
            });
          }}
        >
          <img src={picture} alt="The cover" className="block max-h-48 w-full object-cover" />
          <span
            aria-hidden="true"
            className="pointer-events-none absolute size-5 -translate-1/2 rounded-full border-2 border-white shadow-[0_0_0_2px_#0008]"
            style={{ left: `${x}%`, top: `${y}%` }}
          />
        </div>
      )}
      <div className="flex gap-3">
        {(['x', 'y'] as const).map((axis) => (
          <Field
            key={axis}
            name={`cover_settings.focal_point.${axis}`}
            label={axis === 'x' ? 'From the left, in %' : 'From the top, in %'}
            errors={changes.errors}
          >
            <Input
              type="number"
              min={0}
              max={100}
              className="max-w-32"
              value={axis === 'x' ? x : y}
              disabled={isDisabled}
              onChange={({ target }) => set({ x, y, [axis]: Number(target.value) })}
            />
          </Field>
        ))}
      </div>
    </fieldset>
  );
}
