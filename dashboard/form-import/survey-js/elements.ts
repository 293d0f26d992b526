import { AUTOFILL_NAMES } from '../../../fields/block-options/autofill.ts';
import { isMask } from '../../../fields/block-options/mask-format.ts';
import type { JsonObject, JsonValue, Property } from '../../../fields/property.ts';
import { type Choices, choicesOf, optionsOf } from '../choices.ts';
import { askTime } from '../clock.ts';
import { fileTypes } from '../file-types.ts';
import { addressOf, countOf, numberOf, objectOf, objectsOf, tableOf, textOf } from '../json.ts';
import type { Maker } from '../maker.ts';
import { numberLimits } from '../number-limits.ts';
import { asName, mapWords, type Words, wordsOr } from '../words.ts';
import { type Ask, askChoice, askPictures, askRating, itemsOf, type Read } from './choices.ts';
import { prefillOf } from './prefill.ts';

const INPUTS = tableOf<string>({
  email: 'email',
  url: 'url',
  tel: 'phone_number',
  number: 'number',
  range: 'slider',
  date: 'date',
  'datetime-local': 'date',
  datetime: 'date',
});
const CHOICES = tableOf<'select' | 'multi_select' | 'ranking'>({
  radiogroup: 'select',
  dropdown: 'select',
  buttongroup: 'select',
  checkbox: 'multi_select',
  tagbox: 'multi_select',
  ranking: 'ranking',
});
const OTHERS =
  'text comment boolean rating matrix multipletext imagepicker file panel signaturepad html image expression slider matrixdropdown matrixdynamic paneldynamic';
const TYPES = new Set([...Object.keys(CHOICES), ...OTHERS.split(' ')]);
const BYTES_OF_MB = 1024 * 1024;

export function isSurveyType(type: string): boolean {
  return TYPES.has(type);
}

/** The elements of a page or panel. */
export function elementsIn({ elements, questions }: JsonObject): JsonObject[] {
  return [...objectsOf(elements), ...objectsOf(questions)];
}

/** @returns the question, if the element is one */
export function askSurveyElement(maker: Maker, element: JsonObject, read: Read): Property | null {
  const asked = askAlone(maker, element, read);
  if (element.showCommentArea === true || element.hasComment === true) {
    const said = read(element.commentText);
    const name =
      said.text === '' ? mapWords(read(element.title ?? element.name), (text) => `${text}: comment`) : said;
    maker.ask(commentOf(element), 'text', { name }, { multi_lines: true, required: false });
  }
  return asked;
}

/** The name SurveyJS gives to a comment on an answer. */
export function commentOf(element: JsonObject): string {
  return `${textOf(element.name)}-Comment`;
}

function askAlone(maker: Maker, element: JsonObject, read: Read): Property | null {
  const type = textOf(element.type);
  const title = read(element.title);
  const name = wordsOr(title, textOf(element.name));
  const help = read(element.description);
  const ask = (ours: string, options: Record<string, JsonValue> = {}, choices?: Choices, more = help) => {
    const placeholder = read(element.placeholder ?? element.placeHolder);
    const state = {
      required: element.isRequired === true,
      ...(element.readOnly === true && { disabled: true }),
      ...prefillOf(ours, element.defaultValue, choices),
    };
    const texts = {
      name,
      help: more,
      ...(placeholder.text !== '' && { placeholder }),
      labels: choices?.words,
    };
    return maker.ask(textOf(element.name), ours, texts, { ...state, ...options }, choices);
  };
  const asking = { maker, read, ask };
  const kind = CHOICES[type];
  if (kind !== undefined) return askChoice(element, kind, asking);
  switch (type) {
    case 'text':
      return askInput(maker, element, name.text, ask);
    case 'comment':
      return ask('text', { multi_lines: true, ...limitOf(element) });
    case 'boolean': {
      const labels = [wordsOr(read(element.labelTrue), 'Yes'), wordsOr(read(element.labelFalse), 'No')];
      const sources = [
        [textOf(element.valueTrue), 'true'],
        [textOf(element.valueFalse), 'false'],
      ];
      const choices = choicesOf(labels, sources);
      return ask('select', { ...optionsOf('select', choices), without_dropdown: true }, choices);
    }
    case 'rating':
      return askRating(element, help, asking);
    case 'slider':
      return ask('slider', sliderOf(element));
    case 'imagepicker':
      return askPictures(element, asking);
    case 'matrix':
      return askMatrix(maker, element, read, { name, help });
    case 'multipletext':
      return askTexts(maker, element, read, name);
    case 'file':
      return ask(
        'files',
        filesOf(element, (text) => maker.note(name.text, text)),
      );
    case 'signaturepad':
      return ask('signature');
    case 'html':
      return maker.tell(read(element.html), (html) => html);
    case 'image': {
      const address = addressOf(objectOf(element.imageLink).default ?? element.imageLink);
      if (address === undefined)
        maker.note(name.text, 'The picture is left out: it has no address in the web.');
      else maker.show('nf-image', address, asName(read(element.altText).text));
      return null;
    }
    default:
      maker.note(name.text, `It is left out: there is no question of the kind “${type}” here.`);
      return null;
  }
}

