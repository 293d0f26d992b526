import type { ComponentProps } from 'react';
import { Problems } from '../settings/problems.tsx';
import { Checkbox } from '../ui/checkbox.tsx';

interface CheckFieldProps extends ComponentProps<typeof Checkbox> {
  /** What the service says is wrong with it. */
  problems: readonly string[] | undefined;
}

/** A checkbox of an integration's form, with what is wrong below. */
export function CheckField({ problems = [], ...checkbox }: CheckFieldProps) {
  return (
    <div className="grid grid-cols-1 gap-2">
      <Checkbox {...checkbox} />
      <Problems texts={problems} />
    </div>
  );
}
