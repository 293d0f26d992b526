import type { Actor } from '../../audit/actor.ts';
import { recordEvent } from '../../audit/record-event.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { setOptionPlaces } from '../../submissions/option-places-queries.ts';
import { saveSlug } from '../address/save-slug.ts';
import { makeSlug } from '../address/slug.ts';
import { formColumns, presentationOf, retentionColumns } from '../form-columns.ts';
import { insertForm } from '../queries.ts';
import { type FormInput, PRESENTATION_DEFAULTS } from '../schemas.ts';
import { keepFirstVersion } from '../versions/keep-version.ts';
import { prepareProperties } from './prepare-properties.ts';

/**
 * Stores a new form; members that the input leaves out get their defaults.
 * @param creatorId null for the operator
 * @param input checked by `checkFormInput`
 * @param withForm what is stored with it, in the same transaction
 * @returns the numeric id
 * @throws HttpError 422 when the chosen slug is taken
 */
export async function createForm(
  db: Db,
  { workspaceId, creatorId }: { workspaceId: number; creatorId: number | null },
  input: FormInput & { title: string },
  actor: Actor,
  withForm: (trx: Transaction, formId: number) => Promise<unknown> = async () => {},
): Promise<number> {
  const columns = { ...(await formColumns(input)), ...retentionColumns(input, null) };
  const properties = prepareProperties(input.properties ?? []);
  return saveSlug(() =>
    db.transaction().execute(async (trx) => {
      const formId = await insertForm(trx, {
        ...columns,
        title: input.title,
        slug: input.slug ?? makeSlug(input.title),
        workspace_id: workspaceId,
        creator_id: creatorId,
        properties: JSON.stringify(properties),
        presentation: JSON.stringify({ ...PRESENTATION_DEFAULTS, ...presentationOf(input) }),
      });
      await setOptionPlaces(trx, formId, properties);
      await keepFirstVersion(trx, formId, actor);
      const details = { visibility: columns.visibility ?? 'public' };
      await recordEvent(trx, actor, { verb: 'form.created', formId, details });
      await withForm(trx, formId);
      return formId;
    }),
  );
}
