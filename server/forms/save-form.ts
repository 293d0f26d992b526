import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Db } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import { changesOfForm } from './changes-of-form.ts';
import { formColumns, presentationOf } from './form-columns.ts';
import { prepareProperties, removedAfter } from './prepare-properties.ts';
import { findForm, lockProperties, updateForm } from './queries.ts';
import { saveSlug } from './save-slug.ts';
import type { FormInput } from './schemas.ts';

/**
 * Replaces what the input names and keeps everything else.
 * @param input checked by `checkFormInput`.
 * @param currentUnit of the retention, kept when only its value is named.
 * @throws HttpError 404 when the form is gone, 422 when the chosen slug is taken.
 */
export async function saveForm(
  db: Db,
  formId: number,
  input: FormInput,
  currentUnit: string | null,
  actor: Actor,
): Promise<void> {
  const columns = await formColumns(input, currentUnit);
  const after = input.properties && prepareProperties(input.properties);
  await saveSlug(() =>
    db.transaction().execute(async (trx) => {
      await lockProperties(trx, formId);
      const before = await findForm(trx, formId);
      if (!before) throw notFound('Form');
      const removed = after && removedAfter(before.properties, before.removed_properties, after);
      await updateForm(trx, formId, {
        ...columns,
        ...(typeof input.slug === 'string' && { slug: input.slug }),
        ...(after && { properties: JSON.stringify(after), removed_properties: JSON.stringify(removed) }),
        presentation: JSON.stringify(presentationOf(input)),
      });
      const details = changesOfForm(before, await findForm(trx, formId));
      if (details.fields.length > 0) await recordEvent(trx, actor, { verb: 'form.changed', formId, details });
    }),
  );
}
