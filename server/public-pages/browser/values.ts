import { isOn } from '../../../fields/block-options/options.ts';
import { TICKED } from '../../../fields/html/read-post.ts';
import type { Answers, Property } from '../../../fields/property.ts';
import { bringEntries } from './entries.ts';
import { disable } from './live.ts';
import type { Page } from './page.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The hidden number of an entry of repeated questions. */
const NUMBER = '.entry>[type=hidden]';

/** Inputs whose values are kept: not those of secrets, files and drawings, nor the values of disabled fields. */
function keptControls({ form }: Page): Control[] {
  const all = form.querySelectorAll<Control>('[data-block] :is(input,select,textarea)[name]');
  return [...all].filter(
    (control) =>
      !control.matches('[type=file],[data-secret],[data-drawing],[data-kept] *,.uploaded *') &&
      blockOf(control)?.dataset.type !== 'files',
  );
}

export function readValues(page: Page): [string, string][] {
  return valuesOf(page, () => false);
}

/** The values that the page came with, even of fields that were changed before this part of the script was there. */
export function loadedValues(page: Page): [string, string][] {
  return valuesOf(page, (control) => page.touched.has(blockOf(control)?.dataset.block ?? ''));
}

function valuesOf(page: Page, isAsLoaded: (control: Control) => boolean): [string, string][] {
  return keptControls(page).flatMap((control): [string, string][] => {
    const value = (isAsLoaded(control) ? loadedValue : presentValue)(control);
    return value === '' ? [] : [[control.name, value]];
  });
}

function presentValue(control: Control): string {
  return stateOf(control) === false ? '' : control.value;
}

function stateOf(control: Control): string | boolean {
  return isBox(control) ? control.checked : control.value;
}

function loadedValue(control: Control): string {
  if (control instanceof HTMLSelectElement)
    return [...control.options].find((option) => option.defaultSelected)?.value ?? '';
  if (!isBox(control)) return control.defaultValue;
  return control.defaultChecked ? control.value : '';
}

/**
 * Ids of fields that the visitor changed, or that hold an answer.
 * @param before earlier values of inputs: an answer still equal to them does not count
 */
export function answeredFields(page: Page, before: readonly [string, string][]): Set<string> {
  const fieldOf = new Map(
    keptControls(page)
      // The numbers of entries are no answers.
      .filter((control) => !control.matches(NUMBER))
      .map((control) => [control.name, blockOf(control)?.dataset.block ?? '']),
  );
  /** The values of each field, joined. */
  const byField = (values: readonly [string, string][]) => {
    const all = new Map<string, string>();
    for (const [name, value] of values) {
      const id = fieldOf.get(name);
      if (id) all.set(id, `${all.get(id)} ${name} ${value}`);
    }
    return all;
  };
  const [now, earlier] = [byField(readValues(page)), byField(before)];
  return new Set([...page.touched, ...[...now.keys()].filter((id) => now.get(id) !== earlier.get(id))]);
}

/** The answers that may be kept on the device, or null if there are none. */
export function keptAnswers({ blocks }: Page, answers: Answers): Answers | null {
  const unkept = '[type=file],[data-secret]';
  const all = Object.entries(answers).filter(([id]) => !blocks.get(id)?.querySelector(unkept));
  return all.length > 0 ? Object.fromEntries(all) : null;
}

/** Ids of fields with uploaded files or drawn signatures, which visitors have to choose or draw again. */
export function fieldsWithFiles({ blocks }: Page): string[] {
  const held = '.uploaded [name],[data-drawing][value^=data]';
  return [...blocks].flatMap(([id, block]) => (block.querySelector(held) ? [id] : []));
}

