import type { Static } from 'typebox';
import { emptyErrorBag } from '../../../fields/property.ts';
import type { Db } from '../../db/database.ts';
import { invalid } from '../../http/errors.ts';
import type { NarrowingQuery } from '../schemas.ts';
import { prepareSearch } from '../search/queries.ts';
import { findIdsOf, findListFields } from './queries.ts';
import { readFilter, readText } from './read-filter.ts';
import { lookThrough } from './turns.ts';

/**
 * The numeric ids of all submissions that a list with the same query would show.
 * @param most if there are more, the query is refused
 * @param leaving aborts when the client has disconnected
 * @throws HttpError 422, also when the query would take too long; the message says what to narrow
 */
export async function findIds(
  db: Db,
  formId: number,
  query: Static<typeof NarrowingQuery>,
  { most, leaving }: { most: number; leaving: AbortSignal },
): Promise<number[]> {
  const { status, text } = readText(query);
  const errors = emptyErrorBag();
  const filter = readFilter(query, await findListFields(db, formId), status, errors);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const ids = await lookThrough(false, leaving, async () => {
    const search = text === undefined ? undefined : await prepareSearch(db, formId, text);
    return findIdsOf(db, formId, { ...filter, search }, most + 1);
  });
  if (ids.length > most)
    throw invalid({
      from: [
        `More than ${most.toLocaleString('en')} submissions fit: narrow them with from and to, or take all.`,
      ],
    });
  return ids;
}
