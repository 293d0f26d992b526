import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { api } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { formatDistance, formatMoment } from '../../lib/format.ts';
import { isAtLeast, useRefusal, useUser, useWorkspace } from '../../lib/workspace.ts';
import { IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorState } from '../../ui/states.tsx';
import type { Submission } from '../queries.ts';
import { ReviewNote } from './review-note.tsx';
import { STATE_WORDS } from './review-states.ts';
import { historyQuery, putReviews, type ReviewEntry, stateOf } from './reviews.ts';

interface ReviewHistoryProps {
  formId: string;
  response: Submission;
  /** Its heading, which a button scrolls to. */
  headingRef: RefObject<HTMLHeadingElement | null>;
  /** Called with whether there is an unsaved note. */
  onWriting(isWriting: boolean): void;
}

/** Decisions and notes about a response, and an input for another note. */
export function ReviewHistory({ formId, response, headingRef, onWriting }: ReviewHistoryProps) {
  const { data: history = [], error, refetch } = useQuery(historyQuery(formId, response.id));
  return (
    <section className="mt-6 grid grid-cols-1 gap-3 border-t border-line pt-4">
      <h3 ref={headingRef} tabIndex={-1} className="text-xs font-medium text-muted">
        Notes and decisions
      </h3>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {history.length > 0 && (
        <ol aria-label="Notes and decisions" className="grid grid-cols-1 gap-4">
          {history.map((entry) => (
            <Entry key={entry.id} formId={formId} response={response} entry={entry} />
          ))}
        </ol>
      )}
      <ReviewNote formId={formId} response={response} onWriting={onWriting} />
    </section>
  );
}

interface EntryProps {
  formId: string;
  response: Submission;
  entry: ReviewEntry;
}

function Entry({ formId, response, entry }: EntryProps) {
  const client = useQueryClient();
  const { id: userId } = useUser();
  const { role } = useWorkspace();
  const refusal = useRefusal('user');
  const [isAsking, setAsking] = useState(false);
  const { id, author, created_at, state, note } = entry;
  const path = { form: formId, submissionId: response.id, noteId: id };
  const remove = useAction(
    () => api.delete('/open/forms/{form}/submissions/{submissionId}/review/notes/{noteId}', { path }),
    {
      toast: 'The note was deleted.',
      onDone: () => {
        setAsking(false);
        const notes = Math.max((response.review?.notes ?? 0) - 1, 0);
        putReviews(client, formId, [{ id: response.id, state: stateOf(response), notes }]);
      },
    },
  );
  const isOwn = author?.id === userId;
  const mayDelete = refusal === null && (isOwn || isAtLeast(role, 'admin'));
  return (
    <li className="grid min-w-0 grid-cols-1 gap-1">
      <div className="flex min-w-0 items-start gap-2 text-[0.8125rem]">
        <p className="min-w-0 flex-1 wrap-anywhere">
          <bdi className="font-medium">{author?.name ?? 'A former member'}</bdi>{' '}
          <span className="text-muted">
            {state === null ? 'noted' : STATE_WORDS[state]},{' '}
            <time dateTime={created_at} title={formatMoment(created_at)}>
              {formatDistance(created_at)}
            </time>
          </span>
        </p>
        {note !== null && mayDelete && (
          <IconButton label="Delete this note" size="sm" className="-my-1" onClick={() => setAsking(true)}>
            <Trash2 className="size-3.5" />
          </IconButton>
        )}
      </div>
      {note !== null && (
        <p dir="auto" className="rounded-lg bg-sunken px-3 py-2 wrap-anywhere whitespace-pre-wrap">
          {note}
        </p>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Delete this note?"
        action="Delete note"
        isRunning={remove.isRunning}
        onConfirm={remove.run}
      >
        <p>It is deleted for everybody. This cannot be taken back.</p>
      </ConfirmDialog>
    </li>
  );
}