/** Values that the address of the page fills in, by parameter. */
export function valuesGiven({ blocks }: Page): [string, string][] {
  return [...new URLSearchParams(location.search)].filter(([name]) => blocks.has(name.replace(/\[.*/, '')));
}

/** The query of the address without values it had before: those may have been changed since. */
export function newlyGiven(before: [string, string][]): URLSearchParams {
  const [given, earlier] = [new URLSearchParams(location.search), new URLSearchParams(before)];
  for (const name of earlier.keys())
    if (`${given.getAll(name)}` === `${earlier.getAll(name)}`) given.delete(name);
  return given;
}

/** These values, but today's date where one was left as it was filled in on another day. */
export function withToday(
  { form }: Page,
  values: readonly [string, string][],
  loaded: readonly [string, string][],
): [string, string][] {
  const left = new Map(loaded);
  const present = [...form.querySelectorAll<HTMLInputElement>('[data-today]')];
  return values.map(([name, value]) => {
    const today = left.get(name) === value && present.find((input) => input.name === name);
    return [name, today ? today.value : value];
  });
}

/**
 * Puts values back. Fields that logic may enable are left enabled: `refresh` disables them again, with the values to send.
 * @param spared ids of fields that stay as they are
 * @param given query of the address; fields it fills in stay too
 * @returns whether anything has changed, and ids of fields that no longer offer what was chosen
 */
export function writeValues(
  page: Page,
  values: readonly [string, string][],
  spared: ReadonlySet<string> = new Set(),
  given = new URLSearchParams(),
): { hasChanged: boolean; lost: string[] } {
  const byName = new Map<string, string[]>();
  for (const [name, value] of values) byName.set(name, [...(byName.get(name) ?? []), value]);
  const unchanged = new Set([...spared, ...fieldsGiven(page, given), ...neverEnabled(page)]);
  for (const [id, block] of page.blocks) if (!unchanged.has(id)) disable(page.form, block, false);
  bringEntries(page, byName, unchanged);
  let hasChanged = false;
  /** Ids of choices, by the names of their inputs. */
  const choices = new Map<string, string>();
  for (const control of keptControls(page)) {
    const { name } = control;
    const id = blockOf(control)?.dataset.block ?? '';
    // The address fills orders and lists under the id of their field.
    const isGiven = [name, id, `${id}[]`].some((key) => given.has(key));
    if (isGiven || unchanged.has(id) || control.matches(NUMBER)) continue;
    if (/select$/.test(blockOf(control)?.dataset.type ?? '')) choices.set(name, id);
    const before = stateOf(control);
    putInto(control, byName.get(name) ?? []);
    if (before === stateOf(control)) continue;
    hasChanged = true;
    // For controls that cover the input and show its value.
    control.dispatchEvent(new Event('restore'));
  }
  const lost = [...choices].flatMap(([name, id]) => (byName.get(name)?.length ? [id] : []));
  return { hasChanged, lost };
}

/** Takes out of the values what the control can hold. */
function putInto(control: Control, values: string[]): void {
  // An option without places left could not be sent: it is neither chosen again nor written as a text of one's own.
  if (isBox(control)) control.checked = takeBox(values, control) && !control.matches('.option>[disabled]');
  else if (control instanceof HTMLSelectElement) {
    const option = [...control.options].find(({ value }) => value !== '' && take(values, value));
    control.value = option?.disabled ? '' : (option?.value ?? '');
  } else {
    // It was a box when this was kept.
    take(values, TICKED);
    control.value = values.shift() ?? '';
  }
}

/** Ids of fields that no visitor can answer: their values are the form's own. */
function neverEnabled({ data }: Page): string[] {
  const isNever = ({ disabled, logic }: Property) =>
    isOn(disabled) && !(logic?.actions ?? []).includes('enable-block');
  return data.properties.filter(isNever).map(({ id }) => id);
}

/** Ids of repeated questions that the address fills in, even in part: other kept entries would be mixed with them. */
function fieldsGiven({ blocks }: Page, given: URLSearchParams): string[] {
  const names = [...given.keys()];
  return [...blocks].flatMap(([id, block]) =>
    block.querySelector('[data-repeat]') && names.some((name) => name.startsWith(`${id}[`)) ? [id] : [],
  );
}

function blockOf(control: Control): HTMLElement | null {
  return control.closest('[data-block]');
}

function take(values: string[], value: string): boolean {
  const index = values.indexOf(value);
  if (index >= 0) values.splice(index, 1);
  return index >= 0;
}

function takeBox(values: string[], { value }: HTMLInputElement): boolean {
  // Earlier versions kept `on`.
  return take(values, value) || (value === TICKED && take(values, 'on'));
}

function isBox(control: Control): control is HTMLInputElement {
  return control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type);
}
