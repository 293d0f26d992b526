import type { Answers } from '../../../fields/property.ts';
import { bringEntries } from './entries.ts';
import type { Page } from './page.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Says which entry of repeated questions it is in. */
const NUMBER = '.entry>[type=hidden]';

/** Inputs that are kept: none that holds a secret, a file, a drawing, or what the address of the page gave. */
function keptControls({ form }: Page): Control[] {
  const all = form.querySelectorAll<Control>('[data-block] :is(input,select,textarea)[name]');
  return [...all].filter(
    (control) =>
      !control.matches('[type=file],[data-secret],[data-drawing],[data-kept] *,.uploaded *') &&
      blockOf(control)?.dataset.type !== 'files',
  );
}

export function readValues(page: Page): [string, string][] {
  return keptControls(page).flatMap((control): [string, string][] => {
    if (isBox(control) ? !control.checked : control.value === '') return [];
    return [[control.name, control.value]];
  });
}

/**
 * Ids of the fields that somebody changed, or that hold an answer.
 * @param before what inputs held earlier: an answer that is still the same does not count
 */
export function answeredFields(page: Page, before: readonly [string, string][] = []): Set<string> {
  const fieldOf = new Map(
    keptControls(page)
      // The numbers of entries are no answers.
      .filter((control) => !control.matches(NUMBER))
      .map((control) => [control.name, blockOf(control)?.dataset.block ?? '']),
  );
  /** What each field holds. */
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

/** Of these answers those that may be kept, or null where there are none. */
export function keptAnswers({ blocks }: Page, answers: Answers): Answers | null {
  const unkept = '[type=file],[data-secret]';
  const all = Object.entries(answers).filter(([id]) => !blocks.get(id)?.querySelector(unkept));
  return all.length > 0 ? Object.fromEntries(all) : null;
}

/** Ids of the fields for which files are uploaded, or signatures drawn, which have to be chosen or drawn again. */
export function fieldsWithFiles({ blocks }: Page): string[] {
  const held = '.uploaded [name],[data-drawing][value^=data]';
  return [...blocks].flatMap(([id, block]) => (block.querySelector(held) ? [id] : []));
}

/** What the address of the page fills in, by names of parameters. */
export function valuesGiven({ blocks }: Page): [string, string][] {
  return [...new URLSearchParams(location.search)].filter(([name]) => blocks.has(name.replace(/\[.*/, '')));
}

/** The address, without what it had filled in before already: that may have been changed since. */
export function newlyGiven(before: [string, string][]): URLSearchParams {
  const [given, earlier] = [new URLSearchParams(location.search), new URLSearchParams(before)];
  for (const name of earlier.keys())
    if (`${given.getAll(name)}` === `${earlier.getAll(name)}`) given.delete(name);
  return given;
}

/**
 * Puts values back.
 * @param spared fields that stay as they are
 * @param given the address, where what it fills in stays too
 * @returns whether anything has changed
 */
export function writeValues(
  page: Page,
  values: readonly [string, string][],
  spared: ReadonlySet<string> = new Set(),
  given = new URLSearchParams(),
): boolean {
  const byName = new Map<string, string[]>();
  for (const [name, value] of values) byName.set(name, [...(byName.get(name) ?? []), value]);
  const unchanged = new Set([...spared, ...fieldsGiven(page, given)]);
  bringEntries(page, byName, unchanged);
  let hasChanged = false;
  for (const control of keptControls(page)) {
    const { name } = control;
    const id = blockOf(control)?.dataset.block ?? '';
    // Orders and lists are given under the id of their field.
    const isGiven = [name, id, `${id}[]`].some((key) => given.has(key));
    if (isGiven || unchanged.has(id) || control.matches(NUMBER)) continue;
    const wanted = byName.get(name) ?? [];
    const before = isBox(control) ? control.checked : control.value;
    // An option without a place by now, which would not be sent, is not chosen again, nor typed beside the others.
    if (isBox(control))
      control.checked = take(wanted, control.value) && !control.matches('.option>[disabled]');
    else if (control instanceof HTMLSelectElement) {
      const option = [...control.options].find(({ value }) => value !== '' && take(wanted, value));
      control.value = option?.disabled ? '' : (option?.value ?? '');
    } else control.value = wanted.shift() ?? '';
    if (before === (isBox(control) ? control.checked : control.value)) continue;
    hasChanged = true;
    // For what stands over the input and shows its value.
    control.dispatchEvent(new Event('restore'));
  }
  return hasChanged;
}

/** Repeated questions of which the address fills in anything: what was kept of other entries would be mixed with it. */
function fieldsGiven({ blocks }: Page, given: URLSearchParams): string[] {
  const names = [...given.keys()];
  const repeated = [...blocks].filter(([, block]) => block.querySelector('[data-repeat]'));
  return repeated.flatMap(([id]) => (names.some((name) => name.startsWith(`${id}[`)) ? [id] : []));
}

function blockOf(control: Control): HTMLElement | null {
  return control.closest('[data-block]');
}

function take(values: string[], value: string): boolean {
  const index = values.indexOf(value);
  if (index >= 0) values.splice(index, 1);
  return index >= 0;
}

function isBox(control: Control): control is HTMLInputElement {
  return control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type);
}
