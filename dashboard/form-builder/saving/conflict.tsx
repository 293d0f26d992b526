import { useQuery } from '@tanstack/react-query';
import { ApiError, api } from '../../api/client.ts';
import type { Form } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { formatDistance } from '../../lib/format.ts';
import { useUser } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Notice } from '../../ui/states.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { type Definition, setsPassword } from '../definition.ts';
import { definitionOf, type Latest, readLatest } from './draft.ts';
import { mergeDefinitions } from './merge.ts';
import type { Autosave } from './use-autosave.ts';

interface ConflictProps {
  /** The form as it was when editing began. */
  form: Form;
  /** As it is here. */
  definition: Definition;
  autosave: Autosave;
  /** Continue with what was changed here and there. */
  onBoth(latest: Latest, both: Definition): void;
  /** Continue with what somebody else saved or published. */
  onTake(latest: Latest): void;
  /** Continue with what is here, in place of what somebody else saved or published. */
  onKeep(latest: Latest): void;
}

/** Two people have changed the same form: the user chooses which version continues. */
export function Conflict({ form, definition, autosave, onBoth, onTake, onKeep }: ConflictProps) {
  const { data: found } = useQuery({
    queryKey: ['forms', String(form.id), 'latest'],
    queryFn: ({ signal }) => readLatest(form.id, signal),
    staleTime: 0,
    gcTime: 0,
  });
  const { id: ownId } = useUser();
  const isOwn = found?.draft?.saved_by?.id === ownId;
  const take = useAction(() => readLatest(form.id), { onDone: onTake });
  const bothOf = (latest: Latest) =>
    mergeDefinitions(autosave.base(), definition, definitionOf(latest.form, latest.draft));
  const keepBoth = useAction(() => readLatest(form.id), {
    onDone(latest) {
      const both = bothOf(latest);
      if (both) onBoth(latest, both);
      else showToast({ text: 'Meanwhile both of you changed the same. Choose one.', tone: 'bad' });
    },
  });
  const keep = useAction(() => readLatest(form.id), { onDone: onKeep });
  return (
    <Notice tone="warn">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2" role="alert">
        <p className="min-w-0 flex-1 basis-72">
          {found ? (
            <WhatHappened before={form} isOwn={isOwn} {...found} />
          ) : (
            'Somebody else saved this form meanwhile.'
          )}{' '}
          {isOwn ? 'Your changes here are not saved.' : 'Yours are not saved.'}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" isRunning={take.isRunning} onClick={() => take.run()}>
            {isOwn ? 'Take those' : 'Take theirs'}
          </Button>
          <Button size="sm" isRunning={keep.isRunning} onClick={() => keep.run()}>
            {isOwn ? 'Keep these' : 'Keep mine'}
          </Button>
          {found && bothOf(found) && (
            <Button size="sm" look="primary" isRunning={keepBoth.isRunning} onClick={() => keepBoth.run()}>
              Keep both
            </Button>
          )}
        </div>
      </div>
    </Notice>
  );
}

function WhatHappened({ before, isOwn, form, draft }: { before: Form; isOwn: boolean } & Latest) {
  if (draft && isOwn)
    return `You saved changes to this form in another tab or browser ${formatDistance(draft.saved_at)}.`;
  if (draft)
    return (
      <>
        <bdi>{draft.saved_by?.name ?? 'Somebody else'}</bdi> saved changes to this form{' '}
        {formatDistance(draft.saved_at)}.
      </>
    );
  if (form.version === before.version) return 'Somebody else discarded the changes to this form.';
  return `Somebody else published changes to this form ${formatDistance(form.updated_at)}.`;
}

interface DiscardProps {
  formId: number;
  definition: Definition;
  autosave: Autosave;
  isOpen: boolean;
  onClose(): void;
  onDone(form: Form): void;
}

/** Discards the draft and returns to the published form. */
export function Discard({ formId, definition, autosave, isOpen, onClose, onDone }: DiscardProps) {
  const path = { form: formId };
  const discard = useAction(
    async () => {
      // Ends running saves, since a later one would restore the draft. A version that somebody else saved must not be discarded
      // unseen.
      const { state } = await autosave.prove();
      if (state === 'conflict') {
        onClose();
        return null;
      }
      await api.delete('/open/forms/{form}/draft', { path }).catch(ignoreMissing);
      return api.get('/open/forms/{form}', { path });
    },
    { onDone: (form) => form && onDone(form) },
  );
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Discard the changes?"
      action="Discard"
      isRunning={discard.isRunning}
      onConfirm={() => discard.run()}
    >
      <p>The form goes back to what is published. You can undo this while you stay here.</p>
      {setsPassword(definition) && (
        <p>These changes also set a password, outside the builder. It is gone then, even if you undo this.</p>
      )}
    </ConfirmDialog>
  );
}

/** It was already discarded. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
}
