import { find, make, type Page, say } from '../page.ts';
import { announceChange } from './style.ts';

/** So near to an edge of the window, in pixels, a drag scrolls the page, and so far at a time. */
const EDGE = 48;
const SCROLL = 10;

/** One option: its row, the list that holds its place, and what moves it. */
interface Row {
  row: HTMLElement;
  select: HTMLSelectElement;
  place: HTMLElement;
  up: HTMLButtonElement;
  down: HTMLButtonElement;
  name: string;
}

/**
 * A list to put in order: by dragging, by buttons, by arrow keys. Nobody has answered before something is moved, or the
 * order is said to be right. The native lists keep the answer. What moves is never taken out of the page, as it would lose
 * the focus: the others make room.
 */
export function enhanceRanking(list: HTMLElement, page: Page): void {
  const status = make('span', { class: 'sr', role: 'status' });
  const isRight = make('input', { type: 'checkbox' });
  const rows = [...list.children].map((row) => enhanceRow(row as HTMLElement, page));
  const byElement = new Map<Element, Row>(rows.map((item) => [item.row, item]));
  const inOrder = () => [...list.children].map((row) => byElement.get(row) as Row);

  /** Writes the order as it stands into the native lists, or nothing. */
  const write = (isAnswer: boolean) => {
    isRight.checked = isAnswer;
    list.classList.toggle('settled', isAnswer);
    inOrder().forEach(({ select, place, up, down }, index) => {
      select.value = isAnswer ? `${index + 1}` : '';
      place.textContent = `${index + 1}`;
      up.ariaDisabled = index === 0 ? 'true' : null;
      down.ariaDisabled = index === rows.length - 1 ? 'true' : null;
    });
  };
  const answer = (isAnswer: boolean) => {
    write(isAnswer);
    announceChange(list);
  };
  const tellPlace = ({ row, name }: Row) => {
    const place = [...list.children].indexOf(row) + 1;
    status.textContent = say(page, 'movedTo', { name, place, total: rows.length });
  };
  const moveTo = (item: Row, index: number) => {
    if (index < 0 || index >= rows.length) return tellPlace(item);
    place(list, item.row, index);
    answer(true);
    tellPlace(item);
    item.row.scrollIntoView({ block: 'nearest' });
  };
  /** What the native lists hold: an order, or nothing that counts, which they forget. */
  const read = () => {
    const placeOf = ({ select }: Row) => Number(select.value) || rows.length + 1;
    const sorted = rows.toSorted((one, other) => placeOf(one) - placeOf(other));
    for (const { row } of sorted) if (row !== list.lastElementChild) list.append(row);
    write(sorted.every((item, index) => placeOf(item) === index + 1));
  };

  for (const item of rows) {
    const { row, select, up, down } = item;
    const at = () => [...list.children].indexOf(row);
    up.addEventListener('click', () => moveTo(item, at() - 1));
    down.addEventListener('click', () => moveTo(item, at() + 1));
    row.addEventListener('keydown', (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const keys = { ArrowUp: at() - 1, ArrowDown: at() + 1, Home: 0, End: rows.length - 1 };
      const to = keys[event.key as keyof typeof keys];
      if (to === undefined) return;
      event.preventDefault();
      moveTo(item, to);
    });
    row.addEventListener('pointerdown', (event) => {
      if (!startsDrag(event) || up.matches(':disabled')) return;
      const before = [...list.children];
      drag(list, row, event, (isDropped) => {
        const isMoved = before[at()] !== row;
        if (!isDropped) list.append(...before);
        if (!isDropped || !isMoved) return;
        answer(true);
        tellPlace(item);
      });
    });
    // Several change at once: read when all have.
    select.addEventListener('restore', () => queueMicrotask(read));
  }
  isRight.addEventListener('input', () => write(isRight.checked));

  find('.hint', list.parentElement ?? document)?.append(
    make('span', { class: 'sr' }, ` ${say(page, 'rankingKeys')}`),
  );
  list.classList.add('movable');
  list.after(make('label', {}, isRight, say(page, 'orderIsRight')), status);
  read();
}

function enhanceRow(row: HTMLElement, page: Page): Row {
  const label = find('label', row);
  const name = label?.textContent ?? '';
  const button = (text: string, sign: string) =>
    make('button', { type: 'button', class: 'quiet', 'aria-label': text }, sign);
  const select = find<HTMLSelectElement>('select', row) as HTMLSelectElement;
  const place = make('span', { class: 'place' });
  const up = button(say(page, 'moveUp', { name }), '↑');
  const down = button(say(page, 'moveDown', { name }), '↓');
  select.hidden = true;
  row.prepend(place);
  row.append(make('div', {}, up, down));
  return { row, select, place, up, down, name };
}

/** Puts a row at a place among the others by moving those. */
function place(list: HTMLElement, row: HTMLElement, index: number): void {
  const others = [...list.children].filter((other) => other !== row);
  for (const other of others.slice(0, index)) if (isBehind(other, row)) row.before(other);
  let last: Element = row;
  for (const other of others.slice(index)) {
    if (!isBehind(other, row)) last.after(other);
    last = other;
  }
}

function isBehind(other: Element, row: Element): boolean {
  return (row.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

/** A mouse takes hold of a row wherever there is nothing to press, a finger by its place: elsewhere it scrolls. */
function startsDrag({ target, button, pointerType, isPrimary }: PointerEvent): boolean {
  const element = target as HTMLElement;
  if (button !== 0 || !isPrimary || element.closest('button,select')) return false;
  return pointerType === 'mouse' || element.closest('.place') !== null;
}

/** The row follows the pointer, the others make room; Escape takes it back. */
function drag(
  list: HTMLElement,
  row: HTMLElement,
  start: PointerEvent,
  end: (isDropped: boolean) => void,
): void {
  const grabbedAt = start.clientY - row.getBoundingClientRect().top;
  const done = new AbortController();
  const { signal } = done;
  let { clientY } = start;
  const follow = () => {
    row.style.translate = '';
    const top = () => list.getBoundingClientRect().top + row.offsetTop - list.offsetTop;
    const wanted = clientY - grabbedAt;
    const others = [...list.children].filter((other) => other !== row);
    const middle = wanted + row.offsetHeight / 2;
    const index = others.filter((other) => {
      const { y, height } = other.getBoundingClientRect();
      return y + height / 2 < middle;
    }).length;
    place(list, row, index);
    row.style.translate = `0 ${wanted - top()}px`;
  };
  const scroll = () => {
    if (signal.aborted) return;
    const way = clientY < EDGE ? -1 : clientY > innerHeight - EDGE ? 1 : 0;
    if (way !== 0) {
      scrollBy(0, way * SCROLL);
      follow();
    }
    requestAnimationFrame(scroll);
  };
  const finish = (isDropped: boolean) => {
    done.abort();
    row.classList.remove('lifted');
    row.style.translate = '';
    end(isDropped);
  };
  row.setPointerCapture(start.pointerId);
  row.classList.add('lifted');
  row.addEventListener(
    'pointermove',
    (event) => {
      clientY = event.clientY;
      follow();
    },
    { signal },
  );
  row.addEventListener('pointerup', () => finish(true), { signal });
  row.addEventListener('pointercancel', () => finish(false), { signal });
  addEventListener('keydown', ({ key }) => key === 'Escape' && finish(false), { signal });
  requestAnimationFrame(scroll);
}
