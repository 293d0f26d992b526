import {
  Check,
  CloudAlert,
  CloudUpload,
  Ellipsis,
  FlaskConical,
  History,
  Redo2,
  RotateCcw,
  Undo2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from '../lib/classes.ts';
import { formatDistance } from '../lib/format.ts';
import { useLeaving } from '../shell/use-leaving.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Spinner } from '../ui/spinner.tsx';
import type { Autosave } from './saving/use-autosave.ts';
import type { Steps } from './use-steps.ts';

export interface ToolbarProps {
  steps: Steps;
  autosave: Autosave;
  /** Whether there are unpublished changes. */
  hasChanges: boolean;
  isUnpublished: boolean;
  refusal: string | null;
  onPublish(): void;
  onDiscard(): void;
  onHistory(): void;
  onScenarios(): void;
  /** When and by whom the draft found was saved; null if by oneself, or once it was changed here. */
  savedBefore: { by: string; at: string } | null;
}

const LAST_SAVE_MS = 3_000;
const BAD_STATES: readonly Autosave['state'][] = ['failed', 'refused', 'signed-out', 'conflict'];
const MOD = /Mac/.test(navigator.platform) ? '⌘' : 'Ctrl';

export function Toolbar({
  steps,
  autosave,
  hasChanges,
  isUnpublished,
  refusal,
  onPublish,
  onDiscard,
  onHistory,
  onScenarios,
  savedBefore,
}: ToolbarProps) {
  const { question } = useLeaving(
    autosave.state !== 'saved',
    'The last changes to this form could not be saved, and would be lost.',
    { saveAtLast: () => isSavedSoon(autosave) },
  );
  const canDiscard = hasChanges && !isUnpublished;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <IconButton
        label={`Undo (${MOD} Z)`}
        aria-label="Undo"
        disabledReason={refusal ?? (steps.canUndo ? null : 'Nothing to undo')}
        onClick={steps.undo}
      >
        <Undo2 className="size-4" />
      </IconButton>
      <IconButton
        label={`Redo (${MOD} Shift Z)`}
        aria-label="Redo"
        disabledReason={refusal ?? (steps.canRedo ? null : 'Nothing to redo')}
        onClick={steps.redo}
      >
        <Redo2 className="size-4" />
      </IconButton>
      <IconButton label="Versions" className="max-sm:hidden" onClick={onHistory}>
        <History className="size-4" />
      </IconButton>
      <IconButton label="Scenarios" className="max-sm:hidden" onClick={onScenarios}>
        <FlaskConical className="size-4" />
      </IconButton>
      {/* On phones errors have a line of their own. */}
      <div
        className={classes(
          '@container min-w-5 flex-1',
          BAD_STATES.includes(autosave.state) && 'order-last basis-full sm:order-none sm:basis-0',
        )}
      >
        <Status
          autosave={autosave}
          hasChanges={hasChanges}
          isUnpublished={isUnpublished}
          savedBefore={savedBefore}
        />
      </div>
      {canDiscard && (
        <Button look="quiet" className="max-sm:hidden" disabledReason={refusal} onClick={onDiscard}>
          Discard changes
        </Button>
      )}
      <PhoneMenu
        refusal={refusal}
        onHistory={onHistory}
        onScenarios={onScenarios}
        onDiscard={canDiscard ? onDiscard : null}
      />
      <Button
        look="primary"
        disabledReason={refusal ?? (hasChanges || isUnpublished ? null : 'Everything is published.')}
        onClick={onPublish}
      >
        Publish
      </Button>
      {question}
    </div>
  );
}

interface PhoneMenuProps extends Pick<ToolbarProps, 'refusal' | 'onHistory' | 'onScenarios'> {
  /** null if there is nothing to discard. */
  onDiscard: (() => void) | null;
}

/** On phones what is done rarely stands in a menu, so that everything else keeps to one line. */
function PhoneMenu({ refusal, onHistory, onScenarios, onDiscard }: PhoneMenuProps) {
  return (
    <Menu
      trigger={
        <IconButton label="More for building" className="sm:hidden">
          <Ellipsis className="size-4" />
        </IconButton>
      }
    >
      <MenuItem icon={<History />} onSelect={onHistory}>
        Versions
      </MenuItem>
      <MenuItem icon={<FlaskConical />} onSelect={onScenarios}>
        Scenarios
      </MenuItem>
      {onDiscard && (
        <MenuItem icon={<RotateCcw />} disabledReason={refusal} onSelect={onDiscard}>
          Discard changes
        </MenuItem>
      )}
    </Menu>
  );
}

/** Leaving for another screen waits no longer than this. */
async function isSavedSoon(autosave: Autosave): Promise<boolean> {
  const limit = new Promise<null>((resolve) => setTimeout(() => resolve(null), LAST_SAVE_MS));
  return (await Promise.race([autosave.flush(), limit]))?.state === 'saved';
}

const NOT_SAVED = { icon: <CloudAlert className="size-4" />, text: 'Not saved' };
const SAVE_STATES: Readonly<Record<Autosave['state'], { icon: ReactNode; text: string }>> = {
  saved: { icon: <Check className="size-4" />, text: 'Saved' },
  unsaved: { icon: <CloudUpload className="size-4" />, text: 'Saving …' },
  saving: { icon: <Spinner />, text: 'Saving …' },
  failed: NOT_SAVED,
  refused: NOT_SAVED,
  'signed-out': NOT_SAVED,
  conflict: NOT_SAVED,
};

type StatusProps = Pick<ToolbarProps, 'autosave' | 'hasChanges' | 'isUnpublished' | 'savedBefore'>;

function Status({ autosave, hasChanges, isUnpublished, savedBefore }: StatusProps) {
  const { state } = autosave;
  const isBad = BAD_STATES.includes(state);
  const { icon, text } = SAVE_STATES[state];
  return (
    <p
      role="status"
      className={`relative flex min-w-0 items-center gap-1.5 ${isBad ? 'flex-wrap text-bad sm:flex-nowrap' : 'text-muted'}`}
    >
      <span aria-hidden="true">{icon}</span>
      {/* Where room is short only the icon is visible. */}
      <span className="shrink-0 @max-[5rem]:sr-only">{text}</span>
      {!isBad && (
        <span className="hidden truncate sm:inline">
          · {publishedWords({ savedBefore, isUnpublished, hasChanges })}
        </span>
      )}
      {isBad && state !== 'conflict' && (
        <>
          {state === 'signed-out' ? (
            <span>
              · You are signed out.{' '}
              <a href="/sign-in" target="_blank" rel="noreferrer" className="underline">
                Sign in
              </a>{' '}
              in another tab, then try again.
            </span>
          ) : (
            <span className="hidden truncate sm:inline">· {autosave.problem}</span>
          )}
          <Button size="sm" onClick={() => void autosave.flush()}>
            Try again
          </Button>
        </>
      )}
    </p>
  );
}

function publishedWords({ savedBefore, isUnpublished, hasChanges }: Omit<StatusProps, 'autosave'>): string {
  if (savedBefore) return `last by ${savedBefore.by}, ${formatDistance(savedBefore.at)}`;
  if (isUnpublished) return 'not published yet';
  return hasChanges ? 'changes not published' : 'published';
}
