import { optionNames } from '../../fields/choices/choices.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import type { JsonValue, Property } from '../../fields/property.ts';
import { entriesOf, questionsOf } from '../../fields/repeated-questions.ts';

/** Members of a form shown in short, when they are set. */
const SHORT_MEMBERS = [
  ...[
    'id',
    'slug',
    'title',
    'description',
    'workspace_id',
    'visibility',
    'is_closed',
    'share_url',
    'language',
  ],
  ...[
    'opens_at',
    'closes_at',
    'max_submissions_count',
    'submissions_count',
    'views_count',
    'tags',
    'has_password',
  ],
  ...['version', 'created_at', 'updated_at'],
];
/** Members of a block shown beside its id, type, name and options. */
const BLOCK_MEMBERS = [
  ...['required', 'hidden', 'help', 'content', 'rows', 'columns'],
  ...['entry_name', 'min_entries', 'max_entries'],
];

/** The members of the API's form that are used here. */
export type FormAnswer = { properties: Property[]; removed_properties: Property[]; slug: string } & {
  [member: string]: unknown;
};

/** A form in short: what it asks, not how it looks. */
export function shortForm(form: FormAnswer) {
  return { ...saying(form, SHORT_MEMBERS), blocks: form.properties.map(shortBlock) };
}

function shortBlock(block: Property): Record<string, unknown> {
  const { id, type, name, logic } = block;
  const options = optionNames(block, fieldTypeOf(type).name);
  const asked = questionsOf(block);
  return {
    id,
    type,
    name,
    ...saying(block, BLOCK_MEMBERS),
    ...(options.length > 0 && { options }),
    ...(asked.length > 0 && { questions: asked.map(shortBlock) }),
    ...(logic && Object.keys(logic).length > 0 && { has_logic: true }),
  };
}

function saying(holder: { [member: string]: unknown }, members: string[]) {
  const said = members.filter((member) => ![undefined, null, false, ''].includes(holder[member] as null));
  return Object.fromEntries(said.map((member) => [member, holder[member]]));
}

/**
 * The names of questions, including removed ones, which may have answers; of two equal names the later one gets its id
 * behind it.
 */
export function questionNames({
  properties,
  removed_properties,
}: Pick<FormAnswer, 'properties' | 'removed_properties'>): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const { id, type, name } of [...properties, ...removed_properties]) {
    if (fieldTypeOf(type).kind !== 'input') continue;
    names.set(id, taken.has(name) ? `${name} (${id})` : name);
    taken.add(name);
  }
  return names;
}

/** The id of a question named by its id or as in `questionNames`; unknown names are left to the API. */
export function questionId(names: Map<string, string>, named: string): string {
  if (names.has(named)) return named;
  for (const [id, name] of names) if (name === named) return id;
  return named;
}

/** The names of repeated questions, by the id of the block that repeats them. */
export function entryNames({ properties, removed_properties }: FormAnswer): Map<string, Map<string, string>> {
  const repeating = [...removed_properties, ...properties].filter((block) => questionsOf(block).length > 0);
  return new Map(
    repeating.map((block) => [
      block.id,
      questionNames({ properties: questionsOf(block), removed_properties: [] }),
    ]),
  );
}

/** The entries of an answer with members renamed by `nameOf`; any other answer as it is. */
export function renameEntries(answer: unknown, nameOf: (member: string) => string): unknown {
  const entries = entriesOf(answer as JsonValue);
  return (
    entries?.map((entry) =>
      Object.fromEntries(Object.entries(entry).map(([member, value]) => [nameOf(member), value])),
    ) ?? answer
  );
}
