import { isDeepStrictEqual } from 'node:util';
import { knownBlocks } from '../../../fields/former-answers/known-blocks.ts';
import { followingRenames } from '../../../fields/logic/endings.ts';
import type { Property } from '../../../fields/property.ts';
import { keepingLabels } from '../../../fields/texts/translations.ts';
import type { FormRow } from '../queries.ts';
import type { Presentation } from '../schemas.ts';

interface Renaming {
  before: Pick<FormRow, 'properties' | 'removed_properties' | 'presentation'>;
  /** The blocks that take the place of those before. */
  properties: readonly Property[];
  /** Whether the input counts as it is, even where it is as stored; others send back what they have read. */
  isExact?: boolean;
}

/** Members that follow renamed options. */
const FOLLOWING = ['translations', 'endings'] as const;

/** Whether a save changes this member only to follow renamed options. */
export function onlyFollows(member: string, input: object): boolean {
  return FOLLOWING.some((name) => name === member) && !Object.hasOwn(input, member);
}

/**
 * Adapts stored translations and endings to renamed options, unless the input brings new ones itself.
 * @param presentation members that the input sets; changed in place
 */
export function followRenames(
  presentation: Partial<Presentation>,
  { before, properties, isExact = false }: Renaming,
): void {
  const { translations, endings } = before.presentation;
  const known = knownBlocks(before);
  const isTold = (key: (typeof FOLLOWING)[number]) =>
    presentation[key] && (isExact || !isDeepStrictEqual(presentation[key], before.presentation[key]));
  if (endings && !isTold('endings')) presentation.endings = followingRenames(endings, known, properties);
  if (translations && !isTold('translations'))
    presentation.translations = keepingLabels(
      translations,
      known,
      properties,
    ) as object as typeof translations;
}
