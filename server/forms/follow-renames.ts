import { isDeepStrictEqual } from 'node:util';
import { followingRenames } from '../../fields/endings.ts';
import type { Property } from '../../fields/property.ts';
import { keepingLabels } from '../../fields/translations.ts';
import type { FormRow } from './queries.ts';
import type { Presentation } from './schemas.ts';

interface Renaming {
  before: Pick<FormRow, 'properties' | 'presentation'>;
  /** The blocks that take the place of those before. */
  properties: readonly Property[];
  /** Whether a version is restored: its endings ask for the options of its own blocks. */
  isRestored?: boolean;
}

/**
 * Adapts stored translations and endings to renamed options, unless the input brings new ones itself.
 * @param presentation members that the input sets; changed in place
 */
export function followRenames(
  presentation: Partial<Presentation>,
  { before, properties, isRestored = false }: Renaming,
): void {
  const { translations, endings } = before.presentation;
  const isTold = (key: 'translations' | 'endings') =>
    presentation[key] && !isDeepStrictEqual(presentation[key], before.presentation[key]);
  if (endings && !isRestored && !isTold('endings'))
    presentation.endings = followingRenames(endings, before.properties, properties);
  if (translations && !isTold('translations'))
    presentation.translations = keepingLabels(
      translations,
      before.properties,
      properties,
    ) as object as typeof translations;
}
