import { type ComponentProps, type ReactNode, useId } from 'react';
import { classes } from '../lib/classes.ts';

interface CheckProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
  hint?: ReactNode;
}

export function Checkbox({ label, hint, className, ...rest }: CheckProps) {
  const id = useId();
  return (
    <div className={classes('flex min-w-0 gap-2.5', className)}>
      <input
        type="checkbox"
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-0.5 size-4 shrink-0 accent-accent"
        {...rest}
      />
      <Words id={id} label={label} hint={hint} />
    </div>
  );
}

/** A switch that applies at once, without a button to save. */
export function Switch({ label, hint, className, ...rest }: CheckProps) {
  const id = useId();
  return (
    <div className={classes('flex items-start justify-between gap-4', className)}>
      <Words id={id} label={label} hint={hint} />
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says by itself whether it is on
        role="switch"
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className={classes(
          'relative h-5 w-9 shrink-0 appearance-none rounded-full bg-edge transition-colors checked:bg-accent disabled:opacity-50 aria-disabled:opacity-50',
          'before:absolute before:inset-s-0.5 before:top-0.5 before:size-4 before:rounded-full before:bg-white before:transition-all',
          'checked:before:inset-s-4.5',
        )}
        {...rest}
      />
    </div>
  );
}

function Words({ id, label, hint }: { id: string; label: ReactNode; hint: ReactNode }) {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-0.5">
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className="text-[0.8125rem] text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
