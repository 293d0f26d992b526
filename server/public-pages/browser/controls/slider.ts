import { typedNumber } from '../../../../fields/typed-number.ts';
import { make, type Page } from '../page.ts';
import { announceChange, followDisabled, labelOf } from './style.ts';

/** A range beside the number. It has no say until it is touched: the number is what counts. */
export function enhanceSlider(element: HTMLElement, { data }: Page): void {
  const input = element as HTMLInputElement;
  const { min = '0', max = '100', by: step = '1' } = input.dataset;
  const range = make('input', { type: 'range', min, max, step, 'aria-label': labelOf(input) });
  const place = make('div', { class: 'slider' });
  const show = () => {
    if (input.value === '') range.value = `${(Number(min) + Number(max)) / 2}`;
    else range.value = typedNumber(input.value, data.language) ?? input.value;
    range.ariaValueText = input.value || '–';
    place.classList.toggle('unset', input.value === '');
  };
  const take = (event: Event) => {
    event.stopPropagation();
    input.value = range.value;
    announceChange(input);
  };
  range.addEventListener('input', take);
  range.addEventListener('change', (event) => event.stopPropagation());
  // A tap on the thumb moves nothing, and is an answer all the same; the space bar does what the tap does.
  range.addEventListener('click', (event) => input.value === '' && take(event));
  range.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    if (input.value === '') take(event);
  });
  /** A number between two steps is the nearest one; what is too low or too high is told, and stays. */
  const settle = () => {
    const typed = typedNumber(input.value, data.language) ?? input.value;
    const isWithin = Number(typed) >= Number(min) && Number(typed) <= Number(max);
    if (typed === '' || !isWithin || Number(typed) === Number(range.value)) return;
    input.value = range.value;
    announceChange(input);
  };
  input.addEventListener('input', show);
  input.addEventListener('change', settle);
  input.addEventListener('keydown', ({ key }) => key === 'Enter' && settle());
  input.addEventListener('restore', show);
  input.before(place);
  place.append(range, input);
  followDisabled(input, range);
  show();
}