function askInput(maker: Maker, element: JsonObject, about: string, ask: Ask): Property | null {
  const input = textOf(element.inputType);
  const ours = INPUTS[input] ?? 'text';
  if (ours === 'slider') return ask('slider', sliderOf(element));
  if (ours === 'date') return ask('date', input === 'date' ? {} : { with_time: true });
  if (input === 'time') return askTime(maker, textOf(element.name), ask('text'));
  if (['color', 'month', 'week'].includes(input))
    maker.note(about, `It is asked as a text, not as a ${input}.`);
  const isSecret = input === 'password';
  return ask(ours, {
    ...(ours === 'text' && limitOf(element)),
    ...(ours === 'number' && numberLimits(numberOf(element.min), numberOf(element.max))),
    ...(isSecret && { secret_input: true }),
    ...autofillOf(element),
    ...maskOf(element, (text) => maker.note(about, text)),
  });
}

/** SurveyJS has the names of HTML. */
function autofillOf({ autocomplete }: JsonObject): Record<string, JsonValue> {
  const name = textOf(autocomplete);
  return AUTOFILL_NAMES.includes(name) ? { autocomplete: name } : {};
}

/** Masks of digits (9), letters (a) and both (#); others only help while typing. */
function maskOf(element: JsonObject, note: (text: string) => void): Record<string, JsonValue> {
  const type = textOf(element.maskType);
  if (type === '' || type === 'none') return {};
  const pattern = textOf(objectOf(element.maskSettings).pattern);
  const mask = pattern.replaceAll('#', '*');
  if (type === 'pattern' && isMask(mask) && !/[?*]/.test(pattern)) return { input_mask: mask };
  note(`How its answer is written while typing is left out: ${pattern || type}`);
  return {};
}

function limitOf(element: JsonObject): Record<string, JsonValue> {
  const limit = countOf(element.maxLength);
  return limit === undefined ? {} : { max_char_limit: limit };
}

function sliderOf(element: JsonObject): Record<string, JsonValue> {
  return {
    slider_min_value: numberOf(element.min) ?? 0,
    slider_max_value: numberOf(element.max) ?? 100,
    slider_step_value: numberOf(element.step) ?? 1,
  };
}

function filesOf(element: JsonObject, note: (text: string) => void): Record<string, JsonValue> {
  const size = Math.floor((numberOf(element.maxSize) ?? 0) / BYTES_OF_MB);
  const kinds = textOf(element.acceptedTypes)
    .split(/[\s,]+/)
    .filter(Boolean);
  return {
    ...(element.allowMultiple === true && { multiple: true }),
    ...(size >= 1 && { max_file_size: size }),
    ...fileTypes(kinds, note),
  };
}

function askMatrix(
  maker: Maker,
  element: JsonObject,
  read: Read,
  texts: { name: Words; help: Words },
): Property | null {
  const named = (key: 'rows' | 'columns') => choicesOf(itemsOf(element[key], read).words, []);
  const [rows, columns] = [named('rows'), named('columns')];
  const options = {
    required:
      element.isRequired === true || element.isAllRowRequired === true || element.eachRowRequired === true,
    rows: rows.names,
    columns: columns.names,
  };
  return maker.ask(
    textOf(element.name),
    'matrix',
    { ...texts, labels: [...rows.words, ...columns.words] },
    options,
  );
}

function askTexts(maker: Maker, element: JsonObject, read: Read, name: Words): Property | null {
  maker.tell(name);
  for (const item of textsIn(element)) askSurveyElement(maker, item, read);
  return null;
}

/** The texts of a question with several, as separate questions. */
export function textsIn(element: JsonObject): JsonObject[] {
  return objectsOf(element.items).map((item) => ({
    ...item,
    type: 'text',
    name: `${textOf(element.name)}.${textOf(item.name)}`,
    title: item.title ?? item.name ?? null,
    requiredIf: item.requiredIf ?? element.requiredIf ?? null,
  }));
}
