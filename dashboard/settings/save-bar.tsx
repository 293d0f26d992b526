import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { formatCount } from '../lib/format.ts';
import { useHotkeys } from '../lib/use-hotkeys.ts';
import { useLeaving } from '../shell/use-leaving.tsx';
import { Button } from '../ui/button.tsx';
import { PARTS, type SettingsPart } from './parts.ts';
import { type Changes, problemsOf } from './use-changes.ts';

/** Shows and saves unsaved changes, and leads to settings that were refused. */
export function SaveBar({ changes, refusal }: { changes: Changes; refusal: string | null }) {
  const { changed, isSaving, save, discard, errors } = changes;
  const isDirty = changed.size > 0;
  useHotkeys({ 'mod+s': () => isDirty && !isSaving && save() });
  useLeadToProblem(isSaving);
  const { question } = useLeaving(
    isDirty,
    `${formatCount(changed.size, 'change')} of this form’s settings would be lost.`,
  );
  const wrong = PARTS.filter((part: SettingsPart) =>
    part.groups.some(({ settings }) => settings.some((setting) => problemsOf(errors, setting).length > 0)),
  );
  return (
    <>
      {isDirty && (
        <section
          aria-label="Changes"
          data-lower-bar
          className="animate-appear sticky bottom-3 z-20 mt-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-line bg-raised px-4 py-3 shadow-lg"
        >
          <div className="min-w-0 flex-1" aria-live="polite">
            {wrong.length === 0 ? (
              <p>{formatCount(changed.size, 'change')} not saved yet</p>
            ) : (
              <p className="text-bad">
                Not saved: look at{' '}
                {wrong.map(({ id, name }, index) => (
                  <span key={id}>
                    {index > 0 && ', '}
                    <Link
                      to="/workspaces/$workspaceId/forms/$formId/settings"
                      from="/workspaces/$workspaceId/forms/$formId/settings"
                      search={{ part: id }}
                      className="underline"
                    >
                      {name}
                    </Link>
                  </span>
                ))}
              </p>
            )}
          </div>
          <Button look="quiet" disabledReason={isSaving ? 'It is being saved' : null} onClick={discard}>
            Discard
          </Button>
          <Button look="primary" isRunning={isSaving} disabledReason={refusal} onClick={save}>
            Save
          </Button>
        </section>
      )}
      {question}
    </>
  );
}

/** After a failed save, focuses the first refused setting on the screen. */
function useLeadToProblem(isSaving: boolean): void {
  const wasSaving = useRef(false);
  useEffect(() => {
    if (wasSaving.current && !isSaving) {
      const wrong = document.querySelector<HTMLElement>('main [aria-invalid="true"]');
      wrong?.focus({ preventScroll: true });
      // Centred, because the bar covers the lower edge.
      wrong?.scrollIntoView({ block: 'center' });
    }
    wasSaving.current = isSaving;
  }, [isSaving]);
}
