import { isDeepStrictEqual } from 'node:util';
import { withWidth } from './present-form.ts';
import type { FormRow } from './queries.ts';

/** Columns a person sets, by the name the interface gives them. */
const FIELDS = [
  ['title', 'title'],
  ['slug', 'slug'],
  ['visibility', 'visibility'],
  ['tags', 'tags'],
  ['closes_at', 'closes_at'],
  ['max_submissions_count', 'max_submissions_count'],
  ['password_hash', 'password'],
  ['submission_retention_value', 'submission_retention_value'],
  ['submission_retention_unit', 'submission_retention_unit'],
  ['properties', 'properties'],
] as const satisfies [keyof FormRow, string][];

/** What a save changed, for the audit log: the names of the fields, and of the visibility what it was and is. */
export function changesOfForm(before: FormRow, after: FormRow | null) {
  if (!after) return { fields: [] };
  const [shown, shownAfter] = [asShown(before), asShown(after)];
  const columns = FIELDS.filter(([column]) => !isDeepStrictEqual(shown[column], shownAfter[column]));
  const [presentation, presentationAfter]: Record<string, unknown>[] = [before, after].map((form) => ({
    ...form.presentation,
  }));
  const texts = Object.keys(presentationAfter ?? {}).filter(
    (key) => !isDeepStrictEqual(presentation?.[key], presentationAfter?.[key]),
  );
  return {
    fields: [...columns.map(([, name]) => name), ...texts],
    ...(before.visibility !== after.visibility && {
      visibility: after.visibility,
      visibility_before: before.visibility,
    }),
  };
}

/** A form that was read and is sent back as it was has not changed. */
function asShown(form: FormRow): FormRow {
  return { ...form, properties: form.properties.map(withWidth) };
}
