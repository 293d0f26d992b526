import type { JsonValue, Property } from '../../fields/property.ts';
import { MAX_ENTRIES, MAX_REPEATED_QUESTIONS, REPEATABLE_TYPES } from '../../fields/repeated-questions.ts';
import { plainText } from '../../fields/texts/plain-text.ts';
import { ratingMax } from '../../fields/types/rating.ts';
import { scaleSteps, sliderSteps } from '../../fields/types/stepped.ts';
import type { Maker } from './maker.ts';
import { numberLimits } from './number-limits.ts';
import { asName, mapWords, type Words } from './words.ts';

/** Types that become another type within entries. */
const ASKED_AS: Readonly<Record<string, readonly [type: string, words: string]>> = {
  slider: ['number', 'a number'],
  scale: ['number', 'a number'],
  rating: ['number', 'a number'],
  rich_text: ['text', 'a text of several lines'],
  barcode: ['text', 'a text'],
  location: ['text', 'a text'],
};
/** Members of blocks that questions within entries keep. */
const KEPT = [
  ...['id', 'type', 'name', 'required', 'help', 'placeholder', 'select', 'multi_select', 'allow_creation'],
  ...['shuffle_options', 'min_selection', 'max_selection', 'multi_lines', 'max_char_limit', 'with_time'],
  ...['number_min_value', 'number_max_value', 'whole_number'],
];

interface Repeated {
  /** Its name in expressions. */
  source: string;
  name: Words;
  help?: Words | undefined;
  /** The name of an entry, if given. */
  entryName?: Words | undefined;
  options?: Record<string, JsonValue>;
}

/**
 * The number of entries, if the form gives it as a number.
 * @param note called for numbers that are too large here
 */
export function entryLimitsOf(
  min: number | undefined,
  max: number | undefined,
  note: (text: string) => void,
): Record<string, JsonValue> {
  for (const count of [min, max])
    if (count !== undefined && count > MAX_ENTRIES)
      note(`That it had ${count} entries is left out. Here it can have ${MAX_ENTRIES} at most.`);
  const within = (count: number | undefined) =>
    count !== undefined && Number.isInteger(count) && count > 0 && count <= MAX_ENTRIES ? count : undefined;
  const [least, most] = [within(min), within(max)];
  return {
    ...(least !== undefined && (most === undefined || least <= most) && { min_entries: least }),
    ...(most !== undefined && { max_entries: most }),
  };
}

/**
 * Turns the questions since `from` into one block that repeats them for every entry. Questions that cannot be repeated are placed
 * after it and asked once; texts stay before it.
 * @returns the block; null if no question can be repeated
 */
export function repeatFrom(maker: Maker, from: number, repeated: Repeated): Property | null {
  const about = asName(repeated.name.text);
  const texts: Property[] = [];
  const questions: Property[] = [];
  const left: Property[] = [];
  for (const block of maker.takeFrom(from)) {
    if (block.type.startsWith('nf-')) texts.push(block);
    else if (block.hidden === true && !block.logic) {
      maker.note(block.name, `It is left out: it was hidden, which questions of “${about}” cannot be.`);
      maker.forget(block);
    } else if (isRepeatable(block) && questions.length < MAX_REPEATED_QUESTIONS)
      questions.push(questionOf(maker, block));
    else left.push(askedOnce(maker, block, about));
  }
  maker.properties.push(...texts);
  const block = questions.length > 0 ? askRepeat(maker, repeated, questions) : null;
  maker.properties.push(...left);
  if (!block) maker.note(about, 'It is left out: it asks nothing that can be repeated here.');
  return block;
}

function askRepeat(maker: Maker, repeated: Repeated, questions: Property[]): Property {
  const { source, name, help, entryName, options } = repeated;
  const members = { ...options, questions: questions as JsonValue[] };
  const block = maker.ask(source, 'repeat', { name, help }, members);
  if (entryName?.text) {
    block.entry_name = asName(entryName.text);
    maker.say(block.id, 'entry_name', mapWords(entryName, asName));
  }
  maker.moveTexts(questions, block);
  return block;
}

function isRepeatable({ type }: Property): boolean {
  return REPEATABLE_TYPES.includes(ASKED_AS[type]?.[0] ?? type);
}

/** It is optional, because it was not asked if there were no entries. */
function askedOnce(maker: Maker, block: Property, about: string): Property {
  if (isRepeatable(block))
    maker.note(
      block.name,
      `It is asked once, below “${about}”: ${MAX_REPEATED_QUESTIONS} questions can be repeated.`,
    );
  else if (block.type !== 'repeat')
    maker.note(block.name, `It was asked for every entry of “${about}”. Here it is asked once, below.`);
  if (block.required === true) maker.note(block.name, 'It was required for every entry. Here it is not.');
  block.required = false;
  return block;
}

function questionOf(maker: Maker, block: Property): Property {
  const [type = block.type, words] = ASKED_AS[block.type] ?? [];
  const note = (text: string) => maker.note(block.name, text);
  if (words !== undefined) note(`It is asked as ${words}: entries have no such question.`);
  if (block.prefill !== undefined || block.prefill_today !== undefined)
    note('What it began with is left out.');
  if (block.validation !== undefined) note('What is checked of its answer is left out.');
  if (block.secret_input === true) note('What is typed was hidden. Here it can be read.');
  if (block.disabled === true) note('It could not be changed. Here it can.');
  const kept = Object.entries(block).filter(([key]) => KEPT.includes(key));
  const question = { ...Object.fromEntries(kept), ...limitsAsNumber(block), type } as Property;
  if (block.type === 'rich_text') question.multi_lines = true;
  if (typeof block.help === 'string') question.help = plainText(block.help);
  return question;
}

/** The range of a scale or slider, or the number of stars. */
function limitsAsNumber(block: Property): Record<string, JsonValue> {
  switch (block.type) {
    case 'rating':
      return { ...numberLimits(1, ratingMax(block)), whole_number: true };
    case 'scale':
    case 'slider': {
      const { min, max, step } = block.type === 'scale' ? scaleSteps(block) : sliderSteps(block);
      return {
        ...numberLimits(min, max),
        ...(step === 1 && Number.isInteger(min) && { whole_number: true }),
      };
    }
    default:
      return {};
  }
}
