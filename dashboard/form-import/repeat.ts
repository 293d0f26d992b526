import { plainText } from '../../fields/plain-text.ts';
import type { JsonValue, Property } from '../../fields/property.ts';
import { MAX_ENTRIES, MAX_REPEATED_QUESTIONS, REPEATABLE_TYPES } from '../../fields/repeated-questions.ts';
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
  const { name, help, entryName, options = {} } = repeated;
  const about = asName(name.text);
  const asked = maker.takeFrom(from);
  const texts: Property[] = [];
  const questions: Property[] = [];
  const left: Property[] = [];
  for (const block of asked) {
    const as = ASKED_AS[block.type];
    if (block.type.startsWith('nf-')) texts.push(block);
    else if (block.hidden === true && !block.logic) {
      maker.note(block.name, `It is left out: it was hidden, which questions of “${about}” cannot be.`);
      maker.forget(block);
    } else if (!REPEATABLE_TYPES.includes(as?.[0] ?? block.type)) {
      if (block.type !== 'repeat')
        maker.note(block.name, `It was asked for every entry of “${about}”. Here it is asked once, below.`);
      left.push(askedOnce(maker, block));
    } else if (questions.length === MAX_REPEATED_QUESTIONS) {
      maker.note(
        block.name,
        `It is asked once, below “${about}”: ${MAX_REPEATED_QUESTIONS} questions can be repeated.`,
      );
      left.push(askedOnce(maker, block));
    } else questions.push(questionOf(maker, block, as));
  }
  maker.properties.push(...texts);
  if (questions.length > 0) {
    const block = maker.ask(
      repeated.source,
      'repeat',
      { name, help },
      {
        ...options,
        questions: questions as JsonValue[],
      },
    );
    if (entryName?.text) {
      block.entry_name = asName(entryName.text);
      maker.say(block.id, 'entry_name', mapWords(entryName, asName));
    }
    maker.moveTexts(questions, block);
    maker.properties.push(...left);
    return block;
  }
  maker.properties.push(...left);
  maker.note(about, 'It is left out: it asks nothing that can be repeated here.');
  return null;
}

/** It is optional, because it was not asked if there were no entries. */
function askedOnce(maker: Maker, block: Property): Property {
  if (block.required === true) maker.note(block.name, 'It was required for every entry. Here it is not.');
  block.required = false;
  return block;
}

function questionOf(
  maker: Maker,
  block: Property,
  as: readonly [type: string, words: string] | undefined,
): Property {
  if (as) maker.note(block.name, `It is asked as ${as[1]}: entries have no such question.`);
  if (block.prefill !== undefined || block.prefill_today !== undefined)
    maker.note(block.name, 'What it began with is left out.');
  if (block.validation !== undefined) maker.note(block.name, 'What is checked of its answer is left out.');
  if (block.secret_input === true) maker.note(block.name, 'What is typed was hidden. Here it can be read.');
  if (block.disabled === true) maker.note(block.name, 'It could not be changed. Here it can.');
  const kept = Object.entries(block).filter(([key]) => KEPT.includes(key));
  const question = { ...Object.fromEntries(kept), ...limitsAsNumber(block) } as Property;
  if (as) question.type = as[0];
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
