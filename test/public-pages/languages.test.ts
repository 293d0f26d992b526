import { describe, expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { aVisitor, blockOf, type Page, shownStep } from './visitor.ts';

const home = useHome();
const browser = useBrowser();
const visitor = () => aVisitor(home.service);

const mention = (id: string) => `<span mention mention-field-id="${id}" mention-fallback="?">?</span>`;

const IN_GERMAN = {
  title: 'Umfrage',
  description: 'Dauert eine Minute.',
  submit_button_text: 'Abschicken!',
  submitted_text: `<p>Sie mögen ${mention('color')}.</p><script>alert(1)</script>`,
  closed_text: 'Leider zu.',
  properties: {
    intro: { content: '<p>Willkommen <img src=x onerror=alert(1)></p>' },
    name: {
      name: 'Ihr Name',
      help: 'Wie Sie heißen',
      placeholder: 'Vorname',
      error_message: 'Bitte nicht Bob.',
    },
    color: { name: 'Farbe', labels: { Red: 'Rot', Blue: 'Blau' } },
    likes: { name: 'Vorlieben', labels: { Tea: 'Tee' } },
    page: { next_btn_text: 'Los' },
    rating: { name: 'Bewertung', labels: { Speed: 'Tempo', Good: 'Gut', Bad: 'Schlecht' } },
    amount: { name: 'Betrag' },
    photo: { name: 'Bild' },
  },
};
/** Everybody but Bob may go on. */
const isNotBob = {
  identifier: 'name',
  value: { operator: 'does_not_equal', property_meta: { id: 'name', type: 'text' }, value: 'Bob' },
};
const SURVEY = {
  title: 'Survey',
  description: 'Takes a minute.',
  submitted_text: `<p>You like ${mention('color')}.</p>`,
  properties: [
    { id: 'intro', type: 'nf-text', name: 'Text', content: '<p>Welcome</p>' },
    {
      id: 'name',
      type: 'text',
      name: 'Your name',
      help: 'What you are called',
      required: true,
      validation: {
        error_conditions: { conditions: { operatorIdentifier: 'and', children: [isNotBob] } },
        error_message: 'Not Bob, please.',
      },
    },
    { id: 'color', type: 'select', name: 'Color', options: ['Red', 'Blue'], required: true },
    { id: 'likes', type: 'multi_select', name: 'Likes', options: ['Tea', 'Milk'] },
    { id: 'page', type: 'nf-page-break', name: 'Page', next_btn_text: 'Go' },
    { id: 'rating', type: 'matrix', name: 'Rating', rows: ['Speed', 'Price'], columns: ['Good', 'Bad'] },
    { id: 'amount', type: 'number', name: 'Amount' },
  ],
  translations: { de: IN_GERMAN, fr: { title: 'Sondage' } },
};

const inGerman = { headers: { 'accept-language': 'de-CH,de;q=0.9,en;q=0.5' } };
const press = (page: Page, code: string): string => {
  const [, action = ''] = new RegExp(`lang="${code}" formaction="([^"]*)"`).exec(page.html) ?? [];
  return action.replaceAll('&amp;', '&');
};

describe('a form in several languages', () => {
  test('speaks the one the browser asks for, the one its address names, or its own', async () => {
    const { slug } = await home.form(SURVEY);
    const shown = async (query: string, languages?: string) => {
      const headers: Record<string, string> = languages === undefined ? {} : { 'accept-language': languages };
      return visitor().open(`/forms/${slug}${query}`, { headers });
    };
    const own = await shown('');
    expect(own.title).toBe('Survey');
    expect(own.html).toContain('<html lang="en"');
    expect(own.headers.get('vary')).toContain('accept-language');
    expect((await shown('', 'de-CH,de;q=0.9,en;q=0.5')).title).toBe('Umfrage');
    expect((await shown('', 'it, fr;q=0.3, de;q=0.1')).title).toBe('Sondage');
    expect((await shown('', 'it, en;q=0.3, de;q=0.1')).title).toBe('Survey');
    expect((await shown('', 'de;q=0')).title).toBe('Survey');
    expect((await shown('?lang=de', 'fr')).title).toBe('Umfrage');
    expect((await shown('?lang=en', 'de')).title).toBe('Survey');
    expect((await shown('?lang=es', 'de')).title).toBe('Umfrage');
    // Texts without a translation stay as they are; the page itself is in French.
    const french = await shown('?lang=fr');
    expect(french.html).toContain('<html lang="fr"');
    expect(french.text).toContain('Your name');
    expect(french.text).toContain('Choisir');
  });

  test('tells search engines where each is', async () => {
    const { slug } = await home.form(SURVEY);
    const page = await visitor().open(`/forms/${slug}?lang=de`);
    expect(page.html).toContain(`<link rel="canonical" href="${home.service.url}/forms/${slug}?lang=de">`);
    expect(page.html).toContain(`hreflang="fr" href="${home.service.url}/forms/${slug}?lang=fr">`);
    const single = await visitor().open(`/forms/${(await home.form({})).slug}`);
    expect(single.html).not.toContain('hreflang');
    expect(single.html).not.toContain('class="languages"');
    expect(single.headers.get('vary')).not.toContain('accept-language');
  });

  test('is filled in and sent without a script; what is stored is what it is in its own language', async () => {
    const form = await home.form(SURVEY);
    const page = await visitor().open(`/forms/${form.slug}`, inGerman);
    expect(page.text).toContain('Dauert eine Minute.');
    expect(page.text).toContain('Willkommen');
    expect(page.html).not.toContain('onerror');
    expect(page.html).toContain('placeholder="Vorname"');
    expect(blockOf(page, 'color')).toContain('Rot');
    expect(blockOf(page, 'color')).not.toContain('Red');
    expect(blockOf(page, 'likes')).toContain('Milk');

    const wrong = await visitor().send(
      { ...page, path: '' },
      { name: 'Bob', color: 'Red', likes: ['Tea', 'Milk'] },
    );
    // Without a choice, the page is in the form's own language, whatever languages the browser names.
    expect(blockOf(wrong, 'name')).toContain('Not Bob, please.');
    const chosen = await visitor().send(wrong, {}, { action: press(wrong, 'de') });
    expect(chosen.path).toContain('lang=de');
    expect(chosen.title).toContain('Umfrage');

    const refused = await visitor().send(chosen, { name: 'Bob', color: 'Red', likes: ['Tea', 'Milk'] });
    expect(blockOf(refused, 'name')).toContain('Bitte nicht Bob.');
    const second = await visitor().send(refused, { name: 'Ada' });
    expect(shownStep(second)).toBe('1');
    expect(second.text).toContain('Tempo');
    expect(second.text).toContain('Abschicken!');
    const thanks = await visitor().send(second, { 'rating[0]': 'Good', amount: '1.234,5' });
    expect(thanks.path).toContain('/thank-you');
    expect(thanks.text).toContain('Sie mögen Rot.');
    expect(thanks.html).not.toContain('alert(1)');
    const [record] = await home.records(form);
    expect(record.data).toMatchObject({
      name: 'Ada',
      color: 'Red',
      likes: ['Tea', 'Milk'],
      rating: { Speed: 'Good' },
      amount: 1234.5,
    });
  });

  test('takes what forms on other sites call by its own names', async () => {
    const photo = { id: 'photo', type: 'files', name: 'Photo' };
    const form = await home.form({ ...SURVEY, properties: [...SURVEY.properties, photo] });
    const body = new FormData();
    for (const [name, value] of Object.entries({ 'Your name': 'Ada', Color: 'Red' }))
      body.append(name, value);
    body.append('Photo', new File(['A'], 'a.txt', { type: 'text/plain' }));
    const answered = await fetch(`${home.service.url}/forms/${form.slug}`, {
      method: 'POST',
      body,
      ...inGerman,
    });
    expect(answered.status, await answered.clone().text()).toBe(200);
    const [record] = await home.records(form);
    expect(record.data).toMatchObject({ name: 'Ada', color: 'Red' });
    expect(record.files.photo).toHaveLength(1);
  });

  test('keeps what was typed when another language is chosen, in each language’s numbers', async () => {
    const form = await home.form(SURVEY);
    const page = await visitor().open(`/forms/${form.slug}?lang=de`);
    const second = await visitor().send(page, { name: 'Ada', color: 'Blue' });
    const action = press(second, 'en');
    const english = await visitor().send(second, { amount: '0,5', 'rating[1]': 'Bad' }, { action });
    expect(shownStep(english)).toBe('1');
    expect(english.text).toContain('Speed');
    expect(english.html).toContain('value="0.5"');
    const thanks = await visitor().send(english);
    expect(thanks.text).toContain('You like Blue.');
    const [record] = await home.records(form);
    expect(record.data).toMatchObject({ name: 'Ada', amount: 0.5, rating: { Price: 'Bad' } });
  });

  test('is closed, and refuses files, in the visitor’s language', async () => {
    const form = await home.form({
      ...SURVEY,
      properties: [...SURVEY.properties, { id: 'cv', type: 'files', name: 'CV', allowed_file_types: 'pdf' }],
    });
    const file = new FormData();
    file.append('file', new File(['text'], 'cv.txt'));
    const refused = await fetch(`${home.service.url}/forms/${form.slug}/files?field=cv&lang=de`, {
      method: 'POST',
      body: file,
    });
    expect(await refused.text()).toMatch(/Datei|Dateityp/);
    await home.call('PUT', `/open/forms/${form.id}`, { visibility: 'closed' });
    expect((await visitor().open(`/forms/${form.slug}`, inGerman)).text).toContain('Leider zu.');
    const failed = await visitor().open(`/forms/${form.slug}/thank-you?receipt=x&lang=de`);
    expect(failed.status).toBe(404);
    expect(failed.html).toContain('<html lang="de"');
  });

  test('calls an option that is renamed what it called it before', async () => {
    const option = (id: string, name: string) => ({ id, name });
    const size = (...options: object[]) => ({ id: 'size', type: 'select', name: 'Size', options });
    const labels = { Small: 'Klein', Large: 'Groß' };
    const form = await home.form({
      properties: [size(option('s', 'Small'), option('l', 'Large'))],
      translations: { de: { title: 'Größe', properties: { size: { labels }, gone: { name: 'Weg' } } } },
    });
    const path = `/open/forms/${form.id}`;
    const read = async () => (await home.call('GET', path)).body.translations.de;
    await home.call('PUT', path, { properties: [size(option('s', 'Large'), option('l', 'Extra large'))] });
    expect(await read()).toEqual({
      title: 'Größe',
      properties: { size: { labels: { Large: 'Klein', 'Extra large': 'Groß' } }, gone: { name: 'Weg' } },
    });
    expect((await visitor().open(`/forms/${form.slug}?lang=de`)).html).toContain('value="Extra large">Groß');

    // The same when a client sends back what it has read; but translations changed on purpose win.
    const whole = (await home.call('GET', path)).body;
    await home.call('PUT', path, { ...whole, properties: [size(option('s', 'S'), option('l', 'L'))] });
    expect((await read()).properties.size.labels).toEqual({ S: 'Klein', L: 'Groß' });
    const translations = { de: { properties: { size: { labels: { S: 'Winzig' } } } } };
    await home.call('PUT', path, { properties: [size(option('s', 'Tiny'))], translations });
    expect(await read()).toEqual(translations.de);
  });

  test('calls an option of a repeated question that is renamed what it called it before', async () => {
    const guests = (...names: string[]) => ({
      id: 'guests',
      type: 'repeat',
      name: 'Guests',
      questions: [
        {
          id: 'meal',
          type: 'select',
          name: 'Meal',
          options: names.map((name, index) => ({ id: `o${index}`, name })),
        },
      ],
    });
    const said = (labels: object) => ({
      guests: { name: 'Gäste', questions: { meal: { name: 'Essen', labels }, gone: { name: 'Weg' } } },
    });
    const form = await home.form({
      properties: [guests('Fish', 'Vegan')],
      translations: { de: { properties: said({ Fish: 'Fisch', Vegan: 'Pflanzlich' }) } },
    });
    const path = `/open/forms/${form.id}`;
    await home.call('PUT', path, { properties: [guests('Catch', 'Vegan')] });
    const { translations } = (await home.call('GET', path)).body;
    expect(translations.de.properties).toEqual(said({ Catch: 'Fisch', Vegan: 'Pflanzlich' }));
    expect((await visitor().open(`/forms/${form.slug}?lang=de`)).html).toContain('value="Catch">Fisch');
  });

  test('takes whatever programs have stored as translations for none', async () => {
    for (const translations of [
      { de: 'Hallo', xx: { title: 'X' }, __proto__: null },
      { de: { title: 5, properties: [], labels: 1 } },
      { de: { title: ' ', properties: { name: { name: null, labels: { Red: 5 } }, color: 3 } } },
      { toString: { title: 'X' }, constructor: { title: 'X' } },
    ]) {
      const { slug } = await home.form({ ...SURVEY, translations });
      const page = await visitor().open(`/forms/${slug}?lang=de`);
      expect(page.status).toBe(200);
      expect(page.title).toBe('Survey');
      expect(blockOf(page, 'color')).toContain('Red');
    }
  });

  test('is previewed in each of them', async () => {
    const { body } = await home.call('POST', '/open/forms/preview', {
      workspace_id: home.workspaceId,
      ...SURVEY,
    });
    const path = new URL(body.url).pathname;
    const page = await visitor().open(`${path}?lang=de`);
    expect(page.title).toBe('Umfrage');
    const english = await visitor().send(page, { name: 'Ada' }, { action: press(page, 'en') });
    expect(english.title).toBe('Survey');
    expect(english.html).toContain('value="Ada"');
    const second = await visitor().send(english, { color: 'Red' });
    const thanks = await visitor().send(second);
    expect(thanks.text).toContain('You like Red.');
  });

  test('the API answers as ever', async () => {
    const { slug } = await home.form(SURVEY);
    const answer = await home.service.request('POST', `/forms/${slug}/answer`, {
      body: { name: 'Bob', color: 'Rot' },
      headers: { 'accept-language': 'de' },
    });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({
      name: ['Not Bob, please.'],
      color: ['The selected Color is invalid.'],
    });
  });
});

describe('in a browser', () => {
  test('the script tells problems in the language of the page, and lets another be chosen', async () => {
    const form = await home.form(SURVEY);
    const page = await browser.page({ ...PHONE, locale: 'de-AT' });
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    await page.getByRole('button', { name: 'Los' }).click();
    await page.getByText('„Ihr Name“ ist ein Pflichtfeld.').first().waitFor();
    await page.getByLabel('Ihr Name').fill('Ada');
    await page.getByLabel('Farbe').selectOption('Rot');
    await page.getByRole('button', { name: 'English' }).click();
    await page.waitForURL(/lang=en/);
    await expect.poll(() => page.getByLabel('Your name').inputValue()).toBe('Ada');
    await expect.poll(() => page.getByLabel('Color').inputValue()).toBe('Red');
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.waitForURL(/lang=de/);
    await page.getByRole('button', { name: 'Los' }).click();
    await page.getByLabel('Tempo: Gut').check();
    await page.getByRole('button', { name: 'Abschicken!' }).click();
    await page.getByText('Sie mögen Rot.').waitFor();
    const [record] = await home.records(form);
    expect(record.data).toMatchObject({ name: 'Ada', color: 'Red', rating: { Speed: 'Good' } });
  });

  test('another language is that of the step one is at, and of the same partial submission', async () => {
    const form = await home.form({ ...SURVEY, enable_partial_submissions: true });
    const page = await browser.page({ locale: 'en' });
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('Color').selectOption('Red');
    const isSaved = page.waitForResponse(/answer$/);
    await page.getByRole('button', { name: 'Go' }).click();
    await isSaved;
    await page.getByLabel('Speed: Good').check();
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.waitForURL(/lang=de/);
    await expect.poll(() => page.getByLabel('Tempo: Gut').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Abschicken!' }).click();
    await page.getByText('Sie mögen Rot.').waitFor();
    const records = await home.records(form);
    expect(records.map(({ status }) => status)).toEqual(['completed']);
  });

  test('without a script Enter goes on, and does not change the language', async () => {
    const form = await home.form(SURVEY);
    const page = await browser.page({ javaScriptEnabled: false });
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    await page.getByLabel('Color').selectOption('Blue');
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('Your name').press('Enter');
    await page.waitForURL(/step=1/);
    await expect.poll(() => page.title()).toBe('Survey');
  });
});
