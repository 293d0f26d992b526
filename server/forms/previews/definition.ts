import { type ErrorBag, emptyErrorBag, type Property } from '../../../fields/property.ts';
import { invalid } from '../../http/errors.ts';
import { readMoment } from '../../http/schemas/moments.ts';
import { type DraftDefinition, definitionProblems } from '../drafts/definition.ts';
import { presentationOf } from '../form-columns.ts';
import type { FormRow } from '../queries.ts';
import { followRenames } from '../saving/follow-renames.ts';
import { prepareProperties } from '../saving/prepare-properties.ts';
import { type FormInput, PRESENTATION_DEFAULTS, type Presentation } from '../schemas.ts';

/** A form as a preview shows it: checked and complete. */
export interface PreviewDefinition {
  title: string;
  /** ISO 8601 */
  closes_at: string | null;
  properties: Property[];
  presentation: Presentation;
}

const UNTITLED = 'Untitled';
/** References to what was left out become invalid too, so the rest is checked again, up to this many times. */
const MAX_LOOKS = 5;
const OF_BLOCK = /^properties\.(\d+)(?:\.([^.]+))?/;
const NEEDED = ['', 'id', 'type', 'name'];

/**
 * Completes a half-finished definition. Whatever is wrong with it is left out, so that the rest can be shown: a member of a block, or
 * else the block, or else a member of the form.
 * @param form the form that the definition changes; null for one that does not exist yet
 * @returns the preview, and all problems of the definition
 * @throws HttpError 422 when it cannot be shown at all
 */
export function previewOf(
  definition: DraftDefinition,
  form: FormRow | null,
): { preview: PreviewDefinition; problems: ErrorBag } {
  const told = definitionProblems(definition, form);
  let sound = definition;
  let problems = told;
  for (let look = 1; Object.keys(problems).length > 0; look++) {
    if (look > MAX_LOOKS || problems.body) throw invalid(told);
    sound = withoutProblems(sound, Object.keys(problems));
    problems = definitionProblems(sound, form);
  }
  return { preview: completedForm(sound as FormInput, form), problems: Object.assign(emptyErrorBag(), told) };
}

function withoutProblems(definition: DraftDefinition, keys: string[]): DraftDefinition {
  const rest = { ...definition };
  /** By the index of a block: names of its members that are wrong, `''` for the whole block. */
  const wrong = new Map<number, Set<string>>();
  for (const key of keys) {
    const [, index, member = ''] = OF_BLOCK.exec(key) ?? [];
    if (index !== undefined) wrong.set(Number(index), (wrong.get(Number(index)) ?? new Set()).add(member));
  }
  // `properties` itself is a key, too, which only sums up the problems of the blocks.
  for (const key of keys) {
    const [member = ''] = key.split('.');
    if (member !== 'properties' || wrong.size === 0) delete rest[member];
  }
  if (Array.isArray(rest.properties))
    rest.properties = rest.properties.flatMap((block: unknown, index) => soundBlock(block, wrong.get(index)));
  return rest;
}

/** The block without its wrong members; none when all of it is wrong, or a member that every block needs. */
function soundBlock(block: unknown, wrong: ReadonlySet<string> | undefined): unknown[] {
  if (!wrong) return [block];
  const isBeyondHelp = [...wrong].some(
    (member) => NEEDED.includes(member) || !Object.hasOwn(Object(block), member),
  );
  if (isBeyondHelp) return [];
  return [Object.fromEntries(Object.entries(Object(block)).filter(([member]) => !wrong.has(member)))];
}

/**
 * The form as it is after a save.
 * @param input of the save, without problems
 * @param isExact see `saveLockedForm`
 */
export function completedForm(input: FormInput, form: FormRow | null, isExact = false): PreviewDefinition {
  const closesAt = input.closes_at === undefined ? form?.closes_at : readMoment(input.closes_at ?? '');
  const properties = input.properties ? prepareProperties(input.properties) : (form?.properties ?? []);
  const presentation = presentationOf(input);
  if (form) followRenames(presentation, { before: form, properties, isExact });
  return {
    title: input.title ?? form?.title ?? UNTITLED,
    closes_at: closesAt?.toISOString() ?? null,
    properties,
    presentation: { ...PRESENTATION_DEFAULTS, ...form?.presentation, ...presentation },
  };
}
