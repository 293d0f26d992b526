import { isJsonObject, type JsonObject, type JsonValue, type Property } from '../../../fields/property.ts';
import { type Choices, choicesOf, optionsOf } from '../choices.ts';
import { addressOf, countOf, listOf, numberOf, objectOf, objectsOf, textOf } from '../json.ts';
import type { Maker } from '../maker.ts';
import { scaleHelp, withEnds } from '../scale-help.ts';
import { asName, type Words, wordsOr } from '../words.ts';

export type Read = (value: unknown) => Words;

/** Adds the block of an element. */
export type Ask = (
  ours: string,
  options?: Record<string, JsonValue>,
  choices?: Choices,
  help?: Words,
) => Property;

/** What it takes to ask what an element asks. */
interface Asking {
  maker: Maker;
  read: Read;
  ask: Ask;
}

/** Reads `"Tea"`, `3`, `{ value: 3, text: "Tea" }`. */
export function itemsOf(items: unknown, read: Read): { sources: string[][]; words: Words[] } {
  const listed = listOf(items).map((item) => (isJsonObject(item) ? item : { value: item as JsonValue }));
  const named = listed.map(({ value, text }) => {
    const source = typeof value === 'boolean' ? String(value) : textOf(value);
    return { source, words: wordsOr(read(text), source) };
  });
  return { sources: named.map(({ source }) => [source]), words: named.map(({ words }) => words) };
}

/** Choices in the order of display, which may be alphabetical. */
function inOrder({ choices, choicesOrder }: JsonObject, read: Read): unknown {
  if (choicesOrder !== 'asc' && choicesOrder !== 'desc') return choices;
  const textIn = (item: unknown) => itemsOf([item], read).words[0]?.text ?? '';
  const sorted = listOf(choices).toSorted((one, other) => textIn(one).localeCompare(textIn(other)));
  return choicesOrder === 'desc' ? sorted.toReversed() : sorted;
}

/** Choices behind the others; of several choices each rules out the others. */
const SPECIAL = [
  { shows: ['showNoneItem', 'hasNone'], value: 'none', text: 'noneText', usual: 'None' },
  { shows: ['showRefuseItem'], value: 'refused', text: 'refuseText', usual: 'Refuse to answer' },
  { shows: ['showDontKnowItem'], value: 'dontknow', text: 'dontKnowText', usual: "Don't know" },
];

/** Values of the listed choices that rule out the others. */
function exclusiveIn({ choices }: JsonObject): string[] {
  return objectsOf(choices).flatMap(({ value, isExclusive }) => (isExclusive === true ? textOf(value) : []));
}

export function askChoice(
  element: JsonObject,
  kind: 'select' | 'multi_select' | 'ranking',
  { maker, read, ask }: Asking,
): Property | null {
  const { sources, words } = itemsOf(inOrder(element, read), read);
  const about = asName(read(element.title).text) || textOf(element.name);
  const special = SPECIAL.filter(({ shows }) => shows.some((key) => element[key] === true));
  for (const { value, text, usual } of special) {
    words.push(wordsOr(read(element[text]), usual));
    sources.push([value]);
  }
  const choices = choicesOf(words, sources);
  const alone = [...special.map(({ value }) => value), ...exclusiveIn(element)];
  if (
    objectsOf(element.choices).some(
      ({ visibleIf, enableIf }) => visibleIf !== undefined || enableIf !== undefined,
    )
  )
    maker.note(about, 'Which choices are offered depended on other answers. Here all are.');
  if (words.length === 0) {
    maker.note(about, 'Its choices come from elsewhere. Here it takes any text.');
    return ask('text');
  }
  const [min, max] = [countOf(element.minSelectedChoices), countOf(element.maxSelectedChoices)];
  const isMultiple = kind === 'multi_select';
  const block = ask(
    kind,
    {
      ...optionsOf(kind, choices, [], new Set(alone.flatMap((value) => choices.bySource.get(value) ?? []))),
      ...(kind === 'select' && element.type !== 'dropdown' && { without_dropdown: true }),
      ...(kind !== 'ranking' &&
        (element.showOtherItem === true || element.hasOther === true) && { allow_creation: true }),
      ...(isMultiple && min !== undefined && { min_selection: min }),
      ...(isMultiple && max !== undefined && max >= (min ?? 1) && { max_selection: max }),
    },
    choices,
  );
  return maker.shuffle(block, element.choicesOrder === 'random', special.length > 0 ? 'except_last' : 'all');
}

export function askRating(element: JsonObject, help: Words, { maker, read, ask }: Asking): Property | null {
  const { sources, words } = itemsOf(element.rateValues, read);
  const values = sources.map(([value]) => numberOf(value));
  const [min, step] = [numberOf(element.rateMin) ?? 1, numberOf(element.rateStep) ?? 1];
  const count = countOf(element.rateCount);
  const max = numberOf(element.rateMax) ?? (count === undefined ? 5 : min + (count - 1) * step);
  // Values with labels become a choice.
  if (
    words.length > 0 &&
    (values.includes(undefined) || words.some(({ text }, at) => text !== sources[at]?.[0]))
  ) {
    const choices = choicesOf(words, sources);
    return ask('select', { ...optionsOf('select', choices), without_dropdown: true }, choices);
  }
  const given = values.filter((value) => value !== undefined);
  const [low, high] = given.length > 0 ? [Math.min(...given), Math.max(...given)] : [min, max];
  const [least, most] = [read(element.minRateDescription), read(element.maxRateDescription)];
  const isStars = /^(stars|smileys)$/.test(textOf(element.rateType ?? element.rateDisplayMode));
  if (isStars && low === 1 && step === 1) {
    const ends = [[low, least] as const, [high, most] as const];
    return ask('rating', { rating_max_value: high }, undefined, scaleHelp(help, ends));
  }
  const options = { scale_min_value: low, scale_max_value: high, scale_step_value: step };
  return withEnds(maker, ask('scale', options), least, most);
}

export function askPictures(element: JsonObject, { maker, read, ask }: Asking): Property | null {
  const listed = inOrder(element, read);
  const { sources, words } = itemsOf(listed, read);
  const images = listOf(listed).map((item) => addressOf(objectOf(item).imageLink));
  const hasImages = images.length > 0 && images.every((image) => image !== undefined);
  const choices = choicesOf(words, sources);
  const type = element.multiSelect === true ? 'multi_select' : 'select';
  const block = ask(
    type,
    {
      ...optionsOf(type, choices, hasImages ? images : []),
      ...(hasImages && { option_display_mode: 'text_and_image' }),
      ...(type === 'select' && { without_dropdown: true }),
    },
    choices,
  );
  return maker.shuffle(block, element.choicesOrder === 'random');
}
