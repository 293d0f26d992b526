import { isBlank, numberOption } from './options.ts';
import { isJsonObject, type JsonValue, type Property } from './property.ts';
import { canonicalTypeName } from './type-names.ts';

/** Types whose questions can be repeated: none that takes files, shows others, or repeats questions itself. */
export const REPEATABLE_TYPES: readonly string[] = [
  'text',
  'number',
  'select',
  'multi_select',
  'checkbox',
  'date',
  'email',
  'phone_number',
  'url',
];
/** Most questions of one such field. */
export const MAX_REPEATED_QUESTIONS = 20;
/** Most entries of one answer, whatever its field allows. */
export const MAX_ENTRIES = 100;

/** The answers of one entry, by the ids of the questions. */
export type Entry = { [questionId: string]: JsonValue };

/** The questions that a field of type `repeat` asks again for every entry; of two with one id the first. */
export function questionsOf(property: Property): Property[] {
  const { questions } = property;
  if (!Array.isArray(questions)) return [];
  const known = new Map<string, Property>();
  for (const question of questions) {
    if (isQuestion(question) && !known.has(question.id)) known.set(question.id, question);
  }
  return [...known.values()];
}

function isQuestion(question: unknown): question is Property {
  return (
    isJsonObject(question) &&
    typeof question.id === 'string' &&
    typeof question.name === 'string' &&
    typeof question.type === 'string' &&
    REPEATABLE_TYPES.includes(canonicalTypeName(question.type))
  );
}

/** How many entries an answer needs and may have. */
export function entryLimits(property: Property): { min: number; max: number } {
  const min = numberOption(property, 'min_entries') ?? 0;
  const max = numberOption(property, 'max_entries') ?? MAX_ENTRIES;
  return { min: Math.min(min, MAX_ENTRIES), max: Math.min(max, MAX_ENTRIES) };
}

/** What entries are called, before their number. */
export function entryName(property: Property): string {
  const { entry_name: name } = property;
  return typeof name === 'string' && name.trim() !== '' ? name : property.name;
}

/** The entries of an answer; null where it is no list of them. */
export function entriesOf(answer: JsonValue | undefined): Entry[] | null {
  return Array.isArray(answer) && answer.every(isJsonObject) ? (answer as Entry[]) : null;
}

/** Nobody has answered anything in it. */
export function isBlankEntry(entry: Entry): boolean {
  return Object.values(entry).every(isBlank);
}
