import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { violationsOf } from '../setup/axe.ts';
import { DESKTOP, PHONE, useBrowser } from '../setup/browser.ts';
import { expectInvalid, useHome } from '../setup/home.ts';

/** The same questions for several entries: without the script, with it by pointer and keyboard, and by the API. */
const home = useHome();
const browser = useBrowser();

const MEALS = { select: { options: [{ name: 'Fish' }, { name: 'Beans' }] } };
const DAYS = { multi_select: { options: [{ name: 'Friday' }, { name: 'Sunday' }] } };
const PEOPLE = {
  id: 'people',
  type: 'repeat',
  name: 'Who comes along?',
  entry_name: 'Person',
  questions: [
    { id: 'name', type: 'text', name: 'Name', required: true, width: '1/2' },
    { id: 'age', type: 'number', name: 'Age', width: '1/2', help: 'In <b>years</b>' },
    { id: 'meal', type: 'select', name: 'Meal', ...MEALS },
    { id: 'days', type: 'multi_select', name: 'Days', ...DAYS },
    { id: 'bed', type: 'checkbox', name: 'Needs a bed' },
    { id: 'phone', type: 'phone_number', name: 'Phone' },
  ],
};
const TWO_PAGES = [
  PEOPLE,
  { id: 'break', type: 'nf-page-break', name: 'Break' },
  { id: 'rest', type: 'text', name: 'Anything else?' },
];

interface Options {
  members?: Record<string, unknown>;
  device?: typeof DESKTOP;
  scripts?: boolean;
  query?: string;
}

async function opened(
  properties: Record<string, unknown>[],
  { members = {}, device = DESKTOP, scripts = true, query = '' }: Options = {},
): Promise<{ form: any; page: Page }> {
  const form = await home.form({ properties, ...members });
  const page = await browser.page({ ...device, javaScriptEnabled: scripts });
  await page.goto(`${home.service.url}/forms/${form.slug}${query}`);
  // A phone field has its list of countries once the script has enhanced the page.
  if (scripts) await page.locator('.entry .country').first().waitFor();
  return { form, page };
}

const answer = (page: Page, entry: number, question: string) =>
  page.locator('.entry').nth(entry).locator(`[name$="[${question}]"]:not([type=hidden])`);
const titles = (page: Page) => page.locator('.entry > legend').allInnerTexts();
const problems = (page: Page) => page.locator('#summary li').allInnerTexts();
const addAnother = (page: Page) => page.getByRole('button', { name: 'Add another (Who comes along?)' });
const removeEntry = (page: Page, number: number) =>
  page.getByRole('button', { name: `Remove Person ${number}`, exact: true });
const press = (page: Page) => page.locator('.nav .primary').click();

async function stored(page: Page, form: any): Promise<any> {
  await press(page);
  await page.locator('.thank-you').waitFor();
  const [record] = await home.records(form);
  return record.data.people;
}

