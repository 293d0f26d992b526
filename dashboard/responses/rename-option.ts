import type { QueryClient } from '@tanstack/react-query';
import type { RenamedOption } from '../../fields/renamed-options.ts';
import { api } from '../api/client.ts';
import { formatCount } from '../lib/format.ts';
import { showToast } from '../ui/toasts.tsx';
import { responsesKey } from './queries.ts';

/** Writes the names that options have now into past answers, and says in how many; what goes wrong is told, too. */
export async function renameInAnswers(
  client: QueryClient,
  formId: number,
  options: readonly RenamedOption[],
): Promise<void> {
  let count = 0;
  let problem = '';
  try {
    for (const { propertyId, from, to } of options)
      for (let after: number | null = 0; after !== null; ) {
        const body: { property_id: string; from: string; to: string; after: number } = {
          ...{ property_id: propertyId, from, to, after },
        };
        const answer: { renamed: number; next_after: number | null } = await api.post(
          '/open/forms/{form}/submissions/rename-option',
          { path: { form: formId }, body },
        );
        count += answer.renamed;
        after = answer.next_after;
      }
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  const done = `${formatCount(count, 'answer was', 'answers were')} renamed.`;
  showToast(problem ? { text: `${done} ${problem}`, tone: 'bad' } : { text: done });
  await Promise.all(
    [responsesKey(String(formId)), ['statistics', String(formId)]].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  );
}
