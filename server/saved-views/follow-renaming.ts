import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Transaction } from '../db/database.ts';
import { lockSavedViews, updateSavedView } from './queries.ts';
import type { Definition } from './schemas.ts';

/** An option that has another name in the answers to a field now. */
interface RenamedInAnswers {
  /** Id of the field. */
  field: string;
  isRanking: boolean;
  from: string;
  to: string;
}

type Comparison = Definition['filters'][number];

/** Makes the saved views of a form find by the present name of an option what they found by the former one. */
export async function followRenamingInViews(
  trx: Transaction,
  formId: number,
  renamed: RenamedInAnswers,
  actor: Actor,
): Promise<void> {
  for (const { id, name, definition } of await lockSavedViews(trx, formId)) {
    const filters = definition.filters.map((filter) => following(filter, renamed));
    if (isDeepStrictEqual(filters, definition.filters)) continue;
    await updateSavedView(trx, id, { name, definition: { ...definition, filters } });
    const details = { fields: ['definition'] };
    await recordEvent(trx, actor, { verb: 'saved_view.changed', formId, target: { id, name }, details });
  }
}

function following(filter: Comparison, { field, isRanking, from, to }: RenamedInAnswers): Comparison {
  const { id, value } = filter;
  if (id !== field) return filter;
  if (value === from) return { ...filter, value: to };
  if (!isRanking) return filter;
  // A ranking is compared with all places, as exports write them.
  const places = `, ${value}, `.replace(`, ${from}, `, () => `, ${to}, `).slice(2, -2);
  return { ...filter, value: places };
}
