import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { JsonValue } from '../../fields/property.ts';
import { type Answer, api } from '../api/client.ts';
import { responsesKey, type Submission } from './queries.ts';

type Sent = Answer<'/open/forms/{form}/submissions/{submissionId}/changes'>['changes'][number];

/** One time that the answers of a response were changed. */
export interface ResponseChange extends Omit<Sent, 'answers'> {
  /** Those that were changed, by the id of the question. */
  answers: Record<string, { before: JsonValue; after: JsonValue }>;
}

/** What the answers of a response said before, the latest change first. */
export const changesQuery = (form: string, { id, created_at, updated_at }: Submission) =>
  queryOptions({
    // Another change of it is another question.
    queryKey: [...responsesKey(form), 'changes', id, updated_at],
    placeholderData: keepPreviousData,
    enabled: updated_at !== created_at,
    queryFn: async ({ signal }) => {
      const path = { form, submissionId: id };
      const answer = await api.get('/open/forms/{form}/submissions/{submissionId}/changes', { path, signal });
      return answer.changes as ResponseChange[];
    },
  });
