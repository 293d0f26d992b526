import { type ErrorBag, emptyErrorBag, type Property } from '../../../fields/property.ts';
import { invalid } from '../../http/errors.ts';
import { readMoment } from '../../http/moments.ts';
import { type DraftDefinition, definitionProblems } from '../drafts/definition.ts';
import { presentationOf } from '../form-columns.ts';
import { prepareProperties } from '../prepare-properties.ts';
import type { FormRow } from '../queries.ts';
import { type FormInput, PRESENTATION_DEFAULTS, type Presentation } from '../schemas.ts';

/** A form as a preview shows it: checked, complete, and of no consequence. */
export interface PreviewDefinition {
  title: string;
  /** ISO 8601 */
  closes_at: string | null;
  properties: Property[];
  presentation: Presentation;
}

const UNTITLED = 'Untitled';
/** What is left out may be what something else speaks of; so often it is looked again. */
const MAX_LOOKS = 5;
const OF_BLOCK = /^properties\.(\d+)(?:\.([^.]+))?/;
const NEEDED = ['', 'id', 'type', 'name'];

/**
 * Completes a definition on its way. What is wrong with it is left out, so that the rest can be looked at: a member of
 * a block, else the block, else a member of the form.
 * @param form what the definition changes; null for a form that does not exist yet.
 * @returns with the problems of what was left out.
 * @throws HttpError 422 when nothing can be made of it.
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
  return { preview: completed(sound as FormInput, form), problems: Object.assign(emptyErrorBag(), told) };
}

function withoutProblems(definition: DraftDefinition, keys: string[]): DraftDefinition {
  const rest = { ...definition };
  /** What is wrong in each block: names of its members, `''` for all of it. */
  const wrong = new Map<number, Set<string>>();
  for (const key of keys) {
    const [, index, member = ''] = OF_BLOCK.exec(key) ?? [];
    if (index !== undefined) wrong.set(Number(index), (wrong.get(Number(index)) ?? new Set()).add(member));
  }
  // Of the blocks there is a sum of all that is wrong with them, too.
  for (const key of keys) {
    const [member = ''] = key.split('.');
    if (member !== 'properties' || wrong.size === 0) delete rest[member];
  }
  if (Array.isArray(rest.properties))
    rest.properties = rest.properties.flatMap((block: unknown, index) => soundBlock(block, wrong.get(index)));
  return rest;
}

/** The block without what is wrong; none when that is all of it, or what no block can be without. */
function soundBlock(block: unknown, wrong: ReadonlySet<string> | undefined): unknown[] {
  if (!wrong) return [block];
  const isBeyondHelp = [...wrong].some(
    (member) => NEEDED.includes(member) || !Object.hasOwn(Object(block), member),
  );
  if (isBeyondHelp) return [];
  return [Object.fromEntries(Object.entries(Object(block)).filter(([member]) => !wrong.has(member)))];
}

function completed(input: FormInput, form: FormRow | null): PreviewDefinition {
  const closesAt = input.closes_at === undefined ? form?.closes_at : readMoment(input.closes_at ?? '');
  return {
    title: input.title ?? form?.title ?? UNTITLED,
    closes_at: closesAt?.toISOString() ?? null,
    properties: input.properties ? prepareProperties(input.properties) : (form?.properties ?? []),
    presentation: { ...PRESENTATION_DEFAULTS, ...form?.presentation, ...presentationOf(input) },
  };
}
