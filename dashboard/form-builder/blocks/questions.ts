import { isBlank } from '../../../fields/block-options/options.ts';
import { isJsonObject, type Property } from '../../../fields/property.ts';
import { MAX_REPEATED_QUESTIONS, REPEATABLE_TYPES } from '../../../fields/repeated-questions.ts';
import { canonicalTypeName } from '../../../fields/type-names.ts';
import type { OptionSpec } from '../options/option-spec.ts';
import { ownOptions } from '../options/own-options.ts';
import { KINDS, type Kind, newBlock } from './kinds.ts';

/** Kinds that look the same as another within entries, or whose answers have several parts. */
const NOT_REPEATED = ['password', 'radio', 'pictures', 'switch', 'date-range'];
/** The kinds of questions that can be repeated. */
export const REPEATED_KINDS: readonly Kind[] = KINDS.filter(
  ({ key, type }) => REPEATABLE_TYPES.includes(type) && !NOT_REPEATED.includes(key),
);
/** Options of blocks that such questions have too. Choices are edited in a separate list. */
const OWN_KEYS: Readonly<Record<string, readonly string[]>> = {
  text: ['max_char_limit'],
  number: ['number_min_value', 'number_max_value', 'whole_number'],
  multi_select: ['min_selection', 'max_selection'],
  date: ['with_time', 'disable_past_dates', 'disable_future_dates'],
  phone_number: ['use_simple_text_input'],
};
const WITH_PLACEHOLDER = ['text', 'number', 'select', 'email', 'phone_number', 'url'];

/** The questions as stored, including incomplete ones. */
export function listedQuestions({ questions }: Property): Property[] {
  if (!Array.isArray(questions)) return [];
  return questions.filter((one) => isJsonObject(one) && typeof one.id === 'string') as unknown as Property[];
}

/** The kind of a repeated question; null for one that only other clients create. */
export function repeatedKindOf(question: Property): Kind | null {
  const type = canonicalTypeName(question.type);
  const kinds = REPEATED_KINDS.filter((kind) => kind.type === type);
  return kinds.find(({ matches }) => matches?.(question)) ?? kinds.find(({ matches }) => !matches) ?? null;
}

export function newQuestion(kind: Kind, name: string): Property {
  const { hidden: _, ...question } = newBlock(kind);
  return { ...question, name };
}

/** The questions to add, up to the limit. */
export function roomFor<Item>(questions: readonly Property[], added: readonly Item[]): Item[] {
  return added.slice(0, Math.max(0, MAX_REPEATED_QUESTIONS - questions.length));
}

/** Settings of a question besides name, kind, choices and whether it is required. */
export function questionOptions(question: Property): OptionSpec[] {
  const type = canonicalTypeName(question.type);
  const keys = OWN_KEYS[type] ?? [];
  return [
    ...ownOptions(type).filter(({ key }) => keys.includes(key)),
    ...(WITH_PLACEHOLDER.includes(type)
      ? [{ key: 'placeholder', label: 'Placeholder', input: 'text' } as const]
      : []),
    { key: 'help', label: 'Help', input: 'text' } as const,
  ].filter(({ when }: OptionSpec) => when?.(question) ?? true);
}

/** Members of a question that has only been named. */
const PLAIN_KEYS = ['id', 'type', 'name'];

/** Whether it is more than a plain text with a name. */
export function isFilled(question: Property): boolean {
  return (
    canonicalTypeName(question.type) !== 'text' ||
    Object.entries(question).some(
      ([key, value]) => !PLAIN_KEYS.includes(key) && value !== false && !isBlank(value),
    )
  );
}
