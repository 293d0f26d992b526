import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js';
import { find, make, type Page, say } from '../page.ts';
import { plainDigits } from './plain-digits.ts';
import { followDisabled } from './style.ts';

/** The country beside the number: what is typed without `+` counts as a number of that country. */
export function enhancePhone(element: HTMLElement, page: Page): void {
  const input = element as HTMLInputElement;
  const unavailable = new Set((input.dataset.unavailable ?? '').toUpperCase().split(','));
  const names = new Intl.DisplayNames(page.data.language, { type: 'region' });
  const countries = getCountries()
    .filter((country) => !unavailable.has(country))
    .map((country) => ({
      country,
      text: `${names.of(country) ?? country} (+${getCountryCallingCode(country)})`,
    }))
    .sort((left, right) => left.text.localeCompare(right.text, page.data.language));
  const select = make(
    'select',
    { 'aria-label': say(page, 'phoneCountry'), autocomplete: 'tel-country-code' },
    make('option', { value: '' }, '–'),
    ...countries.map(({ country, text }) => make('option', { value: country }, text)),
  );
  // Of the long text of an option a closed list would show the beginning, without the code.
  const short = make('bdi', { dir: 'ltr', 'aria-hidden': 'true' });
  const hint = find(`#${input.id}-hint`, input.closest('[data-block]') ?? document);
  const words = hint?.textContent ?? '';
  /** The code is to be typed where the list does not say it; as a description hidden words would be read all the same. */
  const showHint = (isWanted: boolean) => {
    if (!hint) return;
    hint.hidden = !isWanted;
    hint.textContent = isWanted ? words : '';
  };
  const showCountry = () => {
    const code = select.value as CountryCode | '';
    if (code !== '') showHint(false);
    short.textContent = code === '' ? '–' : `${code} +${getCountryCallingCode(code)}`;
  };
  const answer = make('input', { type: 'hidden', name: input.name });
  const region = new Intl.Locale(navigator.language).region ?? '';

  const write = () => {
    const text = plainDigits(input.value).trim();
    const isWhole = text === '' || text.startsWith('+') || select.value === '';
    answer.value = isWhole ? text : `${select.value}${text.replace(/^[^\d(]+/, '')}`;
    const country = text.startsWith('+') ? parsePhoneNumberFromString(text)?.country : undefined;
    if (country && !unavailable.has(country)) select.value = country;
    showCountry();
  };
  const read = () => {
    const letters = /^[A-Z]{2}(?=[\d(+])/.exec(answer.value)?.[0] as CountryCode | undefined;
    input.value = letters ? answer.value.slice(2) : answer.value;
    if (letters) select.value = letters;
    write();
  };

  answer.value = input.value;
  if (!unavailable.has(region)) select.value = region;
  if (select.selectedIndex < 0) select.value = '';
  read();
  // Before the form reads its answers. What fills in addresses and passwords tells some pages of a change alone.
  for (const type of ['input', 'change']) {
    input.addEventListener(type, write);
    select.addEventListener(type, write);
  }
  answer.addEventListener('restore', read);
  input.removeAttribute('name');
  const place = make('div', { class: 'phone' });
  input.before(place);
  place.append(make('div', { class: 'country' }, select, short), input, answer);
  showHint(false);
  place.addEventListener('focusin', () => showHint(select.value === ''));
  followDisabled(input, answer, select);
}
