import { isDeepStrictEqual } from 'node:util';
import { knownBlocks } from '../../../fields/former-answers/known-blocks.ts';
import type { Property } from '../../../fields/property.ts';
import type { NamedForm } from '../../access/queries.ts';
import type { Actor } from '../../audit/actor.ts';
import { recordEvent } from '../../audit/record-event.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { HttpError, notFound } from '../../http/errors.ts';
import { followRenamesInIntegrations } from '../../integrations/follow-renames.ts';
import { hasBlockingScenarios } from '../../scenarios/queries.ts';
import { setOptionPlaces } from '../../submissions/option-places-queries.ts';
import { saveSlug } from '../address/save-slug.ts';
import { formColumns, presentationOf, retentionColumns } from '../form-columns.ts';
import { lockFormIn } from '../lock-form.ts';
import { withWidth } from '../present-form.ts';
import { type FormRow, findForm, updateForm } from '../queries.ts';
import type { FormInput } from '../schemas.ts';
import { keepVersion } from '../versions/keep-version.ts';
import { insertVersionUnlessKept } from '../versions/queries.ts';
import { changesOfForm } from './changes-of-form.ts';
import { followRenames } from './follow-renames.ts';
import { prepareProperties, removedAfter } from './prepare-properties.ts';

/** A form before and after a save, and the names of the members that changed. */
export interface SavedForm {
  before: FormRow;
  after: FormRow | null;
  fields: string[];
}

/** Further details for the audit log: that a save published a draft, or which version it restored. */
interface AboutSave {
  draft?: 'published';
  restored_version?: number;
}

interface Save {
  input: FormInput;
  /** Of the input, by `formColumns`. */
  columns: Awaited<ReturnType<typeof formColumns>>;
  actor: Actor;
  about?: AboutSave;
  /** Whether members that the input names are stored as they are, whatever options it renames. */
  isExact?: boolean;
}

/**
 * Replaces the members that the input names, and keeps all others.
 * @param version of the form when the input was checked
 * @param check called again if others have saved the form since
 * @returns false when it has to be tried again: others have saved a form since that is not published against its scenarios
 * @throws HttpError 404 when the form is gone, 409 when it is in the trash or was moved meanwhile, 422 when the chosen slug is taken, or
 * what `check` throws
 */
export async function saveForm(
  db: Db,
  form: NamedForm,
  input: FormInput,
  { version, check }: { version: number; check: (form: FormRow) => void },
  actor: Actor,
): Promise<boolean> {
  const columns = await formColumns(input);
  return saveSlug(() =>
    db.transaction().execute(async (trx) => {
      const locked = await lockFormIn(trx, form);
      const other = locked.version === version ? null : await findForm(trx, form.id);
      if (other) {
        if (await hasBlockingScenarios(trx, form.id)) return false;
        check(other);
      }
      await saveLockedForm(trx, form.id, { input, columns, actor });
      return true;
    }),
  );
}

/**
 * Saves in the caller's transaction, which holds the lock of `lockProperties`.
 */
export async function saveLockedForm(
  trx: Transaction,
  formId: number,
  { input, columns, actor, about = {}, isExact = false }: Save,
): Promise<SavedForm> {
  const before = await findForm(trx, formId);
  if (!before) throw notFound('Form');
  if (before.trashed_at) throw new HttpError(409, 'The form is in the trash. Take it out first.');
  const properties = changedProperties(before, input);
  const presentation = presentationOf(input);
  if (properties) followRenames(presentation, { before, properties, isExact });
  await insertVersionUnlessKept(trx, formId);
  const removed = properties && removedAfter(before.properties, before.removed_properties, properties);
  await updateForm(trx, formId, {
    ...columns,
    ...retentionColumns(input, before.submission_retention_unit),
    ...(typeof input.slug === 'string' && { slug: input.slug }),
    ...(properties && {
      properties: JSON.stringify(properties),
      removed_properties: JSON.stringify(removed),
    }),
    presentation: JSON.stringify(presentation),
  });
  if (properties) {
    await setOptionPlaces(trx, formId, properties);
    await followRenamesInIntegrations(trx, formId, { before: knownBlocks(before), after: properties }, actor);
  }
  const after = await findForm(trx, formId);
  const details = { ...changesOfForm(before, after), ...about };
  const { fields } = details;
  if (fields.length > 0) await recordEvent(trx, actor, { verb: 'form.changed', formId, details });
  await keepVersion(trx, formId, actor, { fields, restoredFrom: about.restored_version ?? null });
  return { before, after, fields };
}

/** @returns undefined when the input names no properties, or sends them back as they were read */
export function changedProperties(before: FormRow, { properties: sent }: FormInput): Property[] | undefined {
  if (!sent) return undefined;
  const properties = prepareProperties(sent);
  const [shown, shownAfter] = [before.properties, properties].map((blocks) => blocks.map(withWidth));
  return isDeepStrictEqual(shown, shownAfter) ? undefined : properties;
}
