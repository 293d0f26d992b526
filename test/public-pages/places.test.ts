import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { aVisitor, shownStep } from './visitor.ts';

const home = useHome();
const browser = useBrowser();
const visitor = () => aVisitor(home.service);

const limited = (name: string, places: number) => ({ id: name, name, max_submissions_count: places });
const DAY = aField('1', 'select', 'Day', {
  without_dropdown: true,
  select: { options: [limited('Saturday', 1), 'Sunday'] },
});
const ROOM = aField('2', 'select', 'Room', { select: { options: [limited('Blue', 1), 'Red'] } });
const MEALS = aField('3', 'multi_select', 'Meals', { options: [limited('Soup', 1), limited('Pie', 3)] });
const FIELDS = [DAY, ROOM, MEALS];
const ALL = { [DAY.id]: 'Saturday', [ROOM.id]: 'Blue', [MEALS.id]: ['Soup', 'Pie'] };

const aFair = (overrides = {}, properties: object[] = FIELDS) => home.form({ properties, ...overrides });
const showingLeft = FIELDS.map((field) => ({ ...field, shows_places_left: true }));
/** Names of the inputs and options that cannot be chosen. */
const disabledIn = (html: string) =>
  [...html.matchAll(/<(?:input|option)[^>]*? disabled>(?:<span>)?([^<]*)/g)].map(([, name]) => name);

describe('without a script', () => {
  test('what is full says so and cannot be chosen; what has places does not tell how many', async () => {
    const form = await aFair();
    const before = await visitor().open(`/forms/${form.slug}`);
    expect(disabledIn(before.html)).toEqual([]);
    expect(before.text).not.toContain('(');
    await home.submit(form, ALL);
    const after = await visitor().open(`/forms/${form.slug}`);
    expect(disabledIn(after.html)).toEqual(['Saturday (full)', 'Blue (full)', 'Soup (full)']);
    expect(after.text).not.toContain('Pie (');
  });

  test('how many are left is shown where the form says so, in its language', async () => {
    const form = await aFair({ language: 'de' }, showingLeft);
    const page = () => visitor().open(`/forms/${form.slug}`);
    expect((await page()).text).toContain('Pie (noch 3 Plätze)');
    await home.submit(form, { [MEALS.id]: ['Pie'] });
    await home.submit(form, { [MEALS.id]: ['Pie'] });
    expect((await page()).text).toContain('Pie (noch 1 Platz)');
    await home.submit(form, { [MEALS.id]: ['Pie'] });
    expect((await page()).text).toContain('Pie (ausgebucht)');
  });

  test('an option that was taken meanwhile is told at its field, and everything typed stays', async () => {
    const name = aField('4', 'text', 'Name');
    const form = await aFair({}, [...FIELDS, name]);
    const { open, send } = visitor();
    const page = await open(`/forms/${form.slug}`);
    await home.submit(form, ALL);
    const refused = await send(page, { ...ALL, [name.id]: 'Ada' });
    expect(refused.title).toContain('Error');
    expect(refused.text).toContain('No places are left for “Saturday”.');
    expect(refused.text).toContain('No places are left for “Blue”.');
    expect(refused.html).toContain('value="Ada"');
    const sent = await send(refused, { [DAY.id]: 'Sunday', [ROOM.id]: 'Red', [MEALS.id]: ['Pie'] });
    expect(sent.path).toContain('/thank-you');
  });

  test('an answer that is corrected keeps its places', async () => {
    const form = await aFair({ editable_submissions: true });
    const { body } = await home.submit(form, ALL);
    const { open, send } = visitor();
    const page = await open(`/forms/${form.slug}?submission_id=${body.submission_id}`);
    expect(disabledIn(page.html)).toEqual([]);
    expect(page.text).not.toContain('(full)');
    expect(disabledIn((await open(`/forms/${form.slug}`)).html)).toContain('Saturday (full)');
    const sent = await send(page, { [MEALS.id]: ['Pie', 'Soup'] });
    expect(sent.path).toContain('/thank-you');
  });

  test('whoever chose an option by a former name has it still when an answer is corrected, and may give it back', async () => {
    const named = (day: string, meal: string) => [
      { ...DAY, required: true, select: { options: [{ ...limited('Saturday', 1), name: day }, 'Sunday'] } },
      { ...MEALS, options: [{ ...limited('Soup', 1), name: meal }, limited('Pie', 3)] },
    ];
    const form = await aFair({ editable_submissions: true }, named('Saturday', 'Soup'));
    const { body } = await home.submit(form, { [DAY.id]: 'Saturday', [MEALS.id]: ['Soup', 'Pie'] });
    const saved = await home.call('PUT', `/open/forms/${form.id}`, { properties: named('Sat', 'Broth') });
    expect(saved.status, saved.text).toBe(200);
    const { open, send } = visitor();
    const correct = async (answers: Record<string, string | string[]>) => {
      const page = await open(`/forms/${form.slug}?submission_id=${body.submission_id}`);
      expect(disabledIn(page.html)).toEqual([]);
      expect((await send(page, answers)).path).toContain('/thank-you');
      return (await home.records(form))[0].data;
    };
    expect(await correct({})).toMatchObject({ [DAY.id]: 'Sat', [MEALS.id]: ['Broth', 'Pie'] });
    await home.call('PUT', `/open/forms/${form.id}`, { properties: named('Sat', 'Stew') });
    expect(await correct({ [MEALS.id]: ['Pie'] })).toMatchObject({ [DAY.id]: 'Sat', [MEALS.id]: ['Pie'] });
    await home.call('PUT', `/open/forms/${form.id}`, { properties: named('Caturday', 'Stew') });
    expect(await correct({ [DAY.id]: 'Sunday', [MEALS.id]: [] })).not.toHaveProperty(MEALS.id);
  });

  test('an option of an earlier step that was taken meanwhile leads back there', async () => {
    const name = aField('6', 'text', 'Name');
    const form = await aFair({}, [DAY, aField('5', 'nf-page-break', 'Break'), name]);
    const { open, send } = visitor();
    const second = await send(await open(`/forms/${form.slug}`), { [DAY.id]: 'Saturday' });
    await home.submit(form, { [DAY.id]: 'Saturday' });
    const refused = await send(second, { [name.id]: 'Ada' });
    expect(refused.text).toContain('No places are left for “Saturday”.');
    expect(shownStep(refused)).toBe('0');
  });

  test('an option is called as in the language it is read in', async () => {
    const translations = { de: { properties: { [DAY.id]: { labels: { Saturday: 'Samstag' } } } } };
    const form = await aFair({ translations });
    const { open, send } = visitor();
    const page = await open(`/forms/${form.slug}?lang=de`);
    await home.submit(form, ALL);
    const refused = await send(page, { [DAY.id]: 'Saturday' });
    expect(refused.text).toContain('Für „Samstag“ ist kein Platz mehr frei.');
  });
});

