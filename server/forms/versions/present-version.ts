import type { Property } from '../../../fields/property.ts';
import { presentAuthor } from '../../accounts/present-user.ts';
import { presentBlock } from '../present-form.ts';
import { PRESENTATION_DEFAULTS } from '../schemas.ts';
import type { findVersion, VersionRow } from './queries.ts';
import { VERSIONED_MEMBERS } from './versioned-members.ts';

/** A version in the list. */
export function presentVersion({ saved_at, saved_by, saved_by_name, ...rest }: VersionRow) {
  return {
    version: rest.version,
    changed: rest.changed,
    restored_from: rest.restored_from,
    of_draft: rest.of_draft,
    saved_by: presentAuthor(saved_by, saved_by_name),
    saved_at: saved_at.toISOString(),
  };
}

/** A version with all its members, shown as those of a form. */
export function presentWholeVersion(row: NonNullable<Awaited<ReturnType<typeof findVersion>>>) {
  return { ...presentVersion(row), definition: definitionOf(row.definition) };
}

/** All members of a version; those that did not exist when it was saved have their defaults. */
function definitionOf(kept: Record<string, unknown>) {
  const properties = (kept.properties as Property[]).map(presentBlock);
  const members: Record<string, unknown> = { ...PRESENTATION_DEFAULTS, ...kept, properties };
  return Object.fromEntries(VERSIONED_MEMBERS.map((name) => [name, members[name]]));
}
