import { textOf } from '../../as-text/text-of.ts';
import { autofillName } from '../../block-options/autofill.ts';
import { isOn } from '../../block-options/options.ts';
import type { JsonValue, Property } from '../../property.ts';
import type { ControlContext } from '../field-control.ts';
import { attribute, type Html, html } from '../html.ts';

/** Attributes by name; blank ones are left out, `true` is written without a value. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

const LINE_BREAK = /[\r\n]/;
/** Characters that an input of a narrow column shows at once. */
const SEEN_AT_ONCE = 20;
/** Inputs whose text everybody may read. */
const READABLE: readonly unknown[] = [undefined, 'email', 'url', 'tel'];

export function attributes(list: Attributes): Html {
  return html`${Object.entries(list).map(([name, value]) => attribute(name, value))}`;
}

/** Attributes for a control's name, purpose, state and descriptions; `hintId` is read after help and error. */
export function controlAttributes(property: Property, context: ControlContext, hintId?: string): Attributes {
  const autocomplete = autofillName(property);
  return {
    id: context.id,
    name: property.id,
    placeholder: optionText(property.placeholder),
    ...(autocomplete !== null && { autocomplete }),
    'aria-describedby': joinIds(context.describedBy, hintId),
    'aria-required': context.isRequired && 'true',
    'aria-invalid': context.isInvalid && 'true',
    disabled: context.isDisabled,
  };
}

/** A one-line input. A text with line breaks, which such an input would drop, gets a textarea. */
export function textInput(value: string, list: Attributes): Html {
  if (LINE_BREAK.test(value)) return textArea(value, { ...list, type: null, rows: 2 });
  return html`<input${attributes({ type: 'text', ...list, value: value === '' ? null : value })}>${onPaper(value, list)}`;
}

/** A long text once more, for paper, which does not scroll. Without a script it is printed as long as nobody changes the text. */
function onPaper(value: string, { type, dir }: Attributes): Html | null {
  if (value.length <= SEEN_AT_ONCE || !READABLE.includes(type)) return null;
  return html`<p class="typed" dir="${typeof dir === 'string' ? dir : 'auto'}">${value}</p>`;
}

/** HTML drops the line break after the tag, so one is added. */
export function textArea(value: string, list: Attributes): Html {
  return html`<textarea${attributes(list)}>\n${value}</textarea>`;
}

export function hint(id: string, text: Html | string): Html {
  return html`<p class="hint" id="${id}">${text}</p>`;
}

/**
 * A radio that clears the choice where an answer is optional, because radios cannot be unticked. Styles show it when something is
 * chosen. None if an answer is required in any case.
 */
export function clearRadio(property: Property, context: ControlContext, more: Attributes = {}): Html {
  if (!isClearable(property, context)) return html``;
  const input = attributes({ type: 'radio', name: property.id, value: '', ...more, 'data-clear': true });
  return html`<label class="clear"${attribute('hidden', context.isRequired)}><input${input}><span>${context.texts.clear}</span></label>`;
}

/** The answer as text to show, whatever its shape. */
export function answerText(answer: JsonValue | undefined): string {
  return answer === undefined ? '' : textOf(answer);
}

/** The answer as a list of texts to show, whatever its shape. */
export function answerTexts(answer: JsonValue | undefined): string[] {
  return (Array.isArray(answer) ? answer : [answer]).map(answerText).filter((text) => text !== '');
}

/** A text an author wrote, or null. */
export function optionText(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

export function joinIds(...ids: (string | null | undefined)[]): string | null {
  return ids.filter(Boolean).join(' ') || null;
}

/** Whether an answer may be left out, at least for some other answers. */
export function isClearable(property: Property, { isRequired }: ControlContext): boolean {
  return !isRequired || mayBecomeOptional(property);
}

function mayBecomeOptional(property: Property): boolean {
  return isOn(property.required) && (property.logic?.actions ?? []).includes('make-it-optional');
}
