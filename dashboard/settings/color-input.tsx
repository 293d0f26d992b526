import { USUAL_COLOR } from '../form-builder/preview/contrast.ts';
import { Input } from '../ui/input.tsx';

const HEX = /^#[0-9a-f]{6}$/i;

/** A color, picked or typed. */
export function ColorInput({
  value,
  isDisabled,
  onChange,
}: {
  value: string;
  isDisabled: boolean;
  onChange(color: string): void;
}) {
  return (
    <span className="flex gap-2">
      <input
        type="color"
        aria-label="Pick a color"
        className="h-9 w-12 shrink-0 rounded-lg border border-edge/70 bg-surface p-1 disabled:opacity-60"
        value={HEX.test(value) ? value : USUAL_COLOR.toLowerCase()}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.value)}
      />
      <Input
        dir="ltr"
        spellCheck={false}
        className="max-w-36 font-mono text-[0.8125rem]"
        value={value}
        maxLength={255}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.value)}
      />
    </span>
  );
}