describe('without the script', () => {
  const plain = (options: Options = {}, properties: Record<string, unknown>[] = TWO_PAGES) =>
    opened(properties, { ...options, scripts: false });

  test('entries are added and removed by showing the form again, with what was typed', async () => {
    const { form, page } = await plain();
    expect(await titles(page)).toEqual(['Person 1']);
    await answer(page, 0, 'name').fill('Ann');
    await answer(page, 0, 'days').first().check();
    await addAnother(page).click();
    await expect.poll(() => titles(page)).toEqual(['Person 1', 'Person 2']);
    expect(new URL(page.url()).hash).toBe('#f0-e1');
    expect(await answer(page, 0, 'name').inputValue()).toBe('Ann');
    await answer(page, 1, 'name').fill('Ben');
    await answer(page, 1, 'age').fill('7');
    await removeEntry(page, 1).click();
    await expect.poll(() => titles(page)).toEqual(['Person 1']);
    expect(await answer(page, 0, 'name').inputValue()).toBe('Ben');
    await press(page);
    await page.getByLabel('Anything else?').fill('x');
    expect(await stored(page, form)).toEqual([{ name: 'Ben', age: 7 }]);
  });

  test('Enter goes on, and neither adds nor removes anything', async () => {
    const { form, page } = await plain();
    await answer(page, 0, 'name').fill('Ann');
    await answer(page, 0, 'name').press('Enter');
    await page.getByLabel('Anything else?').fill('x');
    expect(await stored(page, form)).toEqual([{ name: 'Ann' }]);
  });

  test('what is wrong is told by the numbers that the page shows', async () => {
    const { form, page } = await plain();
    await addAnother(page).click();
    await expect.poll(() => titles(page)).toEqual(['Person 1', 'Person 2']);
    await answer(page, 1, 'age').fill('old');
    await press(page);
    await expect
      .poll(() => problems(page))
      .toEqual(['Person 2 – “Name” needs an answer.', 'Person 2 – “Age” must be a number like 1234.']);
    await answer(page, 1, 'age').fill('81');
    await answer(page, 1, 'name').fill('Cleo');
    await press(page);
    await page.getByLabel('Anything else?').fill('x');
    expect(await stored(page, form)).toEqual([{ name: 'Cleo', age: 81 }]);
  });

  test('the address may fill in entries; nothing answered is no answer', async () => {
    const first = await plain({ query: '?people[0][name]=Ann&people[1][name]=Ben&people[1][meal]=Beans' });
    expect(await titles(first.page)).toEqual(['Person 1', 'Person 2']);
    await press(first.page);
    await first.page.getByLabel('Anything else?').fill('x');
    expect(await stored(first.page, first.form)).toEqual([{ name: 'Ann' }, { name: 'Ben', meal: 'Beans' }]);
    const second = await plain();
    await press(second.page);
    await second.page.getByLabel('Anything else?').fill('x');
    expect(await stored(second.page, second.form)).toBeUndefined();
  });

  test('what is disabled is sent as it was given', async () => {
    const { form, page } = await plain({}, [
      { ...PEOPLE, disabled: true, prefill: [{ name: 'Ann', days: ['Friday', 'Sunday'], bed: true }] },
    ]);
    expect(await answer(page, 0, 'name').isDisabled()).toBe(true);
    expect(await stored(page, form)).toEqual([{ name: 'Ann', days: ['Friday', 'Sunday'], bed: true }]);
  });
});

