import { isOn, isOneOf, numberOption } from '../../block-options/options.ts';
import { type Choice, choicesOf } from '../../choices/choices.ts';
import { inShuffledOrder } from '../../choices/shuffle.ts';
import type { Property } from '../../property.ts';
import { fillIn } from '../../texts/template.ts';
import type { ControlContext, FieldControl } from '../field-control.ts';
import { attribute, type Html, html } from '../html.ts';
import { safeUrl } from '../safe-url.ts';
import {
  answerText,
  answerTexts,
  attributes,
  clearRadio,
  controlAttributes,
  hint,
  optionText,
  textInput,
} from './parts.ts';

/** With more options than this the list scrolls, and the script makes it searchable. */
export const MANY_OPTIONS = 12;
/** Inputs for options of one's own, if there are no others. */
const USUAL_OWN = 3;

/** One option, from a native list or radios; an option of one's own is typed beside them. */
export const selectControl: FieldControl = {
  groupRole: (property) => (isList(property) ? 'none' : 'radiogroup'),
  render(property, context) {
    const choices = inShuffledOrder(distinct(choicesOf(property, 'select')), property, context.orderSeed);
    const answer = answerText(context.answer);
    const own = choices.some(({ name }) => name === answer) ? '' : answer;
    if (choices.length === 0) return textInput(answer, controlAttributes(property, context));
    const other = isOn(property.allow_creation) ? otherInput(property, context, own) : null;
    if (isList(property)) return html`${dropdown(property, context, choices, answer)}${other}`;
    return html`${boxes(property, context, { type: 'radio', choices, chosen: new Set([answer]) })}${clearRadio(property, context)}${other}`;
  },
};

/** Any number of options, as boxes to tick. */
export const multiSelectControl: FieldControl = {
  groupRole: () => 'group',
  render(property, context) {
    const listed = distinct(choicesOf(property, 'multi_select'));
    const choices = inShuffledOrder(listed, property, context.orderSeed, ({ isExclusive }) => isExclusive);
    const answers = new Set(answerTexts(context.answer));
    const known = new Set(choices.map(({ name }) => name));
    const takesAny = isOn(property.allow_creation) || choices.length === 0;
    const own = takesAny
      ? [...answers]
          .filter((name) => !known.has(name))
          .map((name) => ({ name, label: name, image: null, isExclusive: false }))
      : [];
    const limits = limitsHint(property, context);
    const others = takesAny ? ownPlaces(property, choices.length) : [];
    return html`${limits}${boxes(property, context, { type: 'checkbox', choices: [...choices, ...own], chosen: answers, limits })}${others.map((place) => otherInput(property, context, '', place))}`;
  },
};

function dropdown(
  property: Property,
  context: ControlContext,
  choices: readonly Choice[],
  answer: string,
): Html {
  const { placeholder: _, ...list } = controlAttributes(property, context);
  const options = choices.map(({ name, label }) => {
    const isChosen = name === answer;
    const note = placesNote(property, context, name);
    const text = `${label}${note}`;
    const isFull = !isChosen && hasNoPlaces(context, name);
    // Never left out: a browser that translates the page changes the text.
    return html`<option value="${name}"${attribute('data-label', note !== '' && label)}${attribute('selected', isChosen)}${attribute('disabled', isFull)}>${text}</option>`;
  });
  const first = optionText(property.placeholder) ?? context.texts.choose;
  return html`<select${attributes({ ...list, 'data-search': choices.length > MANY_OPTIONS })}><option value="">${first}</option>${options}</select>`;
}

interface Boxes {
  type: 'radio' | 'checkbox';
  choices: readonly Choice[];
  chosen: ReadonlySet<string>;
  /** The text that says how many to choose. */
  limits?: Html | null;
}

