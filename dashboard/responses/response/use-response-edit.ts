import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { retentionDays } from '../../../fields/block-options/answer-retention.ts';
import { isBlank } from '../../../fields/block-options/options.ts';
import { ownMember, type Property } from '../../../fields/property.ts';
import { ApiError, api } from '../../api/client.ts';
import type { Form } from '../../api/queries.ts';
import { useAction } from '../../api/use-action.ts';
import { useHasLeft } from '../../lib/use-has-left.ts';
import { showToast } from '../../ui/toasts.tsx';
import { inPresentShape } from '../answers/present-shape.ts';
import { putIntoLists, responseQuery, type Submission } from '../queries.ts';
import { mergeEdit } from './merge-edit.ts';

/** Fields that an address can name, as proxies refuse those of more than 8 kB. */
const MAX_NAMED = 50;

interface ResponseEditOptions {
  form: Form;
  /** The questions whose answers can be edited. */
  properties: readonly Property[];
  response: Submission;
  /** Id or number of the response in the address. */
  address: string;
  onDone(): void;
}

/** What somebody else did while a response was edited. */
interface Meanwhile {
  /** Ids of answers that both changed. */
  both: string[];
  /** Nobody changed anything: an answer whose time was over was removed. */
  isRemoval: boolean;
}

/**
 * The answers of a response while they are edited, and how they are saved. What others changed meanwhile is merged in instead, to be
 * looked at and saved again.
 */
export function useResponseEdit({ form, properties, response, address, onDone }: ResponseEditOptions) {
  const client = useQueryClient();
  const answersOf = ({ data }: Submission) =>
    Object.fromEntries(
      properties.map((property) => [property.id, inPresentShape(property, ownMember(data, property.id))]),
    );
  const [answers, setAnswers] = useState(() => answersOf(response));
  /** The response that the edited answers were taken from. */
  const [before, setBefore] = useState(response);
  const [meanwhile, setMeanwhile] = useState<Meanwhile | null>(null);
  /** How many times others' answers were merged in. */
  const [merges, setMerges] = useState(0);
  const hasLeft = useHasLeft();
  const formId = String(form.id);
  const path = { form: formId, submissionId: response.id };
  const show = (next: Submission) => {
    client.setQueryData(responseQuery(formId, address).queryKey, next);
    putIntoLists(client, formId, new Set([next.id]), next);
  };
  const merge = (next: Submission) => {
    const merged = mergeEdit(answers, answersOf(before), answersOf(next));
    setAnswers(merged.answers);
    setMeanwhile({ both: merged.both, isRemoval: next.updated_at === before.updated_at });
    setMerges((count) => count + 1);
  };
  const save = useAction(
    async () => {
      // Null removes an answer; one that is left out would stay.
      const body = Object.fromEntries(
        Object.entries(answers).map(([id, answer]) => [id, isBlank(answer) ? null : answer]),
      );
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
        setBefore(next);
        if (!isSaved) return merge(next);
        showToast({ text: 'The response was saved.' });
        setMeanwhile(null);
        // Changes made while saving stay in the editor, and so does anything begun after leaving it.
        if (answers === sent && !hasLeft()) onDone();
      },
    },
  );
  return { answers, setAnswers, before, meanwhile, merges, save };
}

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