describe('with the script', () => {
  test('entries come and go where they stand, the focus goes along, and each is numbered anew', async () => {
    const { form, page } = await opened([PEOPLE]);
    await answer(page, 0, 'name').fill('Ann');
    await addAnother(page).press('Enter');
    await expect.poll(() => titles(page)).toEqual(['Person 1', 'Person 2']);
    const isFocused = () => answer(page, 1, 'name').evaluate((input) => input === document.activeElement);
    await expect.poll(isFocused).toBe(true);
    await answer(page, 1, 'name').fill('Ben');
    // The script enhances the fields of a new entry too.
    await page.locator('.entry').nth(1).locator('.country').waitFor();
    await answer(page, 1, 'bed').check();
    await removeEntry(page, 1).click();
    await expect.poll(() => titles(page)).toEqual(['Person 1']);
    expect(await removeEntry(page, 1).count()).toBe(1);
    await addAnother(page).click();
    await answer(page, 1, 'name').fill('Cleo');
    await answer(page, 1, 'meal').selectOption('Beans');
    expect(await stored(page, form)).toEqual([
      { name: 'Ben', bed: true },
      { name: 'Cleo', meal: 'Beans' },
    ]);
  });

  test('no more and no fewer than there may be', async () => {
    const { page } = await opened([{ ...PEOPLE, min_entries: 2, max_entries: 3 }]);
    expect(await titles(page)).toEqual(['Person 1', 'Person 2']);
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
    await addAnother(page).click();
    await expect.poll(() => titles(page)).toEqual(['Person 1', 'Person 2', 'Person 3']);
    expect(await addAnother(page).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(3);
    await removeEntry(page, 3).press('Enter');
    await expect.poll(() => addAnother(page).count()).toBe(1);
    await answer(page, 0, 'name').fill('Ann');
    await press(page);
    await expect.poll(() => problems(page)).toEqual(['Please give at least 2 of “Who comes along?”.']);
  });

  test('a problem is marked at its input, and its line leads there', async () => {
    const { page } = await opened([PEOPLE]);
    await answer(page, 0, 'name').fill('Ann');
    await addAnother(page).click();
    await answer(page, 1, 'age').fill('old');
    await press(page);
    await expect
      .poll(() => problems(page))
      .toEqual(['Person 2 – “Name” needs an answer.', 'Person 2 – “Age” must be a number like 1234.']);
    const marked = () =>
      page.locator('[aria-invalid=true]').evaluateAll((all: any[]) => all.map(({ name }) => name));
    await expect.poll(marked).toEqual(['people[1][name]', 'people[1][age]']);
    await page.locator('#summary a').last().click();
    const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement).name);
    await expect.poll(focused).toBe('people[1][age]');
    await answer(page, 1, 'age').fill('81');
    await expect.poll(marked).toEqual(['people[1][name]']);
    await answer(page, 1, 'name').fill('Ben');
    await expect.poll(marked).toEqual([]);
  });

  test('a date typed by half is told beside what is wrong in its entry and in others', async () => {
    const born = { id: 'born', type: 'date', name: 'Born', required: true };
    const { page } = await opened([{ ...PEOPLE, questions: [...PEOPLE.questions, born] }]);
    await answer(page, 0, 'age').fill('old');
    await addAnother(page).click();
    await answer(page, 1, 'name').fill('Ben');
    for (const entry of [0, 1]) {
      await answer(page, entry, 'born').focus();
      await page.keyboard.type('12');
    }
    await press(page);
    await expect
      .poll(() => problems(page))
      .toEqual([
        'Person 1 – “Name” needs an answer.',
        'Person 1 – “Age” must be a number like 1234.',
        'Person 1 – “Born” is not a valid date.',
        'Person 2 – “Born” is not a valid date.',
      ]);
  });

  test('what was typed is kept on the device, with all its entries', async () => {
    const { form, page } = await opened([PEOPLE], { members: { auto_save: true } });
    await answer(page, 0, 'name').fill('Ann');
    await addAnother(page).click();
    await answer(page, 1, 'name').fill('Ben');
    await addAnother(page).click();
    await answer(page, 2, 'name').fill('Cleo');
    await removeEntry(page, 2).click();
    await expect.poll(() => titles(page)).toEqual(['Person 1', 'Person 2']);
    // The part of the script that keeps answers loads later.
    const kept = () => page.evaluate((uuid) => localStorage.getItem(`form:${uuid}`) ?? '', form.uuid);
    await expect.poll(kept).toMatch(/Ann.*Cleo/);
    expect(await kept()).not.toContain('Ben');
    await page.reload();
    await expect.poll(() => titles(page)).toEqual(['Person 1', 'Person 2']);
    await expect.poll(() => answer(page, 1, 'name').inputValue()).toBe('Cleo');
    await page.locator('.entry').nth(1).locator('.country').waitFor();
    expect(await stored(page, form)).toEqual([{ name: 'Ann' }, { name: 'Cleo' }]);
  });

  test('conditions count entries', async () => {
    const condition = {
      identifier: 'people',
      value: { operator: 'greater_than', property_meta: { id: 'people', type: 'repeat' }, value: 1 },
    };
    const bus = {
      id: 'bus',
      type: 'text',
      name: 'Which bus?',
      hidden: true,
      logic: {
        conditions: { operatorIdentifier: 'and', children: [condition] },
        actions: ['show-block'],
      },
    };
    const { page } = await opened([PEOPLE, bus]);
    await answer(page, 0, 'name').fill('Ann');
    await addAnother(page).click();
    expect(await page.getByLabel('Which bus?').isVisible()).toBe(false);
    await answer(page, 1, 'name').fill('Ben');
    await expect.poll(() => page.getByLabel('Which bus?').isVisible()).toBe(true);
    await removeEntry(page, 1).click();
    await expect.poll(() => page.getByLabel('Which bus?').isVisible()).toBe(false);
  });

  test('one question at a time, Enter goes from input to input of its entries and then on', async () => {
    const arrival = { id: 'day', type: 'date', name: 'Arrives' };
    const members = { presentation_style: 'focused', settings: { auto_next: true } };
    const questions = [...PEOPLE.questions.slice(0, 3), arrival];
    const form = await home.form({
      properties: [{ ...PEOPLE, questions }, ...TWO_PAGES.slice(2)],
      ...members,
    });
    const page = await browser.page(DESKTOP);
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    await page.locator('.enter').waitFor();
    await answer(page, 0, 'name').fill('Ann');
    await answer(page, 0, 'name').press('Enter');
    const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement).name);
    await expect.poll(focused).toBe('people[0][age]');
    await page.keyboard.type('7');
    // By pointer: a choice among several questions does not lead to the next page.
    await answer(page, 0, 'meal').click();
    await answer(page, 0, 'meal').selectOption('Beans');
    // Half a date is an error, named with its entry.
    await answer(page, 0, 'day').focus();
    await page.keyboard.type('12');
    await press(page);
    await expect.poll(() => problems(page)).toEqual(['Person 1 – “Arrives” is not a valid date.']);
    await answer(page, 0, 'day').fill('2026-05-01');
    await answer(page, 0, 'day').press('Enter');
    await page.getByLabel('Anything else?').fill('x');
    expect(await stored(page, form)).toEqual([{ name: 'Ann', age: 7, meal: 'Beans', day: '2026-05-01' }]);
  });

  test.each([
    ['wide', DESKTOP, {}],
    ['on a dark phone', PHONE, { dark_mode: 'dark' }],
  ])('everybody can use it: %s', async (_, device, members) => {
    const { page } = await opened([{ ...PEOPLE, required: true }], { device, members });
    await answer(page, 0, 'age').fill('old');
    await addAnother(page).click();
    await press(page);
    await expect.poll(() => problems(page)).toHaveLength(2);
    expect(await violationsOf(page)).toEqual([]);
    const [width, room] = await page.evaluate(() => [document.body.scrollWidth, innerWidth]);
    expect(width).toBeLessThanOrEqual(room!);
  });
});

