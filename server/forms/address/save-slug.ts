import { violates } from '../../db/constraint-errors.ts';
import { invalid } from '../../http/errors.ts';

/**
 * Runs `save`, which stores a slug. If two forms want the same one at once, the unique index decides.
 * @throws HttpError 422 when the slug is taken
 */
export async function saveSlug<Result>(save: () => Promise<Result>): Promise<Result> {
  try {
    return await save();
  } catch (error) {
    if (!violates(error, 'forms_slug_key')) throw error;
    throw invalid({ slug: ['This slug is already in use. Please choose another one.'] });
  }
}
