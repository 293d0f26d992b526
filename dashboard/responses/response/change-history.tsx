import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { textOf } from '../../../fields/as-text/text-of.ts';
import { inOrder } from '../../../fields/in-order.ts';
import type { JsonValue, Property } from '../../../fields/property.ts';
import { api } from '../../api/client.ts';
import type { Form } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { formatCount, formatDistance, formatMoment } from '../../lib/format.ts';
import { useRefusal } from '../../lib/workspace.ts';
import { IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { answerText } from '../answers/answer-text.ts';
import type { Submission } from '../queries.ts';
import { inputsOf } from '../table/columns.ts';
import { changesQuery, type ResponseChange } from './changes.ts';

interface ChangeHistoryProps {
  form: Form;
  response: Submission;
  /** Gets the focus when the history disappears. */
  nextRef: RefObject<HTMLElement | null>;
}

/** Former answers, and who changed them; nothing if no answer was changed. */
export function ChangeHistory({ form, response, nextRef }: ChangeHistoryProps) {
  const wasShown = useRef(false);
  const { data: changes = [], error, refetch } = useQuery(changesQuery(String(form.id), response));
  const isEmpty = changes.length === 0;
  useEffect(() => {
    // The focused element disappeared with the history.
    if (isEmpty && wasShown.current && document.activeElement === document.body) nextRef.current?.focus();
    wasShown.current = !isEmpty;
  }, [isEmpty, nextRef]);
  if (!error && isEmpty) return null;
  const asked = inputsOf(form.properties);
  const removed = inputsOf(form.removed_properties);
  // In the form's order; if an id is found in both lists, the present question counts.
  const questions = new Map([...asked, ...removed, ...asked].map((question) => [question.id, question]));
  return (
    <section className="mt-6 grid grid-cols-1 gap-3 border-t border-line pt-4">
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-xs font-medium text-muted">Changes</h3>
        {!isEmpty && <DeleteChanges form={form} response={response} />}
      </div>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      <ol aria-label="Changes" className="grid grid-cols-1 gap-4">
        {changes.map((change) => (
          <Change key={change.id} change={change} questions={questions} />
        ))}
      </ol>
    </section>
  );
}

interface ChangeProps {
  change: ResponseChange;
  questions: ReadonlyMap<string, Property>;
}

function Change({ change: { by, author, changed_at, answers }, questions }: ChangeProps) {
  const changed = inOrder(answers, questions.keys());
  const who = by === 'respondent' ? 'The respondent' : (author?.name ?? 'A former member');
  return (
    <li className="grid min-w-0 grid-cols-1 gap-2">
      <p className="text-[0.8125rem] wrap-anywhere">
        <bdi className="font-medium">{who}</bdi>{' '}
        <span className="text-muted">
          changed {formatCount(changed.length, 'answer')},{' '}
          <time dateTime={changed_at} title={formatMoment(changed_at)}>
            {formatDistance(changed_at)}
          </time>
        </span>
      </p>
      <dl className="grid grid-cols-1 gap-3 rounded-lg bg-sunken px-3 py-2">
        {changed.map(([id, { before, after }]) => {
          const question = questions.get(id);
          return (
            <div key={id} className="grid min-w-0 grid-cols-1 gap-0.5">
              <dt dir="auto" className="text-[0.8125rem] break-words text-muted">
                {question?.name ?? 'A question that was removed'}
              </dt>
              <dd className="grid min-w-0 grid-cols-[auto_minmax(0,1fr)] gap-x-3">
                <Said when="Before" question={question} answer={before} />
                <Said when="After" question={question} answer={after} />
              </dd>
            </div>
          );
        })}
      </dl>
    </li>
  );
}

interface SaidProps {
  when: string;
  /** Undefined if it was removed long ago. */
  question: Property | undefined;
  answer: JsonValue;
}

function Said({ when, question, answer }: SaidProps) {
  const text = question ? answerText(question, answer) : textOf(answer);
  return (
    <>
      <span className="text-[0.8125rem] leading-6 text-muted">{when}</span>
      {text === '' ? (
        <span className="text-muted">No answer</span>
      ) : (
        <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
          {text}
        </p>
      )}
    </>
  );
}

function DeleteChanges({ form, response }: Pick<ChangeHistoryProps, 'form' | 'response'>) {
  const refusal = useRefusal('user');
  const [isAsking, setAsking] = useState(false);
  const formId = String(form.id);
  const path = { form: formId, submissionId: response.id };
  const remove = useAction(
    () => api.delete('/open/forms/{form}/submissions/{submissionId}/changes', { path }),
    {
      refresh: [changesQuery(formId, response).queryKey],
      toast: 'The earlier answers were deleted.',
      // The history may still exist: loading it may have failed, or there was another change meanwhile.
      onDone: () => setAsking(false),
    },
  );
  return (
    <>
      <IconButton
        label="Delete earlier answers"
        size="sm"
        className="-my-1"
        disabledReason={refusal}
        onClick={() => setAsking(true)}
      >
        <Trash2 className="size-3.5" />
      </IconButton>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Delete earlier answers?"
        action="Delete earlier answers"
        isRunning={remove.isRunning}
        onConfirm={remove.run}
      >
        <p>
          What this response said before is deleted for everybody, but for what the log of deliveries keeps of
          it. What it says now stays. This cannot be taken back.
        </p>
      </ConfirmDialog>
    </>
  );
}
