import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { JsonValue } from '../../../fields/property.ts';
import { type Answer, api } from '../../api/client.ts';
import { responsesKey, type Submission } from '../queries.ts';

type Sent = Answer<'/open/forms/{form}/submissions/{submissionId}/changes'>['changes'][number];

/** One change of a response's answers. */
export interface ResponseChange extends Omit<Sent, 'answers'> {
  /** The changed answers, by question id. */
  answers: Record<string, { before: JsonValue; after: JsonValue }>;
}

/** Changes of a response's answers, the latest first. */
export const changesQuery = (form: string, { id, created_at, updated_at }: Submission) =>
  queryOptions({
    // Loaded again after each further change.
    queryKey: [...responsesKey(form), 'changes', id, updated_at],
    placeholderData: keepPreviousData,
    enabled: updated_at !== created_at,
    queryFn: async ({ signal }) => {
      const path = { form, submissionId: id };
      const answer = await api.get('/open/forms/{form}/submissions/{submissionId}/changes', { path, signal });
      return answer.changes as ResponseChange[];
    },
  });