describe('with the script', () => {
  test('what is full cannot be chosen, also in a list to search in', async () => {
    const many = Array.from({ length: 20 }, (_, index) => `Room ${index + 2}`);
    const room = { ...ROOM, select: { options: [limited('Room 1', 1), ...many] } };
    const form = await aFair({}, [DAY, room]);
    await home.submit(form, { [DAY.id]: 'Saturday', [ROOM.id]: 'Room 1' });
    const page = await browser.page();
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    const saturday = page.getByLabel('Saturday (full)');
    await expect.poll(() => saturday.isDisabled()).toBe(true);
    const list = page.locator('.combo').getByRole('combobox', { name: 'Room' });
    await list.fill('room 1 ');
    const full = page.getByRole('option', { name: 'Room 1 (full)', exact: true }).locator('visible=true');
    await expect.poll(() => full.getAttribute('aria-disabled')).toBe('true');
    await full.click({ force: true });
    await list.press('Enter');
    await expect.poll(() => list.inputValue()).toBe('room 1 ');
    await list.fill('room 14');
    await list.press('Enter');
    await expect.poll(() => list.inputValue()).toBe('Room 14');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.waitForURL(/thank-you/);
    expect((await home.records(form))[0].data[ROOM.id]).toBe('Room 14');
  });

  test('an option is found by its name, whatever is said of its places', async () => {
    const many = Array.from({ length: 20 }, (_, index) => limited(`Room ${index + 1}`, 3));
    const room = { ...ROOM, shows_places_left: true, select: { options: many } };
    const translations = { de: { properties: { [ROOM.id]: { labels: { 'Room 7': 'Saal 7' } } } } };
    const form = await aFair({ translations }, [room]);
    const page = await browser.page();
    await page.goto(`${home.service.url}/forms/${form.slug}?lang=de`);
    const list = page.locator('.combo').getByRole('combobox', { name: 'Room' });
    await list.fill('saal 7');
    await list.blur();
    await expect.poll(() => list.inputValue()).toBe('Saal 7 (noch 3 Plätze)');
    await list.fill('room 1');
    await list.blur();
    await expect.poll(() => list.inputValue()).toBe('Room 1 (noch 3 Plätze)');
  });

  test('what was taken while the page was open is told at its field', async () => {
    const form = await aFair();
    await home.service.context.db
      .updateTable('forms')
      .set({ updated_at: sql`now() - interval '1 hour'` })
      .where('id', '=', form.id)
      .execute();
    const page = await browser.page();
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    let looks = 0;
    page.on('request', (request) => {
      if (request.headers().purpose === 'prefetch') looks++;
    });
    await page.getByLabel('Saturday').check();
    await home.submit(form, ALL);
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.locator('#summary').getByText('No places are left for “Saturday”.').waitFor();
    expect(looks, 'the form is as it was').toBe(0);
    await page.getByLabel('Sunday').check();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.waitForURL(/thank-you/);
  });

  test('a choice kept on the device is not made again once it is full', async () => {
    const open = FIELDS.map((field) => ({ ...field, allow_creation: true }));
    const form = await aFair({ auto_save: true }, open);
    const context = await browser.context();
    const page = await context.newPage();
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    await page.getByLabel('Saturday').check();
    await page.getByLabel('Room', { exact: true }).selectOption('Blue');
    await page.getByLabel('Pie').check();
    await expect.poll(() => page.evaluate(() => JSON.stringify({ ...localStorage }))).toContain('Pie');
    await home.submit(form, ALL);
    await page.reload();
    await expect.poll(() => page.getByLabel('Pie').isChecked()).toBe(true);
    await expect.poll(() => page.getByLabel('Saturday (full)').isChecked()).toBe(false);
    await expect.poll(() => page.getByLabel('Room', { exact: true }).inputValue()).toBe('');
    for (const other of await page.locator('[data-other]').all())
      await expect.poll(() => other.inputValue()).toBe('');
  });
});
