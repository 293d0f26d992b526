import { classes } from '../lib/classes.ts';

/** Small screens show one of the two at a time. */
export function ViewSwitch({
  view,
  onChange,
}: {
  view: 'build' | 'preview';
  onChange(view: 'build' | 'preview'): void;
}) {
  return (
    <fieldset aria-label="View" className="mt-2 grid grid-cols-2 gap-1 rounded-lg bg-hover p-1 xl:hidden">
      {(['build', 'preview'] as const).map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={view === name}
          className={classes(
            'h-7 rounded-md',
            view === name ? 'bg-surface font-medium shadow-xs' : 'text-muted',
          )}
          onClick={() => onChange(name)}
        >
          {name === 'build' ? 'Build' : 'Preview'}
        </button>
      ))}
    </fieldset>
  );
}
