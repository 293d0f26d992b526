import { presentBlock } from '../present-form.ts';
import { PRESENTATION_DEFAULTS } from '../schemas.ts';
import type { findVersion, VersionRow } from './queries.ts';

/** One line of the history. */
export function presentVersion({ saved_at, saved_by: id, saved_by_name: name, ...rest }: VersionRow) {
  return {
    version: rest.version,
    changed: rest.changed,
    restored_from: rest.restored_from,
    saved_by: id === null ? null : { id, name: name ?? '' },
    saved_at: saved_at.toISOString(),
  };
}

/** With all its members, as a form that is read has them. */
export function presentWholeVersion(row: NonNullable<Awaited<ReturnType<typeof findVersion>>>) {
  return { ...presentVersion(row), definition: definitionOf(row.definition) };
}

/** What was not thought of when the version was saved has its default. */
function definitionOf({ title, properties, ...presentation }: Record<string, unknown>) {
  return {
    title,
    ...PRESENTATION_DEFAULTS,
    ...presentation,
    properties: (properties as Parameters<typeof presentBlock>[0][]).map(presentBlock),
  };
}