describe('with what was there before', () => {
  const NOTE = { id: 'note', type: 'text', name: 'Note' };

  /** A device on which the form was begun. */
  async function begun(properties: Record<string, unknown>[], fill: (page: Page) => Promise<void>) {
    const form = await home.form({ properties });
    const url = `${home.service.url}/forms/${form.slug}`;
    const context = await browser.context();
    const page = await context.newPage();
    await page.goto(url);
    await page.getByLabel('Note').fill('hello');
    await fill(page);
    const kept = () => page.evaluate((uuid) => localStorage.getItem(`form:${uuid}`) ?? '', form.uuid);
    await expect.poll(kept).toContain('hello');
    await page.close();
    const open = async (query = '') => {
      const later = await context.newPage();
      await later.goto(url + query);
      await later.locator('.restored').waitFor();
      return later;
    };
    return { form, open };
  }

  test('a form that was begun before it had the questions takes their answers', async () => {
    const { form, open } = await begun([NOTE], async () => {});
    const properties = [NOTE, PEOPLE];
    expect((await home.call('PUT', `/open/forms/${form.id}`, { properties })).status).toBe(200);
    const page = await open();
    await answer(page, 0, 'name').fill('Ann');
    expect(await stored(page, form)).toEqual([{ name: 'Ann' }]);
  });

  test('entries that the address fills in are not mixed with those that were kept', async () => {
    const { open } = await begun([NOTE, PEOPLE], (page) => answer(page, 0, 'age').fill('5'));
    const page = await open('?people[0][name]=Ann&people[1][name]=Ben');
    expect(await titles(page)).toEqual(['Person 1', 'Person 2']);
    expect(await answer(page, 0, 'name').inputValue()).toBe('Ann');
    expect(await answer(page, 0, 'age').inputValue()).toBe('');
    expect(await answer(page, 1, 'name').inputValue()).toBe('Ben');
  });

  test('what was begun elsewhere stays where the part that reads entries cannot be loaded', async () => {
    const form = await home.form({ properties: [NOTE, PEOPLE], enable_partial_submissions: true });
    const people = [{ name: 'Ann' }];
    const { submission_hash: hash } = (await home.submit(form, { people, is_partial: true })).body;
    const page = await browser.page(DESKTOP);
    await page.route(/\/rare-/, (route) => route.abort());
    await page.goto(`${home.service.url}/forms/${form.slug}?submission_hash=${hash}`);
    await page.getByLabel('Note').fill('b');
    await page.goto('about:blank');
    const { body } = await home.call('GET', `/open/forms/${form.id}/submissions?status=partial`);
    expect(body.data[0].data.people).toEqual(people);
  });

  test('a field that a condition enables can be filled in', async () => {
    const condition = {
      identifier: 'note',
      value: { operator: 'equals', property_meta: { id: 'note', type: 'text' }, value: 'go' },
    };
    const logic = {
      conditions: { operatorIdentifier: 'and', children: [condition] },
      actions: ['enable-block'],
    };
    const { form, page } = await opened([NOTE, { ...PEOPLE, disabled: true, logic }]);
    expect(await answer(page, 0, 'name').isDisabled()).toBe(true);
    await page.getByLabel('Note').fill('go');
    await answer(page, 0, 'name').fill('Ann');
    await addAnother(page).click();
    await answer(page, 1, 'name').fill('Ben');
    expect(await stored(page, form)).toEqual([{ name: 'Ann' }, { name: 'Ben' }]);
  });

  test('questions may have any id', async () => {
    const questions = ['constructor', 'q{n}', '[0]'].map((id) => ({
      id,
      type: 'number',
      name: `Number ${id}`,
    }));
    const form = await home.form({ properties: [{ ...PEOPLE, questions }] });
    const page = await browser.page(DESKTOP);
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    await addAnother(page).click();
    await expect.poll(() => titles(page)).toEqual(['Person 1', 'Person 2']);
    for (const [entry, id, value] of [
      [0, 'constructor', '1'],
      [1, 'q{n}', '2'],
      [1, '[0]', '3'],
    ] as const)
      await page.locator('.entry').nth(entry).getByLabel(`Number ${id}`).fill(value);
    const entries = (await stored(page, form)).map(Object.entries);
    expect(entries).toEqual([
      [['constructor', 1]],
      [
        ['[0]', 3],
        ['q{n}', 2],
      ],
    ]);
  });
});

