import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { aVisitor } from './visitor.ts';

/** An option of several choices that rules out the others, on the page of a form. */
const home = useHome();
const browser = useBrowser();

const NONE = { id: 'n', name: 'None of these', exclusive: true };
const PETS = aField('1', 'multi_select', 'Pets');
const pets = (members: object = {}) => ({
  ...PETS,
  multi_select: { options: ['Dog', 'Cat', NONE] },
  ...members,
});
const TOLD = '“None of these” cannot be chosen together with other options.';

async function opened(form: { slug: string }, query = ''): Promise<Page> {
  const page = await browser.page();
  await page.goto(`${home.service.url}/forms/${form.slug}${query}`);
  await page.waitForLoadState('networkidle');
  return page;
}

/** What is ticked, and what is typed. */
const chosen = (page: Page, within = '[data-block]') =>
  page
    .locator(`${within} :is(.option input:checked, [data-other])`)
    .evaluateAll((inputs) => inputs.flatMap((input) => (input as HTMLInputElement).value || []));
const said = (page: Page) => page.locator('.options + [role=status]').first().textContent();
const box = (page: Page, name: string) => page.getByLabel(name, { exact: true });

describe('without a script', () => {
  test('both are refused in the language of the page, and alone it is enough', async () => {
    const translations = {
      de: { properties: { [PETS.id]: { labels: { 'None of these': 'Keines davon' } } } },
    };
    const form = await home.form({
      properties: [pets({ min_selection: 2 })],
      language: 'en',
      translations,
    });
    const { open, send } = aVisitor(home.service);
    const page = await open(`/forms/${form.slug}`);
    const refused = await send(page, { [PETS.id]: ['Dog', 'None of these'] });
    expect(refused.text).toContain(TOLD);
    expect(refused.html.match(/ checked/g)).toHaveLength(2);
    const german = await send(await open(`/forms/${form.slug}?lang=de`), {
      [PETS.id]: ['Dog', 'None of these'],
    });
    expect(german.text).toContain('„Keines davon“ kann nicht zusammen mit anderen Optionen gewählt werden.');
    const sent = await send(refused, { [PETS.id]: ['None of these'] });
    expect(sent.path).toContain('/thank-you');
  });

  test('a link that fills in both shows both, and they are refused', async () => {
    const form = await home.form({ properties: [pets()] });
    const { open, send } = aVisitor(home.service);
    const page = await open(`/forms/${form.slug}?${PETS.id}=Dog&${PETS.id}=None of these`);
    expect((await send(page)).text).toContain(TOLD);
  });
});

