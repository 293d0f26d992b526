import { isDeepStrictEqual } from 'node:util';
import { withWidth } from '../present-form.ts';
import type { FormRow } from '../queries.ts';

/** Columns that people set, with their names in the interface. */
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

/** What a save changed, for the audit log: the names of the members, and the visibility before and after. */
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

/** The form as the API shows it, so that sending it back unchanged does not count as a change. */
function asShown(form: FormRow): FormRow {
  return { ...form, properties: form.properties.map(withWidth) };
}
