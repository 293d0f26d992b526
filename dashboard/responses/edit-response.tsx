import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, type FormEvent, memo, useCallback, useEffect, useRef, useState } from 'react';
import { isRemoved, retentionDays } from '../../fields/answer-retention.ts';
import { isBlank } from '../../fields/options.ts';
import { type JsonValue, ownMember, type Property } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { ApiError, api, type Errors } from '../api/client.ts';
import type { Form } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { formatCount } from '../lib/format.ts';
import { useHasLeft } from '../lib/use-has-left.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import { AnswerInput } from './answer-input.tsx';
import { answerText } from './answer-text.ts';
import { inputsOf } from './columns.ts';
import { mergeEdit } from './merge-edit.ts';
import { inPresentShape } from './present-shape.ts';
import { putIntoLists, responseQuery, type Submission } from './queries.ts';

/** Fields that an address can name, as proxies refuse those of more than 8 kB. */
const MAX_NAMED = 50;
const REMOVED = 'Removed when its time was over. It need not be given again.';

interface EditResponseProps {
  form: Form;
  response: Submission;
  /** Id or number of the response in the address. */
  address: string;
  /** Called when there are unsaved changes. */
  onChanged(): void;
  onDone(): void;
}

/** Edits the answers by the form's rules; refusals are shown at the questions. */
export function EditResponse({ form, response, address, onChanged, onDone }: EditResponseProps) {
  const client = useQueryClient();
  const properties = inputsOf(form.properties);
  const answersOf = ({ data }: Submission) =>
    Object.fromEntries(
      properties.map((property) => [property.id, inPresentShape(property, ownMember(data, property.id))]),
    );
  const [answers, setAnswers] = useState(() => answersOf(response));
  /** The response that the edited answers were taken from. */
  const [before, setBefore] = useState(response);
  /** Ids of answers that somebody else changed meanwhile too; null if nobody has. */
  const [both, setBoth] = useState<string[] | null>(null);
  /** What changed meanwhile: an answer whose time was over was removed. */
  const [isRemoval, setRemoval] = useState(false);
  /** How many times others' answers were merged in. */
  const [merges, setMerges] = useState(0);
  const hasLeft = useHasLeft();
  const formId = String(form.id);
  const path = { form: formId, submissionId: response.id };
  const show = (next: Submission) => {
    client.setQueryData(responseQuery(formId, address).queryKey, next);
    putIntoLists(client, formId, new Set([next.id]), next);
  };
  const save = useAction(
    async () => {
      const body = Object.fromEntries(Object.entries(answers).filter(([, answer]) => !isBlank(answer)));
      try {
        const answer = (await api.put('/open/forms/{form}/submissions/{submissionId}', {
          path,
          query: { updated_at: before.updated_at, present: mayBeRemoved(properties, before) },
          body: { ...body, completion_time: before.completion_time },
        })) as { data: Submission };
        return { isSaved: true, next: answer.data, sent: answers };
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409) throw error;
        const now = await api.get('/open/forms/{form}/submissions/{submissionId}', { path });
        return { isSaved: false, next: now as Submission, sent: answers };
      }
    },
    {
      onDone: ({ isSaved, next, sent }) => {
        show(next);
        if (isSaved) {
          showToast({ text: 'The response was saved.' });
          setBefore(next);
          setBoth(null);
          // Changes made while saving stay in the editor, and so does anything begun after leaving it.
          if (answers === sent && !hasLeft.current) onDone();
          return;
        }
        const merged = mergeEdit(answers, answersOf(before), answersOf(next));
        setAnswers(merged.answers);
        setBoth(merged.both);
        setRemoval(next.updated_at === before.updated_at);
        setMerges((count) => count + 1);
        setBefore(next);
      },
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isRunning) save.run();
  };
  const changed = useRef(onChanged);
  changed.current = onChanged;
  const setAnswer = useCallback((id: string, answer: JsonValue) => {
    setAnswers((former) => ({ ...former, [id]: answer }));
    changed.current();
  }, []);
  const ids = new Set(properties.map(({ id }) => id));
  const { errors } = save;
  const elsewhere = problemsElsewhere(errors, ids);
  const refused = Object.keys(errors).length - elsewhere.length;
  const box = useLeadToRefused(errors);
  return (
    <form ref={box} onSubmit={submit} className="grid grid-cols-1 gap-5" noValidate>
      {before.status === 'partial' && (
        <Notice>Once it is saved, this partial response counts as completed.</Notice>
      )}
      {properties
        .filter(({ type }) => canonicalTypeName(type) !== 'computed')
        .map((property) => (
          <EditedAnswer
            // A new key, because some inputs keep what was typed until they are replaced.
            key={`${property.id} ${merges}`}
            property={property}
            answer={answers[property.id]}
            language={form.language}
            errors={errors}
            hint={isRemoved(before.data, property.id) ? REMOVED : undefined}
            onChange={setAnswer}
          />
        ))}
      {both && (
        <ChangedMeanwhile
          isRemoval={isRemoval}
          questions={properties.filter(({ id }) => both.includes(id))}
          answerOf={(question) => answerText(question, ownMember(before.data, question.id))}
        />
      )}
      {elsewhere.length > 0 && (
        <div data-refused>
          <Notice tone="bad">{elsewhere.flatMap(([, messages]) => messages).join(' ')}</Notice>
        </div>
      )}
      <div className="sticky -bottom-4 -mx-4 -mb-4 flex items-center justify-end gap-2 border-t border-line bg-raised px-4 py-3">
        {refused > 0 && (
          <p className="me-auto min-w-0 text-[0.8125rem] text-bad">
            Not saved: look at {formatCount(refused, 'answer')}.
          </p>
        )}
        <Button disabledReason={save.isRunning ? 'It is being saved' : null} onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" look="primary" isRunning={save.isRunning}>
          Save
        </Button>
      </div>
    </form>
  );
}

