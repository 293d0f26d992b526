import { find, type Page, say } from './page.ts';

/** Stands for an entry's number in the attributes of its template; see fields/html/controls/repeat.ts. */
const NEW_ENTRY = '№';
const NUMBERED = ['id', 'name', 'for', 'aria-describedby', 'formaction'];

/**
 * Adds an entry of repeated questions at the end.
 * @param number in the names of its inputs; the next free one by default
 */
export function addEntry(entries: HTMLElement, page: Page, number = nextNumber(entries)): HTMLElement {
  const template = entries.nextElementSibling as HTMLTemplateElement;
  const entry = template.content.firstElementChild?.cloneNode(true) as HTMLElement;
  // Only the entry's own values: the value of an option may contain the same sign.
  for (const own of entry.querySelectorAll(':scope>[value]')) own.setAttribute('value', number);
  for (const element of [entry, ...entry.querySelectorAll('*')]) {
    for (const name of NUMBERED) {
      const value = element.getAttribute(name);
      if (value?.includes(NEW_ENTRY)) element.setAttribute(name, value.replaceAll(NEW_ENTRY, number));
    }
  }
  entries.append(entry);
  nameEntries(entries, page);
  // Lets `controls/repeat.ts` make its inputs nicer, once that is loaded.
  entry.dispatchEvent(new Event('added', { bubbles: true }));
  return entry;
}

/** Removes an entry; the last one left is only emptied. */
export function removeEntry(entries: HTMLElement, entry: HTMLElement, page: Page): void {
  entry.remove();
  if (entries.childElementCount === 0) addEntry(entries, page);
  nameEntries(entries, page);
}

/**
 * Makes as many entries as the kept values have, with their numbers; existing ones with such a number stay.
 * @param values of inputs, by their names
 */
export function bringEntries(
  page: Page,
  values: ReadonlyMap<string, readonly string[]>,
  spared: ReadonlySet<string>,
): void {
  for (const [id, block] of page.blocks) {
    const entries = find('[data-repeat]', block);
    const numbers = values.get(`${id}[]`);
    if (!entries || !numbers || spared.has(id)) continue;
    const present = numbersIn(entries);
    for (const number of numbers) if (!present.includes(number)) addEntry(entries, page, number);
    for (const entry of [...entries.children])
      if (!numbers.includes(numberOf(entry))) removeEntry(entries, entry as HTMLElement, page);
  }
}

/** Names the entries by their place, which changes, and hides the buttons that the limits forbid. */
function nameEntries(entries: HTMLElement, page: Page): void {
  const { name = '', min, max } = entries.dataset;
  const count = entries.childElementCount;
  [...entries.children].forEach((entry, index) => {
    const title = `${name} ${index + 1}`;
    const legend = find('legend', entry as HTMLElement);
    if (legend) legend.textContent = title;
    const remove = find(':scope>button', entry as HTMLElement);
    if (!remove) return;
    remove.textContent = say(page, 'remove', { name: title });
    remove.hidden = count <= Number(min);
  });
  const add = entries.parentElement && find('.add', entries.parentElement);
  if (add) add.hidden = count >= Number(max);
}

/** The input that a problem is about: the message begins with the name of the entry and mentions the question. */
export function inputOf(entries: HTMLElement, problem: string): HTMLElement | null {
  const entry = [...entries.children].find((entry) =>
    problem.startsWith(`${entry.querySelector('legend')?.textContent} – `),
  );
  const named = [...(entry?.querySelectorAll('.label') ?? [])].filter((label) =>
    problem.includes(label.firstChild?.textContent ?? ''),
  );
  const [label] = named.toSorted((one, other) => lengthOf(other) - lengthOf(one));
  const within = label?.closest<HTMLElement>('.block');
  return within ? find('input,select,textarea', within) : null;
}

function lengthOf(label: Element): number {
  return label.firstChild?.textContent?.length ?? 0;
}

function nextNumber(entries: HTMLElement): string {
  return `${Math.max(-1, ...numbersIn(entries).map(Number)) + 1}`;
}

function numbersIn(entries: HTMLElement): string[] {
  return [...entries.children].map(numberOf);
}

function numberOf(entry: Element): string {
  return entry.querySelector<HTMLInputElement>('input[type=hidden]')?.value ?? '';
}
