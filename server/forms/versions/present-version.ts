import type { Property } from '../../../fields/property.ts';
import { presentBlock } from '../present-form.ts';
import { PRESENTATION_DEFAULTS } from '../schemas.ts';
import type { findVersion, VersionRow } from './queries.ts';
import { VERSIONED_MEMBERS } from './versioned-members.ts';

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

/** Every member that versions are made of; one that was not thought of when it was saved has its default. */
function definitionOf(kept: Record<string, unknown>) {
  const properties = (kept.properties as Property[]).map(presentBlock);
  const members: Record<string, unknown> = { ...PRESENTATION_DEFAULTS, ...kept, properties };
  return Object.fromEntries(VERSIONED_MEMBERS.map((name) => [name, members[name]]));
}
