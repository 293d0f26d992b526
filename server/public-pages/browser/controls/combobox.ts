import { find, make, messagesOf, type Page, say } from '../page.ts';
import { addStyle, announceChange, followDisabled, isComposing, labelOf, plain } from './style.ts';

const STYLE = `.combo{position:relative}.combo::after{content:'';position:absolute;inset-inline-end:1em;inset-block-start:1.1em;
border:.35em solid transparent;border-block-start-color:currentcolor;pointer-events:none}.combo input{padding-inline-end:2.5em}.combo ul{position:absolute;z-index:9;inset-inline:0;margin:.25em 0 0;padding:.25em;
max-block-size:18em;overflow:auto;list-style:none;background:var(--bg);border:1px solid var(--border);
border-radius:var(--radius);box-shadow:0 .5em 1.5em #0003}.combo li{padding:.5em .75em;border-radius:var(--radius);cursor:pointer;
overflow-wrap:anywhere}.combo [data-at],.combo li:hover{background:var(--soft)}.combo [aria-selected=true]{font-weight:600}
.combo [aria-disabled]{color:var(--muted);cursor:default}
@media(forced-colors:active){.combo [data-at]{outline:2px solid}}`;

interface Item {
  value: string;
  text: string;
  /** Choosing it makes a new option of the typed text. */
  isNew?: boolean;
  /** All its places are taken. */
  disabled?: boolean;
}

/** Whether this is the option's name, with or without the note about its places. */
function isNamed({ text, dataset }: HTMLOptionElement, name: string): boolean {
  return plain(text) === name || plain(dataset.label ?? '') === name;
}

/** Puts a searchable list over a native select, which keeps the answer (ARIA APG, editable combobox with list autocomplete). */
export function enhanceSelect(element: HTMLElement, page: Page): void {
  const select = element as HTMLSelectElement;
  const other = find<HTMLInputElement>('[data-other]', select.closest('[data-block]') ?? document);
  const parts = makeParts(select, page);
  const { input, list } = parts;
  const options = [...select.options].filter(({ value }) => value !== '');
  const invalid = messagesOf(page.data).selectedInvalid(labelOf(select));
  /** The choice as the input shows it: the option itself may have been translated since. */
  let shown = '';

  const chosen = () => other?.value || (select.value === '' ? '' : (select.selectedOptions[0]?.text ?? ''));
  const show = () => {
    shown = chosen();
    input.value = shown;
    input.setCustomValidity('');
  };
  const suggestions = makeSuggestions(parts, page, {
    itemsFor: (query) => itemsFor(options, query, other && say(page, 'addOption', { text: query.trim() })),
    isChosen: ({ value }) => value === (other?.value || select.value),
    // Before anything is typed or chosen, Enter must not take an option.
    isFirst: ({ value }) => value === select.value,
  });
  const take = (item: Item | undefined) => {
    if (item?.disabled) return;
    select.value = item && !item.isNew ? item.value : '';
    if (other) other.value = item?.isNew ? item.value : '';
    if (item) show();
    suggestions.close();
    announceChange(select);
  };
  /** Text that was typed but not chosen counts if it is an option or may become one; any other text stays visible. */
  const settle = () => {
    const text = input.value.trim();
    if (text === shown && input.validity.valid) return suggestions.close();
    const same = options.find((option) => !option.disabled && isNamed(option, plain(text)));
    const isInvalid = text !== '' && !same && !other;
    input.setCustomValidity(isInvalid ? invalid : '');
    if (isInvalid || text === '') take(undefined);
    else take({ value: same?.value ?? text, text, isNew: !same });
  };
  /** @returns false for keys that mean nothing here */
  const act = (key: string): boolean => {
    const isOpen = !list.hidden;
    const active = suggestions.active();
    if (key === 'ArrowDown' || key === 'ArrowUp') suggestions.step(key === 'ArrowDown' ? 1 : -1);
    else if (key === 'Enter' && isOpen && active) take(active);
    else if (key === 'Escape' && (isOpen || input.value !== chosen())) {
      show();
      suggestions.close();
      announceChange(select);
    } else {
      // Without an active option Enter sends the form.
      if (key === 'Enter') settle();
      return false;
    }
    return true;
  };

  input.addEventListener('click', () => list.hidden && suggestions.open(''));
  input.addEventListener('input', (event) => {
    event.stopPropagation();
    suggestions.open(input.value);
  });
  input.addEventListener('change', (event) => event.stopPropagation());
  input.addEventListener('blur', settle);
  input.addEventListener('keydown', (event) => {
    if (!isComposing(event) && act(event.key)) event.preventDefault();
  });
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', ({ target }) => {
    // A browser that translates the page puts elements around the names of options.
    const item = (target as Element).closest('li');
    if (item) take(suggestions.at([...list.children].indexOf(item)));
  });
  select.addEventListener('restore', show);
  other?.addEventListener('restore', show);
  followDisabled(select, input);

  addStyle(STYLE);
  select.id = `${select.id}-native`;
  select.hidden = true;
  if (other) other.hidden = true;
  select.before(make('div', { class: 'combo' }, input, list, parts.status, parts.hint));
  show();
}

