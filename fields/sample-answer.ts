import { isMask } from './block-options/mask-format.ts';
import { isOn, numberOption, stringList } from './block-options/options.ts';
import { optionNames } from './choices/choices.ts';
import { exclusiveNames } from './choices/exclusive-options.ts';
import { rankedNames } from './choices/ranking-places.ts';
import type { JsonValue, Property } from './property.ts';
import { entryLimits, questionsOf } from './repeated-questions.ts';
import { canonicalTypeName } from './type-names.ts';
import { numberRange } from './types/number.ts';
import { ratingMax } from './types/rating.ts';
import { scaleSteps, sliderSteps } from './types/stepped.ts';
import { characterLimit } from './types/text.ts';

const SAMPLE_TEXT = 'Sample text';
const SAMPLE_NUMBER = 3;
/** The longest that a field takes is chosen. */
const SAMPLE_ADDRESSES = ['jane@example.com', 'j@e.co'];
const SAMPLE_URLS = ['https://example.com', 'example.com', 'e.co'];
/** By country, as a field may refuse some. */
const SAMPLE_PHONES = [
  ['FR', '+33123456789'],
  ['US', '+12015550123'],
  ['GB', '+442079460018'],
  ['DE', '+4930123456'],
] as const;
const SAMPLE_DAY = '2030-01-31';
const PAST_SAMPLE_DAY = '2020-01-31';

/** A made-up answer that the field accepts; null for files, which are uploaded first, and types without rules. */
export function sampleAnswer(property: Property): JsonValue | null {
  const type = canonicalTypeName(property.type);
  switch (type) {
    case 'text':
      return sampleText(property);
    case 'barcode':
      return shortened(SAMPLE_TEXT, property);
    case 'rich_text':
      return `<p>${shortened(SAMPLE_TEXT, property)}</p>`;
    case 'number':
      return sampleNumber(property);
    case 'rating':
      return Math.min(SAMPLE_NUMBER, ratingMax(property));
    case 'scale':
      return scaleSteps(property).min;
    case 'slider':
      return sliderSteps(property).min;
    case 'select':
      return optionNames(property, type)[0] ?? 'Sample option';
    case 'multi_select':
      return sampleOptions(property, optionNames(property, type));
    case 'ranking':
      return rankedNames(property);
    case 'checkbox':
      return true;
    case 'date': {
      const day = `${sampleDay(property)}${isOn(property.with_time) ? ' 12:00' : ''}`;
      return isOn(property.date_range) ? [day, day] : day;
    }
    case 'email':
      return longestOf(SAMPLE_ADDRESSES, property);
    case 'url':
      return longestOf(SAMPLE_URLS, property);
    case 'phone_number':
      return samplePhone(property);
    case 'location':
      return '48.858222, 2.2945 ±12 m';
    case 'matrix': {
      const [column] = stringList(property.columns);
      return column === undefined
        ? null
        : Object.fromEntries(stringList(property.rows).map((row) => [row, column]));
    }
    case 'repeat': {
      const entry = questionsOf(property).map((question) => [question.id, sampleAnswer(question)]);
      const count = Math.max(1, entryLimits(property).min);
      return Array.from({ length: count }, () => Object.fromEntries(entry));
    }
    default:
      return null;
  }
}

function sampleNumber(property: Property): number {
  const { min, max } = numberRange(property);
  const number = Math.min(Math.max(SAMPLE_NUMBER, min), max);
  return isOn(property.whole_number) ? (number === max ? Math.floor(number) : Math.ceil(number)) : number;
}

function shortened(text: string, property: Property): string {
  return text.slice(0, characterLimit(property)).trimEnd();
}

function longestOf(samples: readonly string[], property: Property): string {
  const limit = characterLimit(property);
  return samples.find(({ length }) => length <= limit) ?? samples[0] ?? '';
}

function sampleText(property: Property, unmasked = SAMPLE_TEXT): string {
  const { input_mask: mask } = property;
  if (typeof mask !== 'string' || !isMask(mask)) return shortened(unmasked, property);
  const full = fillMask(mask.replaceAll('?', ''));
  return full.length <= characterLimit(property) ? full : fillMask(mask.replaceAll(/.\?/g, ''));
}

/** Fills the slots of a mask, numbers with 1, 2, 3 and so on. */
function fillMask(mask: string): string {
  let digits = 0;
  return mask.replaceAll(/[9a*]/g, (slot) => (slot === '9' ? String(++digits % 10) : 'a'));
}

function samplePhone(property: Property): string {
  const refused = stringList(property.unavailable_countries).map((country) => country.toUpperCase());
  const [, number] = SAMPLE_PHONES.find(([country]) => !refused.includes(country)) ?? SAMPLE_PHONES[0];
  return isOn(property.use_simple_text_input) ? sampleText(property, number) : number;
}

/** As many options as have to be chosen, at least one. */
function sampleOptions(property: Property, names: readonly string[]): string[] {
  const exclusive = exclusiveNames(property);
  const others = names.filter((name) => !exclusive.has(name));
  if (others.length === 0 && exclusive.size > 0) return names.slice(0, 1);
  const count = Math.max(1, numberOption(property, 'min_selection') ?? 1);
  return Array.from({ length: count }, (_, n) => others[n] ?? `Sample option${n === 0 ? '' : ` ${n + 1}`}`);
}

function sampleDay(property: Property): string {
  if (!isOn(property.disable_future_dates)) return SAMPLE_DAY;
  return isOn(property.disable_past_dates) ? new Date().toISOString().slice(0, 10) : PAST_SAMPLE_DAY;
}
