import type { QueryClient } from '@tanstack/react-query';
import type { RenamedOption } from '../../fields/renamed-options.ts';
import { api } from '../api/client.ts';
import { formatCount } from '../lib/format.ts';
import { showToast } from '../ui/toasts.tsx';
import { responsesKey } from './queries.ts';

/** Writes the names that options have now into past answers, and says in how many; what goes wrong with one is told, and stops no other. */
export async function renameInAnswers(
  client: QueryClient,
  formId: number,
  options: readonly RenamedOption[],
): Promise<void> {
  let count = 0;
  const problems = new Set<string>();
  for (const option of options)
    try {
      for await (const renamed of renamings(formId, option)) count += renamed;
    } catch (error) {
      problems.add(error instanceof Error ? error.message : String(error));
    }
  const text = [`${formatCount(count, 'answer was', 'answers were')} renamed.`, ...problems].join(' ');
  showToast({ text, ...(problems.size > 0 && { tone: 'bad' }) });
  await Promise.all(
    [responsesKey(String(formId)), ['statistics', String(formId)]].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  );
}

/** Call by call, in how many it was renamed. */
async function* renamings(form: number, { propertyId, from, to }: RenamedOption): AsyncGenerator<number> {
  for (let after: number | null = 0; after !== null; ) {
    const answer: { renamed: number; next_after: number | null } = await api.post(
      '/open/forms/{form}/submissions/rename-option',
      { path: { form }, body: { property_id: propertyId, from, to, after } },
    );
    yield answer.renamed;
    after = answer.next_after;
  }
}