interface Parts {
  input: HTMLInputElement;
  list: HTMLUListElement;
  status: HTMLElement;
  hint: HTMLElement;
}

/** The elements of a combobox, with what the select says to assistive technology. */
function makeParts(select: HTMLSelectElement, page: Page): Parts {
  const id = `${select.id}-list`;
  const list = make('ul', { role: 'listbox', id, 'aria-label': say(page, 'search') });
  const status = make('span', { class: 'sr', role: 'status' });
  const hint = make('span', { class: 'sr', id: `${select.id}-keys` }, say(page, 'listHint'));
  const input = make('input', {
    type: 'text',
    role: 'combobox',
    autocomplete: 'off',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': id,
    placeholder: select.options[0]?.text ?? say(page, 'choose'),
  });
  for (const name of ['id', 'aria-required', 'aria-invalid', 'aria-describedby']) {
    const value = select.getAttribute(name);
    if (value !== null) input.setAttribute(name, value);
  }
  input.setAttribute('aria-describedby', `${input.getAttribute('aria-describedby') ?? ''} ${hint.id}`.trim());
  list.hidden = true;
  return { input, list, status, hint };
}

/** @param addition words for making an option of the query; null where none can be made */
function itemsFor(options: HTMLOptionElement[], query: string, addition: string | null): Item[] {
  const wanted = plain(query);
  const items: Item[] = options
    .filter(({ text }) => plain(text).includes(wanted))
    .map(({ value, text, disabled }) => ({ value, text, disabled }));
  const own = query.trim();
  if (addition !== null && own !== '' && !items.some(({ text, value }) => text === own || value === own))
    items.push({ value: own, text: addition, isNew: true });
  return items;
}

interface Source {
  itemsFor(query: string): Item[];
  isChosen(item: Item): boolean;
  /** Whether it is the active one while nothing was typed. */
  isFirst(item: Item): boolean;
}

/** The list below the input: what it offers, and which item is active. */
function makeSuggestions({ input, list, status }: Parts, page: Page, source: Source) {
  let items: Item[] = [];
  let at = -1;
  const move = (to: number) => {
    at = items.length === 0 ? -1 : (to + items.length) % items.length;
    [...list.children].forEach((item, index) => {
      item.toggleAttribute('data-at', index === at);
    });
    const current = list.children[at];
    if (!current) return;
    input.setAttribute('aria-activedescendant', current.id);
    current.scrollIntoView({ block: 'nearest' });
  };
  const elementOf = (item: Item, index: number) => {
    const id = `${list.id}-${index}`;
    const element = make(
      'li',
      { role: 'option', id, 'aria-selected': `${source.isChosen(item)}` },
      item.text,
    );
    if (item.disabled) element.setAttribute('aria-disabled', 'true');
    return element;
  };
  const open = (query: string) => {
    items = source.itemsFor(query);
    list.replaceChildren(...items.map(elementOf));
    list.hidden = items.length === 0;
    input.setAttribute('aria-expanded', `${items.length > 0}`);
    status.textContent =
      items.length === 0 ? say(page, 'noMatch') : say(page, 'results', { count: items.length });
    at = query === '' ? items.findIndex(source.isFirst) : 0;
    if (at >= 0) move(at);
    else input.removeAttribute('aria-activedescendant');
  };
  return {
    open,
    at: (index: number) => items[index],
    active: () => items[at],
    /** Opens the list, or goes to the next item or the one before. */
    step(by: 1 | -1) {
      if (list.hidden) open('');
      else move(by > 0 ? at + 1 : Math.max(at, 0) - 1);
    },
    close() {
      list.hidden = true;
      at = -1;
      input.setAttribute('aria-expanded', 'false');
      input.removeAttribute('aria-activedescendant');
    },
  };
}