describe('with a script', () => {
  test('it takes the place of the others, and they take its, as is said', async () => {
    const form = await home.form({ properties: [pets({ min_selection: 2, allow_creation: true })] });
    const page = await opened(form);
    await box(page, 'Dog').check();
    await box(page, 'Cat').check();
    await page.getByLabel('Pets: Another answer').fill('Snake');
    expect(await chosen(page)).toEqual(['Dog', 'Cat', 'Snake']);
    await box(page, 'None of these').check();
    expect(await chosen(page)).toEqual(['None of these']);
    expect(await said(page)).toBe('No longer chosen: Dog, Cat, Snake');
    await page.getByLabel('Pets: Another answer').pressSequentially('S');
    expect(await chosen(page)).toEqual(['S']);
    expect(await said(page)).toBe('No longer chosen: None of these');
    await page.getByLabel('Pets: Another answer').fill('');
    expect(await said(page)).toBe('');
    await box(page, 'Dog').focus();
    await page.keyboard.press('Space');
    expect(await said(page)).toBe('');
    await box(page, 'None of these').focus();
    await page.keyboard.press('Space');
    expect(await chosen(page)).toEqual(['None of these']);
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Thank you').first().waitFor();
    expect((await home.records(form))[0].data[PETS.id]).toEqual(['None of these']);
  });

  test('what was ticked before the script was there is told where it is left', async () => {
    const form = await home.form({ properties: [pets({ min_selection: 2 }), aField('2', 'text', 'Name')] });
    const page = await opened(form, `?${PETS.id}=Dog&${PETS.id}=None of these`);
    expect(await chosen(page)).toEqual(['Dog', 'None of these']);
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText(TOLD).first().waitFor();
    await box(page, 'Dog').uncheck();
    await expect.poll(() => page.getByText(TOLD).count()).toBe(0);
    await box(page, 'Cat').check();
    await page.getByLabel('Name').fill('Ada');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Please select at least 2 options.').first().waitFor();
  });

  test('a long list with a search, and options with places', async () => {
    const many = Array.from({ length: 20 }, (_, n) => ({
      id: `${n}`,
      name: `Pet ${n}`,
      max_submissions_count: 2,
    }));
    const form = await home.form({
      properties: [pets({ multi_select: { options: [...many, NONE] }, shows_places_left: true })],
    });
    const page = await opened(form);
    await box(page, 'Pet 3 (2 places left)').check();
    await page.getByRole('searchbox').fill('none');
    await box(page, 'None of these').check();
    expect(await chosen(page)).toEqual(['None of these']);
    expect(await said(page)).toBe('No longer chosen: Pet 3 (2 places left)');
  });

  test('one question at a time, by its key', async () => {
    const form = await home.form({ properties: [pets()], presentation_style: 'focused' });
    const page = await opened(form);
    for (const key of ['a', 'b', 'c']) await page.keyboard.press(key);
    expect(await chosen(page)).toEqual(['None of these']);
    expect(await said(page)).toBe('No longer chosen: Dog, Cat');
    await page.keyboard.press('b');
    expect(await chosen(page)).toEqual(['Cat']);
  });

  test('in each entry of repeated questions, also one that is added', async () => {
    const questions = [{ ...pets(), id: 'pets' }];
    const form = await home.form({ properties: [aField('3', 'repeat', 'People', { questions })] });
    const page = await opened(form);
    await page.getByRole('button', { name: 'Add another' }).click();
    await page.getByRole('button', { name: 'Add another' }).click();
    const entry = (number: number) => page.locator('.entry').nth(number);
    for (const number of [0, 1]) await entry(number).getByLabel('Dog').check();
    await entry(1).getByLabel('None of these').check();
    expect(await entry(0).getByLabel('Dog').isChecked()).toBe(true);
    expect(await entry(1).getByLabel('Dog').isChecked()).toBe(false);
  });

  test('where nothing is ruled out, nothing is loaded for it', async () => {
    const form = await home.form({
      properties: [pets({ multi_select: { options: ['Dog', { ...NONE, exclusive: false }] } })],
    });
    const page = await browser.page();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    await box(page, 'Dog').check();
    await box(page, 'None of these').check();
    await page.waitForLoadState('networkidle');
    expect(await chosen(page)).toEqual(['Dog', 'None of these']);
    expect(asked.filter((address) => /exclusive|controls|rare/.test(address))).toEqual([]);
    expect(await page.content()).not.toContain('noLongerChosen');
  });
});

test('they keep their place where the others are shuffled', async () => {
  const names = Array.from({ length: 12 }, (_, n) => `Pet ${n}`);
  const unsure = { name: 'Not sure', exclusive: true };
  const options = [unsure, ...names, NONE];
  const form = await home.form({ properties: [pets({ multi_select: { options }, shuffle_options: 'all' })] });
  const orders = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const { html } = await aVisitor(home.service).open(`/forms/${form.slug}`);
      return [...html.matchAll(/<span>(Pet \d+|Not sure|None of these)<\/span>/g)].map(([, name]) => name);
    }),
  );
  for (const order of orders) {
    expect([order[0], order.at(-1)]).toEqual(['Not sure', 'None of these']);
    expect(order.toSorted()).toEqual([...names, 'Not sure', 'None of these'].toSorted());
  }
  expect(new Set(orders.map(String)).size).toBeGreaterThan(1);
});
