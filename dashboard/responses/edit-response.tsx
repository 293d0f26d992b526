import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { isBlank } from '../../fields/options.ts';
import type { JsonValue } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { api, type Errors } from '../api/client.ts';
import type { Form } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/states.tsx';
import { AnswerInput } from './answer-input.tsx';
import { inputsOf } from './columns.ts';
import { putIntoLists, responseQuery, type Submission } from './queries.ts';

interface EditResponseProps {
  form: Form;
  response: Submission;
  /** How the address of the screen names the response. */
  address: string;
  onDone(): void;
}

/** Changes the answers by the rules of the form: what it refuses stands at the question. */
export function EditResponse({ form, response, address, onDone }: EditResponseProps) {
  const client = useQueryClient();
  const properties = inputsOf(form.properties);
  const [answers, setAnswers] = useState(() =>
    Object.fromEntries(properties.map(({ id }) => [id, response.data[id]])),
  );
  const formId = String(form.id);
  const save = useAction(
    async () => {
      const body = Object.fromEntries(Object.entries(answers).filter(([, answer]) => !isBlank(answer)));
      const answer = (await api.put('/open/forms/{form}/submissions/{submissionId}', {
        path: { form: formId, submissionId: response.id },
        body: { ...body, completion_time: response.completion_time },
      })) as { data: Submission };
      return answer.data;
    },
    {
      toast: 'The response was saved.',
      onDone: (next) => {
        client.setQueryData(responseQuery(formId, address).queryKey, next);
        putIntoLists(client, formId, new Set([next.id]), next);
        onDone();
      },
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isRunning) save.run();
  };
  const ids = new Set(properties.map(({ id }) => id));
  const hasRemovedAnswers = inputsOf(form.removed_properties).some(
    ({ id }) => !ids.has(id) && !isBlank(response.data[id]),
  );
  const elsewhere = problemsElsewhere(save.errors, ids);
  return (
    <form onSubmit={submit} className="grid gap-5" noValidate>
      {response.status === 'partial' && (
        <Notice>Once it is saved, this partial response counts as completed.</Notice>
      )}
      {hasRemovedAnswers && (
        <Notice tone="warn">
          This response has answers to questions that were removed from the form. Saving drops them.
        </Notice>
      )}
      {properties
        .filter(({ type }) => canonicalTypeName(type) !== 'computed')
        .map((property) => (
          <AnswerInput
            key={property.id}
            property={property}
            answer={answers[property.id]}
            errors={save.errors}
            onChange={(answer: JsonValue) => setAnswers((former) => ({ ...former, [property.id]: answer }))}
          />
        ))}
      {elsewhere.length > 0 && <Notice tone="bad">{elsewhere.join(' ')}</Notice>}
      <div className="sticky -bottom-4 -mx-4 -mb-4 flex justify-end gap-2 border-t border-line bg-raised px-4 py-3">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" isRunning={save.isRunning}>
          Save
        </Button>
      </div>
    </form>
  );
}

function problemsElsewhere(errors: Errors, ids: ReadonlySet<string>): string[] {
  return Object.entries(errors)
    .filter(([key]) => !ids.has(key))
    .flatMap(([, messages]) => messages);
}
