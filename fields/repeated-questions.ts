import { isBlank, numberOption } from './block-options/options.ts';
import { isJsonObject, type JsonValue, type Property } from './property.ts';
import { canonicalTypeName } from './type-names.ts';

/** Types of questions that can be repeated: none, for example, that takes files or repeats questions itself. */
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
/** Questions of one such field. */
export const MAX_REPEATED_QUESTIONS = 20;
/** Entries of one answer, even if its field allows more. */
export const MAX_ENTRIES = 100;

/** The answers of one entry, by the ids of the questions. */
export type Entry = { [questionId: string]: JsonValue };

/** The questions that a field of type `repeat` asks for every entry; of two with the same id, only the first. */
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

/** The smallest and largest number of entries in an answer. */
export function entryLimits(property: Property): { min: number; max: number } {
  const min = numberOption(property, 'min_entries') ?? 0;
  const max = numberOption(property, 'max_entries') ?? MAX_ENTRIES;
  return { min: Math.min(min, MAX_ENTRIES), max: Math.min(max, MAX_ENTRIES) };
}

/** The name of an entry, before its number. */
export function entryName(property: Property): string {
  const { entry_name: name } = property;
  return typeof name === 'string' && name.trim() !== '' ? name : property.name;
}

/** The entries of an answer; null if it is not a list of entries. */
export function entriesOf(answer: JsonValue | undefined): Entry[] | null {
  return Array.isArray(answer) && answer.every(isJsonObject) ? (answer as Entry[]) : null;
}

/** Whether an entry has no answers. */
export function isBlankEntry(entry: Entry): boolean {
  return Object.values(entry).every(isBlank);
}
