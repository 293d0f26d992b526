import type { JsonObject, JsonValue, Property } from '../../../fields/property.ts';
import { type Choices, choicesOf, optionsOf } from '../choices.ts';
import { askTime } from '../clock.ts';
import { acceptOnlyWhen, compareLength } from '../conditions.ts';
import { fileTypes } from '../file-types.ts';
import { addressOf, countOf, listOf, numberOf, objectOf, tableOf, textOf } from '../json.ts';
import type { Maker } from '../maker.ts';
import { numberLimits } from '../number-limits.ts';
import { prefilled } from '../prefilled.ts';
import { scaleHelp, withEnds } from '../scale-help.ts';
import { inOneLanguage, type Words, wordsOr } from '../words.ts';
import { htmlOf } from './texts.ts';

const TEXTS = tableOf<string>({
  INPUT_TEXT: 'text',
  TEXTAREA: 'text',
  INPUT_NUMBER: 'number',
  INPUT_EMAIL: 'email',
  INPUT_LINK: 'url',
  INPUT_PHONE_NUMBER: 'phone_number',
  INPUT_DATE: 'date',
  INPUT_TIME: 'text',
});
/** Blocks with a single option each. */
const CHOICES = tableOf<'select' | 'multi_select' | 'ranking'>({
  MULTIPLE_CHOICE_OPTION: 'select',
  DROPDOWN_OPTION: 'select',
  CHECKBOX: 'multi_select',
  MULTI_SELECT_OPTION: 'multi_select',
  RANKING_OPTION: 'ranking',
});
/** Members that limit which days can be chosen. */
const DAY_LIMITS = ['hasBeforeDate', 'hasAfterDate', 'hasSpecificDate', 'hasDisabledDays'];
const MATRIX = /^MATRIX(_ROW|_COLUMN)?$/;

type Ask = (ours: string, options?: Parameters<Maker['ask']>[3], choices?: Choices, help?: Words) => Property;

export function isAsked(type: string): boolean {
  return type in TEXTS || type in CHOICES || MATRIX.test(type) || isSingle(type);
}

function isSingle(type: string): boolean {
  return ['FILE_UPLOAD', 'LINEAR_SCALE', 'RATING', 'SIGNATURE'].includes(type);
}

/** All blocks in their order; those of one question are together. */
export function groupsIn(blocks: readonly JsonObject[]): JsonObject[][] {
  const groups: JsonObject[][] = [];
  for (const block of blocks) {
    const [first] = groups.at(-1) ?? [];
    if (first && isSameQuestion(first, block)) groups.at(-1)?.push(block);
    else groups.push([block]);
  }
  return groups;
}

function isSameQuestion(first: JsonObject, block: JsonObject): boolean {
  const [type, other] = [textOf(first.type), textOf(block.type)];
  if (block.groupUuid !== first.groupUuid) return false;
  return MATRIX.test(type) ? MATRIX.test(other) : type in CHOICES && type === other;
}

export function askGroup(maker: Maker, group: readonly JsonObject[], name: Words, help: Words): Property {
  const [first = {}] = group;
  const type = textOf(first.type);
  const payload = objectOf(first.payload);
  const source = textOf(first.groupUuid) || textOf(first.uuid);
  const required = group.some((block) => objectOf(block.payload).isRequired === true);
  const isHidden = payload.isHidden === true;
  const placeholder = inOneLanguage(textOf(payload.placeholder));
  const titled = wordsOr(name, placeholder.text || 'Question');
  const key = maker.find(source) ? textOf(first.uuid) : source;
  const ask: Ask = (ours, options = {}, choices, more = help) => {
    const texts = { name: titled, help: more, ...(choices === undefined && { placeholder }) };
    const state = { required, ...prefillOf(ours, group, choices) };
    const block = maker.ask(key, ours, texts, { ...state, ...options }, choices);
    if (!('prefill' in block) && group.some(({ payload }) => objectOf(payload).hasDefaultAnswer === true))
      maker.note(block.name, 'What it began with is left out.');
    maker.shuffle(block, payload.randomize === true);
    if (isHidden) {
      block.hidden = true;
      maker.note(block.name, 'It is hidden. Where logic showed it, give it that logic here.');
    }
    return block;
  };
  const kind = CHOICES[type];
  if (kind !== undefined) return askChoice(group, kind, ask);
  if (MATRIX.test(type)) return ask('matrix', matrixOf(group));
  switch (type) {
    case 'LINEAR_SCALE':
      return askScale(maker, payload, help, ask);
    case 'RATING':
      return ask('rating', { rating_max_value: countOf(payload.stars) ?? 5 });
    case 'SIGNATURE':
      return ask('signature');
    case 'FILE_UPLOAD':
      return ask(
        'files',
        filesOf(payload, (text) => maker.note(titled.text, text)),
      );
    case 'INPUT_TIME':
      return askTime(maker, key, ask('text'));
    default: {
      const block = ask(TEXTS[type] ?? 'text', inputOptions(type, payload));
      limit(maker, key, block, payload);
      if (DAY_LIMITS.some((name) => payload[name] === true))
        maker.note(block.name, 'Which days could be chosen is left out.');
      return block;
    }
  }
}

