import type { QueryClient } from '@tanstack/react-query';
import type { RenamedOption } from '../../fields/choices/renamed-options.ts';
import { api } from '../api/client.ts';
import { formatCount } from '../lib/format.ts';
import { showToast } from '../ui/toasts.tsx';
import { responsesKey } from './queries.ts';
import { savedViewsQuery } from './views/saved-views.ts';

/** Renames options in past answers and saved views, and shows in how many answers. A failure with one is shown, and does not stop the others. */
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
    [
      responsesKey(String(formId)),
      ['statistics', String(formId)],
      savedViewsQuery(String(formId)).queryKey,
    ].map((queryKey) => client.invalidateQueries({ queryKey })),
  );
}

/** Yields the number of renamed answers, call by call. */
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