interface EditedAnswerProps extends Omit<ComponentProps<typeof AnswerInput>, 'onChange'> {
  onChange(id: string, answer: JsonValue): void;
}

/** Rendered only when changed, because repeated questions may have thousands of inputs. */
const EditedAnswer = memo(function EditedAnswer({ onChange, ...props }: EditedAnswerProps) {
  return <AnswerInput {...props} onChange={(answer) => onChange(props.property.id, answer)} />;
});

/** Ids of answered fields whose answers the service removes after some days. */
function mayBeRemoved(properties: readonly Property[], { data }: Submission): string[] {
  const fields = properties.filter(
    (property) => retentionDays(property) !== null && !isBlank(ownMember(data, property.id)),
  );
  // Fields with the same days are removed together, so the first of each tells most.
  const byDays = Map.groupBy(fields, retentionDays);
  const firsts = [...byDays.values()].flatMap((same) => same.slice(0, 1));
  return [...new Set([...firsts, ...fields])].slice(0, MAX_NAMED).map(({ id }) => id);
}

interface ChangedMeanwhileProps {
  isRemoval: boolean;
  /** The questions that both changed. */
  questions: readonly Property[];
  answerOf(question: Property): string;
}

function ChangedMeanwhile({ isRemoval, questions, answerOf }: ChangedMeanwhileProps) {
  return (
    <Notice tone="warn">
      <div role="alert">
        <p>
          {isRemoval
            ? 'An answer was removed meanwhile because its time was over'
            : 'Somebody else changed this response meanwhile'}
          , so yours is not saved. What you did not change is shown as it is now: look at it, and save again.
        </p>
        {questions.length > 0 && (
          <>
            <p className="mt-2">
              {isRemoval ? 'Saving gives these answers again:' : 'Saving replaces these answers of theirs:'}
            </p>
            <ul className="list-disc ps-5">
              {questions.map((question) => (
                <li key={question.id}>
                  <bdi>{question.name}</bdi>:{' '}
                  <bdi className="break-words">{answerOf(question) || 'none'}</bdi>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Notice>
  );
}

function problemsElsewhere(errors: Errors, ids: ReadonlySet<string>): [key: string, messages: string[]][] {
  return Object.entries(errors).filter(([key]) => !ids.has(key));
}

/**
 * After a failed save, scrolls to the first refused answer and focuses it.
 * @returns a ref for the element around the answers
 */
function useLeadToRefused(errors: Errors) {
  const box = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(errors).length === 0) return;
    const refused = box.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-refused]');
    const input = refused?.matches('[data-refused]')
      ? refused.querySelector<HTMLElement>('input, select, button')
      : refused;
    input?.focus({ preventScroll: true });
    refused?.scrollIntoView({ block: 'center' });
  }, [errors]);
  return box;
}
