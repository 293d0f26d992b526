import { find, make, type Page, say } from '../page.ts';
import { announceChange } from './style.ts';

/** A drag that comes so near to an edge of the window scrolls the page, and by how much at a time; both in pixels. */
const EDGE = 48;
const SCROLL = 10;

/** One option: its row, the native list that holds its rank, and the controls that move it. */
interface Row {
  row: HTMLElement;
  select: HTMLSelectElement;
  place: HTMLElement;
  up: HTMLButtonElement;
  down: HTMLButtonElement;
  name: string;
}

/**
 * A list that visitors put in order by dragging, by buttons or by arrow keys. It counts as answered only after something was
 * moved, or the order was confirmed. The native lists keep the answer. The moved row stays in the page, since it would lose the
 * focus: the other rows are moved around it.
 */
export function enhanceRanking(list: HTMLElement, page: Page): void {
  const status = make('span', { class: 'sr', role: 'status' });
  const isRight = make('input', { type: 'checkbox' });
  const rows = [...list.children].map((row) => enhanceRow(row as HTMLElement, page));
  const byElement = new Map<Element, Row>(rows.map((item) => [item.row, item]));
  const inOrder = () => [...list.children].map((row) => byElement.get(row) as Row);

  /** Writes the present order into the native lists, or empties them. */
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
  /** Takes over the order of the native lists; an incomplete one does not count, and is emptied. */
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
    // Several lists change at once: read them after the last.
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

/** Puts a row at a place by moving the other rows. */
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

/** A mouse can drag a row anywhere outside its buttons; a finger only by its number, because elsewhere it scrolls. */
function startsDrag({ target, button, pointerType, isPrimary }: PointerEvent): boolean {
  const element = target as HTMLElement;
  if (button !== 0 || !isPrimary || element.closest('button,select')) return false;
  return pointerType === 'mouse' || element.closest('.place') !== null;
}

/** The row follows the pointer and the others make room; Escape puts it back. */
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