describe('by the API', () => {
  test('correcting other answers keeps what entries said to questions that are not asked any more', async () => {
    const form = await home.form({ properties: [PEOPLE], editable_submissions: true });
    const people = [
      { name: 'Ann', age: 7 },
      { name: 'Ben', age: 8 },
    ];
    const { submission_id: id } = (await home.submit(form, { people })).body;
    const properties = [{ ...PEOPLE, questions: PEOPLE.questions.filter(({ id }) => id !== 'age') }];
    expect((await home.call('PUT', `/open/forms/${form.id}`, { properties })).status).toBe(200);
    const [record] = await home.records(form);
    expect(record.submission_id).toBe(id);
    const change = { people: [{ name: 'Ann' }, { name: 'Benjamin' }] };
    expect((await home.call('PUT', `/open/forms/${form.id}/submissions/${record.id}`, change)).status).toBe(
      200,
    );
    const [after] = await home.records(form);
    expect(after.data.people).toEqual([{ name: 'Ann', age: 7 }, { name: 'Benjamin' }]);
  });

  test('entries are stored as they are sent, without blank ones and without what is no question', async () => {
    const form = await home.form({ properties: [PEOPLE] });
    const people = [{ name: 'Ann', age: '7', other: 1 }, {}, { name: 'Ben', meal: '' }];
    expect((await home.submit(form, { people })).status).toBe(200);
    const [record] = await home.records(form);
    expect(record.data.people).toEqual([{ name: 'Ann', age: 7 }, { name: 'Ben' }]);
  });

  test('what is no list of entries, too many of them, and wrong ones are refused with their places', async () => {
    const form = await home.form({ properties: [{ ...PEOPLE, max_entries: 2 }] });
    const problemsOf = async (people: unknown) =>
      expectInvalid(await home.submit(form, { people }), 'people').people;
    const ann = { name: 'Ann' };
    for (const people of ['Ann', ann, ['Ann'], [[ann]]])
      expect(await problemsOf(people)).toEqual(['The Who comes along? must be an array.']);
    expect(await problemsOf([ann, ann, ann])).toEqual([
      'The Who comes along? may not have more than 2 items.',
    ]);
    const wrong = { age: 'x', meal: 'Meat', days: 'Friday' };
    expect(await problemsOf([ann, wrong])).toEqual([
      'Person 2 – The Name field is required.',
      'Person 2 – The Age must be a number.',
      'Person 2 – The selected Meal is invalid.',
      'Person 2 – The Days must be an array.',
    ]);
    expect(await problemsOf([ann, { age: 3 }])).toEqual(['Person 2 – The Name field is required.']);
    expect(await problemsOf([{ age: 3 }, { ...ann, ...wrong }])).toEqual([
      'Person 1 – The Name field is required.',
      'Person 2 – The Age must be a number.',
      'Person 2 – The selected Meal is invalid.',
      'Person 2 – The Days must be an array.',
    ]);
    expect(await problemsOf([{ name: ' ', age: 'x' }, {}, { age: 3 }, ann])).toEqual([
      'The Who comes along? may not have more than 2 items.',
    ]);
  });

  test('a choice of too few is told beside what is wrong elsewhere in its entry, one that is wrong itself once', async () => {
    const days = { ...DAYS, id: 'days', type: 'multi_select', name: 'Days', min_selection: 2 };
    const bed = { id: 'bed', type: 'checkbox', name: 'Bed', required: true };
    const age = { id: 'age', type: 'number', name: 'Age' };
    const form = await home.form({ properties: [{ ...PEOPLE, questions: [days, bed, age] }] });
    const people = [
      { days: ['Friday'], bed: false, age: 'x' },
      { days: ['Monday'], bed: 'x' },
    ];
    expect(expectInvalid(await home.submit(form, { people }), 'people').people).toEqual([
      'Person 1 – Please select at least 2 options',
      'Person 1 – The Bed must be accepted.',
      'Person 1 – The Age must be a number.',
      'Person 2 – The selected Days is invalid.',
      'Person 2 – The Bed field must be true or false.',
    ]);
  });

  test('a form whose repeated questions are wrong is not saved', async () => {
    const problemsOf = async (members: Record<string, unknown>, ...keys: string[]) => {
      const properties = [{ ...PEOPLE, ...members }];
      const body = { workspace_id: home.workspaceId, title: 'T', properties };
      return expectInvalid(await home.call('POST', '/open/forms', body), 'properties', ...keys);
    };
    const one = { type: 'text', name: 'Name' };
    await problemsOf({ questions: [] }, 'properties.0.questions');
    await problemsOf({ questions: Array(21).fill(one) }, 'properties.0.questions');
    await problemsOf({ max_entries: 101 }, 'properties.0.max_entries');
    const key = 'properties.0.questions.0.select.options.1.max_submissions_count';
    const limited = { options: [{ name: 'Fish' }, { name: 'Beans', max_submissions_count: 2 }] };
    const meal = { type: 'select', name: 'Meal', select: limited };
    expect((await problemsOf({ questions: [meal] }, key))[key]).toEqual([
      'Options of questions that are repeated have no limit.',
    ]);
    await problemsOf(
      {
        questions: [
          { ...one, id: 'a' },
          { ...one, id: 'a' },
        ],
      },
      'properties.0.questions.1.id',
    );
    const errors = await problemsOf(
      { min_entries: 3, max_entries: 2, questions: [{ type: 'files', name: 'F' }, { type: 'text' }] },
      'properties.0.min_entries',
      'properties.0.questions.0.type',
      'properties.0.questions.1.name',
    );
    expect(errors['properties.0.min_entries']).toEqual([
      'At least 3 entries are needed, but at most 2 may be given.',
    ]);
    expect(errors['properties.0.questions.0.type']?.[0]).toMatch(/^The type must be one of: text, number/);
  });

  test('questions without an id get one, and keep it', async () => {
    const form = await home.form({
      properties: [{ ...PEOPLE, questions: [{ type: 'text', name: 'Name' }] }],
    });
    const [{ id }] = form.properties[0].questions;
    expect((await home.submit(form, { people: [{ [id]: 'Ann' }] })).status).toBe(200);
    const [record] = await home.records(form);
    expect(record.data.people).toEqual([{ [id]: 'Ann' }]);
  });
});
