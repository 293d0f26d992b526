import { typedNumber } from '../../../../fields/as-text/typed-number.ts';
import { make, type Page } from '../page.ts';
import { announceChange, followDisabled, labelOf } from './style.ts';

/** Adds a range beside the number. The number is the answer; the range changes it only when touched. */
export function enhanceSlider(element: HTMLElement, { data }: Page): void {
  const input = element as HTMLInputElement;
  const { min = '0', max = '100', by: step = '1' } = input.dataset;
  const range = make('input', { type: 'range', min, max, step, 'aria-label': labelOf(input) });
  const place = make('div', { class: 'slider' });
  const read = () => typedNumber(input.value, data.language);
  const show = () => {
    const { value } = input;
    // The range writes numbers as the API does, which typed might be in doubt.
    const number = read() ?? (String(Number(value)) === value ? value : '');
    range.value = number === '' ? `${(Number(min) + Number(max)) / 2}` : number;
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
  // A tap on the thumb moves nothing, but is an answer; the space bar does the same.
  range.addEventListener('click', (event) => input.value === '' && take(event));
  range.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return;
    event.preventDefault();
    if (input.value === '') take(event);
  });
  /** Rounds a number between two steps to the nearest; one that is too low, too high or in doubt stays, and is reported. */
  const settle = () => {
    const typed = read();
    const isWithin = Number(typed) >= Number(min) && Number(typed) <= Number(max);
    if (!typed || !isWithin || Number(typed) === Number(range.value)) return;
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