function askScale(maker: Maker, payload: JsonObject, help: Words, ask: Ask): Property {
  const [min, max] = [numberOf(payload.start) ?? 1, numberOf(payload.end) ?? 10];
  const options = {
    scale_min_value: min,
    scale_max_value: max,
    scale_step_value: numberOf(payload.step) ?? 1,
  };
  const [low, high] = [textOf(payload.leftLabel), textOf(payload.rightLabel)];
  const center = payload.hasCenterLabel === true ? textOf(payload.centerLabel) : '';
  const more = scaleHelp(help, [[(min + max) / 2, inOneLanguage(center)]]);
  return withEnds(maker, ask('scale', options, undefined, more), inOneLanguage(low), inOneLanguage(high));
}

function inputOptions(type: string, payload: JsonObject): Record<string, JsonValue> {
  const most = limitOf(payload, 'MaxCharacters');
  switch (TEXTS[type]) {
    case 'text':
      return {
        ...(type === 'TEXTAREA' && { multi_lines: true }),
        ...(most !== undefined && { max_char_limit: most }),
      };
    case 'number':
      return numberLimits(limitOf(payload, 'MinNumber'), limitOf(payload, 'MaxNumber'));
    default:
      return {};
  }
}

/** The initial answer; empty if it cannot be expressed here. */
function prefillOf(
  type: string,
  group: readonly JsonObject[],
  choices: Choices | undefined,
): Record<string, JsonValue> {
  const { hasDefaultAnswer, defaultAnswer } = objectOf(group[0]?.payload);
  if (hasDefaultAnswer !== true) return {};
  const names = [defaultAnswer].flat().flatMap((source) => choices?.bySource.get(textOf(source)) ?? []);
  if (type === 'select') return prefilled(names[0]);
  if (type === 'multi_select') return prefilled(names.length > 0 ? names : undefined);
  if (['number', 'scale', 'rating'].includes(type)) return prefilled(numberOf(defaultAnswer));
  return prefilled(['text', 'email', 'url'].includes(type) ? textOf(defaultAnswer) || undefined : undefined);
}

function filesOf(payload: JsonObject, note: (text: string) => void): Record<string, JsonValue> {
  const size = payload.hasMaxFileSize === true ? countOf(payload.maxFileSize) : undefined;
  const most = limitOf(payload, 'MaxFiles');
  if (payload.hasMultipleFiles === true && most !== undefined)
    note(`It took at most ${most} files. Here it takes more.`);
  const kinds = Object.entries(objectOf(payload.allowedFiles)).flatMap(([kind, endings]) => {
    const listed = listOf(endings).map(textOf).filter(Boolean);
    return listed.length > 0 ? listed : [kind];
  });
  return {
    ...(payload.hasMultipleFiles === true && { multiple: true }),
    ...(size !== undefined && { max_file_size: size }),
    ...fileTypes(kinds, note),
  };
}

/** Reads `8` from `{ hasMinNumber: true, minNumber: 8 }`. */
function limitOf(payload: JsonObject, name: string): number | undefined {
  const key = name.charAt(0).toLowerCase() + name.slice(1);
  return payload[`has${name}`] === true ? numberOf(payload[key]) : undefined;
}

function limit(maker: Maker, key: string, block: Property, payload: JsonObject): void {
  const asked = maker.find(key);
  if (!asked) return;
  const least = limitOf(payload, 'MinCharacters');
  const length = least === undefined ? null : compareLength(asked, '>=', least);
  if (length) acceptOnlyWhen(asked, block, length, `Enter at least ${least} characters.`);
}

function askChoice(
  group: readonly JsonObject[],
  kind: 'select' | 'multi_select' | 'ranking',
  ask: Ask,
): Property {
  const payloads = group.map(({ payload }) => objectOf(payload));
  const isMultiple = kind === 'select' && payloads.some(({ allowMultiple }) => allowMultiple === true);
  const type = isMultiple ? 'multi_select' : kind;
  const listed = group.filter(({ payload }) => objectOf(payload).isOtherOption !== true);
  const choices = choicesOf(
    listed.map((block) => inOneLanguage(textOf(objectOf(block.payload).text) || htmlOf(block))),
    listed.map(({ uuid }) => [textOf(uuid)]),
  );
  const images = listed.map(({ payload }) => addressOf(objectOf(payload).image));
  const hasImages = images.length > 0 && images.every((image) => image !== undefined);
  const isOpen = type === 'select' && group[0]?.type !== 'DROPDOWN_OPTION';
  const [min, max] = ['MinChoices', 'MaxChoices'].map((name) => countOf(limitOf(payloads[0] ?? {}, name)));
  return ask(
    type,
    {
      ...optionsOf(type, choices, hasImages ? images : []),
      ...(hasImages && { option_display_mode: 'text_and_image' }),
      ...(isOpen && { without_dropdown: true }),
      ...(type !== 'ranking' && listed.length < group.length && { allow_creation: true }),
      ...(type === 'multi_select' && min !== undefined && { min_selection: min }),
      ...(type === 'multi_select' && max !== undefined && max >= (min ?? 1) && { max_selection: max }),
    },
    choices,
  );
}

function matrixOf(group: readonly JsonObject[]): { rows: string[]; columns: string[] } {
  const named = (type: string) =>
    choicesOf(
      group.filter((block) => block.type === type).map((block) => inOneLanguage(htmlOf(block))),
      [],
    ).names;
  return { rows: named('MATRIX_ROW'), columns: named('MATRIX_COLUMN') };
}