function boxes(
  property: Property,
  context: ControlContext,
  { type, choices, chosen, limits = null }: Boxes,
): Html {
  if (choices.length === 0) return html``;
  const shows = showsImages(property);
  const isMany = choices.length > MANY_OPTIONS;
  const options = choices.map(({ name, label, image, isExclusive }, index) => {
    const url = shows ? safeUrl(image) : null;
    const input = attributes({
      type,
      id: `${context.id}-${index}`,
      name: property.id,
      value: name,
      checked: chosen.has(name),
      disabled: !chosen.has(name) && hasNoPlaces(context, name),
      'data-alone': type === 'checkbox' && isExclusive,
      'aria-invalid': type === 'checkbox' && context.isInvalid && 'true',
      'aria-describedby': index === 0 && limits !== null && limitsId(context.id),
    });
    const note = placesNote(property, context, name);
    const isNameHidden = url !== null && property.option_display_mode === 'image_only' && note === '';
    return html`<label class="option">${url !== null && html`<img src="${url}" alt="" loading="lazy" decoding="async">`}<input${input}><span${attribute('class', isNameHidden && 'sr')}>${label}${note}</span></label>`;
  });
  const size = isOneOf(['sm', 'lg'], property.option_image_size) ? ` ${property.option_image_size}` : '';
  const names = `options${shows ? ` cards${size}` : ''}${isMany ? ' many' : ''}`;
  const rulesOut = type === 'checkbox' && choices.some(({ isExclusive }) => isExclusive);
  const flags = attributes({ 'data-search': isMany, 'data-exclusive': rulesOut });
  return html`<div class="${names}"${flags}>${options}</div>`;
}

function hasNoPlaces({ placesLeft }: ControlContext, name: string): boolean {
  return placesLeft?.get(name) === 0;
}

/** The note after an option with a limit: that it is full, or how many places are left if the page shows that. */
function placesNote(
  { shows_places_left: showsLeft }: Property,
  { placesLeft, texts, language }: ControlContext,
  name: string,
): string {
  const count = placesLeft?.get(name);
  if (count === undefined || (count > 0 && !isOn(showsLeft))) return '';
  return ` (${count === 0 ? texts.noPlaces : fillIn(texts.placesLeft, { count }, language)})`;
}

/** Numbers of the inputs for options of one's own: enough for the required count, and some more if there are no boxes. */
function ownPlaces(property: Property, options: number): number[] {
  const min = numberOption(property, 'min_selection') ?? 0;
  const max = numberOption(property, 'max_selection') ?? USUAL_OWN;
  const count = Math.max(1, min - options, options === 0 ? Math.min(max, USUAL_OWN) : 0);
  return Array.from({ length: Math.min(count, MANY_OPTIONS) }, (_, index) => index + 1);
}

function otherInput(property: Property, context: ControlContext, value: string, place = 1): Html {
  const label = context.texts.ownOption;
  return textInput(value, {
    id: `${context.id}-other${place === 1 ? '' : `-${place}`}`,
    name: property.id,
    class: 'other',
    placeholder: label,
    'aria-label': `${property.name}: ${label}`,
    'data-other': true,
    disabled: context.isDisabled,
  });
}

/** How many options may be chosen, with the numbers for the script. */
function limitsHint(property: Property, { texts, language, id }: ControlContext): Html | null {
  const min = numberOption(property, 'min_selection') ?? 0;
  const max = numberOption(property, 'max_selection');
  let text: string;
  if (max === undefined) {
    if (min < 1) return null;
    text = fillIn(texts.chooseAtLeast, { count: min }, language);
  } else if (min === max) text = fillIn(texts.chooseExactly, { count: max }, language);
  else if (min < 1) text = fillIn(texts.chooseAtMost, { count: max }, language);
  else text = fillIn(texts.chooseBetween, { min, max }, language);
  return hint(limitsId(id), text);
}

function limitsId(id: string): string {
  return `${id}-limits`;
}

function isList(property: Property): boolean {
  if (choicesOf(property, 'select').length === 0) return true;
  return !isOn(property.without_dropdown) && !showsImages(property);
}

function showsImages({ option_display_mode: mode }: Property): boolean {
  return isOneOf(['text_and_image', 'image_only'], mode);
}

/** Two options with the same name would be the same answer. */
function distinct(choices: readonly Choice[]): Choice[] {
  return [...new Map(choices.toReversed().map((choice) => [choice.name, choice])).values()].toReversed();
}
