import { Link } from '@tanstack/react-router';
import { classes } from '../lib/classes.ts';
import { useCurrentInView } from '../lib/use-current-in-view.ts';
import { PARTS, type PartId, type SettingsPart } from './parts.ts';
import { type Changes, isChanged as isSettingChanged, problemsOf } from './use-changes.ts';

/** The parts of the settings, with marks for unsaved changes and problems. */
export function PartNav({ current, changes }: { current: PartId; changes: Changes }) {
  const nav = useCurrentInView<HTMLElement>('[aria-current=page]');
  return (
    <nav
      ref={nav}
      aria-label="Settings"
      className="scrolls-on relative -mx-1 flex gap-1 overflow-x-auto px-1 pb-1 lg:sticky lg:top-20 lg:mx-0 lg:grid lg:content-start lg:self-start lg:overflow-visible lg:px-0"
    >
      {PARTS.map((part: SettingsPart) => {
        const settings = part.groups.flatMap((group) => group.settings);
        const isWrong = settings.some((setting) => problemsOf(changes.errors, setting).length > 0);
        const isChanged = settings.some((setting) => isSettingChanged(changes, setting));
        return (
          <Link
            key={part.id}
            to="/workspaces/$workspaceId/forms/$formId/settings"
            from="/workspaces/$workspaceId/forms/$formId/settings"
            search={{ part: part.id }}
            replace
            aria-current={part.id === current ? 'page' : undefined}
            className={classes(
              'flex h-9 shrink-0 items-center gap-2 rounded-lg px-3 whitespace-nowrap text-muted transition-colors hover:bg-hover hover:text-ink',
              part.id === current && 'bg-hover font-medium text-ink',
              part.id === 'danger' && 'lg:mt-4',
            )}
          >
            {part.name}
            {(isWrong || isChanged) && (
              <>
                <span
                  aria-hidden="true"
                  className={`size-1.5 rounded-full ${isWrong ? 'bg-bad' : 'bg-accent'}`}
                />
                <span className="sr-only">{isWrong ? '(something is wrong)' : '(changed)'}</span>
              </>
            )}
          </Link>
        );
      })}
    </nav>
  );
}
