import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js';
import { find, make, type Page, say } from '../page.ts';
import { plainDigits } from './plain-digits.ts';
import { followDisabled } from './style.ts';

/** Adds a choice of country beside the number: a number typed without `+` belongs to that country. */
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
  // The closed list would cut an option's long text before the country code, so the code is shown over it.
  const short = make('bdi', { dir: 'ltr', 'aria-hidden': 'true' });
  const hint = find(`#${input.id}-hint`, input.closest('[data-block]') ?? document);
  const words = hint?.textContent ?? '';
  /**
   * The hint tells to type the country code, needed only where the list does not give it. A hidden description would still be
   * read out.
   */
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
  // Some browsers name a language that is none, which `Intl.Locale` refuses.
  const [, region = ''] = /-([A-Z]{2})\b/.exec(navigator.language) ?? [];

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
  // Runs before the form reads its answers. Browsers' autofill sends only `change` on some pages.
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
