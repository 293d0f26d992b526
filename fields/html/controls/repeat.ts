import { isOn } from '../../block-options/options.ts';
import { type JsonValue, ownMember, type Property } from '../../property.ts';
import {
  type Entry,
  entriesOf,
  entryLimits,
  entryName,
  MAX_ENTRIES,
  questionsOf,
} from '../../repeated-questions.ts';
import { fillIn } from '../../texts/template.ts';
import { canonicalTypeName } from '../../type-names.ts';
import type { ControlContext, FieldControl } from '../field-control.ts';
import { type Html, html, trusted } from '../html.ts';
import { checkboxControl } from './checkbox.ts';
import { multiSelectControl, selectControl } from './choices.ts';
import { dateControl } from './date.ts';
import { attributes, joinIds, optionText } from './parts.ts';
import { emailControl, numberControl, phoneControl, textControl, urlControl } from './text-inputs.ts';

/** Stands for the number of an entry that the script adds; it never occurs in ids, which are ASCII. */
const NEW_ENTRY = '№';

const CONTROLS: ReadonlyMap<string, FieldControl> = new Map([
  ['text', textControl],
  ['number', numberControl],
  ['select', selectControl],
  ['multi_select', multiSelectControl],
  ['checkbox', checkboxControl],
  ['date', dateControl],
  ['email', emailControl],
  ['phone_number', phoneControl],
  ['url', urlControl],
]);

/** The questions for every entry; buttons add and remove entries, without a script by showing the form again. */
export const repeatControl: FieldControl = {
  groupRole: () => 'group',
  render(property, context) {
    const { min, max } = entryLimits(property);
    const entries = entriesToShow(context.answer, Math.max(min, 1));
    const isNeeded = entries.length <= min;
    const drawn = entries.map((answers, index) =>
      renderEntry(property, context, { answers, number: `${index}`, place: index + 1, isNeeded }),
    );
    const blank = renderEntry(property, context, {
      answers: {},
      number: NEW_ENTRY,
      place: 0,
      isNeeded: false,
    });
    const add = attributes({
      type: 'submit',
      class: 'quiet add',
      name: `${property.id}[add]`,
      value: 1,
      ...showingAgain(context, entries.length),
      hidden: entries.length >= max,
    });
    const name = html`<span class="sr"> (${property.name})</span>`;
    return html`<div class="entries" data-repeat data-min="${min}" data-max="${max}" data-name="${entryName(property)}">${drawn}</div><template>${blank}</template><button${add}>${context.texts.addEntry}${name}</button>`;
  },
};

/** The answered entries, and blank ones up to the minimum. */
function entriesToShow(answer: JsonValue | undefined, min: number): Entry[] {
  const answered = entriesOf(answer)?.slice(0, MAX_ENTRIES) ?? [];
  const blank = Array.from({ length: Math.max(0, min - answered.length) }, () => ({}));
  return [...answered, ...blank];
}

interface ShownEntry {
  answers: Entry;
  /** In the names of its inputs. */
  number: string;
  /** In its title, counted from 1. */
  place: number;
  /** It cannot be removed. */
  isNeeded: boolean;
}

function renderEntry(property: Property, context: ControlContext, entry: ShownEntry): Html {
  const { number, place, isNeeded } = entry;
  const questions = questionsOf(property).map((question, index) => {
    const id = `${entryId(context, number)}-${index}`;
    const asked = { ...question, id: `${property.id}[${number}][${question.id}]` };
    return renderQuestion(asked, { ...context, id, answer: ownMember(entry.answers, question.id) });
  });
  const title = `${entryName(property)} ${place}`;
  const remove = attributes({
    type: 'submit',
    class: 'quiet',
    name: `${property.id}[remove]`,
    value: number,
    ...showingAgain(context, 0),
    hidden: isNeeded,
  });
  const label = fillIn(context.texts.remove, { name: title }, context.language);
  return html`<fieldset class="entry" id="${entryId(context, number)}"><legend>${title}</legend><input type="hidden" name="${property.id}[]" value="${number}"><div class="blocks">${questions}</div><button${remove}>${label}</button></fieldset>`;
}

/** @param context with the id and the answer of the question */
function renderQuestion(question: Property, context: ControlContext): Html {
  const { id } = context;
  const control = CONTROLS.get(canonicalTypeName(question.type)) ?? textControl;
  // Long lists of choices would make entries long, so they are dropdowns.
  const asked = { ...question, without_dropdown: false };
  const help = optionText(question.help);
  const helpId = help === null ? null : `${id}-help`;
  const role = control.groupRole(asked);
  const isRequired = isOn(question.required);
  const drawn = control.render(asked, {
    ...context,
    describedBy: joinIds(helpId),
    isRequired,
    isInvalid: false,
    // The fieldset around all of them is disabled instead.
    isDisabled: false,
    placesLeft: undefined,
  });
  const mark = isRequired
    ? html`<span class="mark" aria-hidden="true">\u00a0*</span>${role !== 'none' && html`<span class="sr"> (${context.texts.required})</span>`}`
    : null;
  const words = html`${question.name}${mark}`;
  const hint = help === null ? null : html`<p class="help" id="${helpId}">${help}</p>`;
  const label =
    role === 'none'
      ? html`<label class="label" for="${id}">${words}</label>`
      : html`<legend class="label">${words}</legend>`;
  const parts = control.labelFollows
    ? html`<div class="row">${drawn}${label}</div>${hint}`
    : html`${label}${drawn}${hint}`;
  const whole =
    role === 'none'
      ? parts
      : html`<fieldset${attributes({ 'aria-describedby': helpId })}>${parts}</fieldset>`;
  return html`<div class="block${trusted(isHalf(question) ? ' w-1-2' : '')}">${whole}</div>`;
}

/** The button sends the form to be shown again unchanged, scrolled to the next entry. */
function showingAgain({ againUrl, language, id }: ControlContext, next: number) {
  // With `lang` the page's script leaves the button to the browser.
  return { formaction: againUrl === null ? null : `${againUrl}#${id}-e${next}`, lang: language };
}

function entryId({ id }: ControlContext, number: string): string {
  return `${id}-e${number}`;
}

function isHalf({ width }: Property): boolean {
  return width === '1/2';
}
