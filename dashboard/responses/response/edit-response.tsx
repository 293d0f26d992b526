import { type ComponentProps, type FormEvent, memo, useCallback, useEffect, useRef } from 'react';
import { isRemoved } from '../../../fields/block-options/answer-retention.ts';
import { charges } from '../../../fields/payment.ts';
import { type JsonValue, ownMember, type Property } from '../../../fields/property.ts';
import { canonicalTypeName } from '../../../fields/type-names.ts';
import type { Errors } from '../../api/client.ts';
import type { Form } from '../../api/queries.ts';
import { formatCount } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/states.tsx';
import { AnswerInput } from '../answers/answer-input.tsx';
import { answerText } from '../answers/answer-text.ts';
import { Paid } from '../answers/paid.tsx';
import type { Submission } from '../queries.ts';
import { inputsOf } from '../table/columns.ts';
import { useResponseEdit } from './use-response-edit.ts';

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
  const shown = inputsOf(form.properties);
  // What was paid stays, whatever is sent.
  const properties = shown.filter((property) => !charges(property));
  const edit = useResponseEdit({ form, properties, response, address, onDone });
  const { answers, before, meanwhile, merges, save } = edit;
  const changed = useRef(onChanged);
  changed.current = onChanged;
  const { setAnswers } = edit;
  const setAnswer = useCallback(
    (id: string, answer: JsonValue) => {
      setAnswers((former) => ({ ...former, [id]: answer }));
      changed.current();
    },
    [setAnswers],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isRunning) save.run();
  };
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
      {shown
        .filter(({ type }) => canonicalTypeName(type) !== 'computed')
        .map((property) =>
          charges(property) ? (
            <PaidHere key={property.id} name={property.name} payment={before.payment} />
          ) : (
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
          ),
        )}
      {meanwhile && (
        <ChangedMeanwhile
          isRemoval={meanwhile.isRemoval}
          questions={properties.filter(({ id }) => meanwhile.both.includes(id))}
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

/** In place of an answer: a payment cannot be edited. */
function PaidHere({ name, payment }: { name: string; payment: Submission['payment'] }) {
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-1">
      <legend className="mb-1.5 font-medium">
        <bdi className="wrap-anywhere">{name}</bdi>
      </legend>
      <div>{payment ? <Paid payment={payment} /> : <span className="text-muted">Not paid</span>}</div>
      <p className="text-[0.8125rem] text-muted">
        Payments are made on the page of Stripe only, and cannot be changed here.
      </p>
    </fieldset>
  );
}

interface EditedAnswerProps extends Omit<ComponentProps<typeof AnswerInput>, 'onChange'> {
  onChange(id: string, answer: JsonValue): void;
}

/** Rendered only when changed, because repeated questions may have thousands of inputs. */
const EditedAnswer = memo(function EditedAnswer({ onChange, ...props }: EditedAnswerProps) {
  return <AnswerInput {...props} onChange={(answer) => onChange(props.property.id, answer)} />;
});

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
