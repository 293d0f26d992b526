import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { TICKED } from '../../fields/html/read-post.ts';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { kept } from './begun-form.ts';
import { FIELDS } from './every-field.ts';
import { aVisitor, blockOf, shownStep } from './visitor.ts';

/** Pages that were opened before their form was changed. */
const home = useHome();
const browser = useBrowser();

const NAME = { id: 'name', type: 'text', name: 'Name', required: true };
const optionsOf = (...names: string[]) => ({ options: names.map((name) => ({ name, id: name })) });
const TOPIC = { id: 'topic', type: 'select', name: 'Topic', select: optionsOf('Sales', 'Support') };

const primary = (page: Page) => page.locator('.nav .primary');

/** A page on which everything is answered; the device keeps nothing. */
async function answered(properties: object[]): Promise<{ form: any; page: Page }> {
  const form = await home.form({ properties, auto_save: false });
  const page = await browser.page();
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  await page.getByLabel('Name').fill('Ada');
  return { form, page };
}

async function change(form: { id: number }, changes: Record<string, unknown>): Promise<void> {
  const { status, text } = await home.call('PUT', `/open/forms/${form.id}`, changes);
  expect(status, text).toBe(200);
}

test('a question whose options were replaced is asked with the new ones', async () => {
  const { form, page } = await answered([NAME, TOPIC]);
  await page.getByLabel('Topic').selectOption('Support');
  await change(form, { properties: [NAME, { ...TOPIC, select: optionsOf('Billing', 'Help') }] });
  await primary(page).click();
  await page.locator('#summary').getByText('The choice for “Topic” is not valid.').waitFor();
  await page.getByLabel('Topic').selectOption('Help');
  await primary(page).click();
  await page.locator('.thank-you').waitFor();
  expect((await home.records(form))[0].data).toMatchObject({ name: 'Ada', topic: 'Help' });
});

test('a question that has become another is asked as that', async () => {
  const { form, page } = await answered([NAME, { id: 'more', type: 'text', name: 'More' }]);
  await page.getByLabel('More').fill('Nothing');
  await change(form, { properties: [NAME, { ...TOPIC, id: 'more' }] });
  await primary(page).click();
  await page.getByLabel('Topic').selectOption('Sales');
  await primary(page).click();
  await page.locator('.thank-you').waitFor();
  expect((await home.records(form))[0].data).toMatchObject({ name: 'Ada', more: 'Sales' });
});

const ifAda = (action: string) => ({
  conditions: {
    operatorIdentifier: 'and',
    children: [
      {
        identifier: NAME.id,
        value: { operator: 'equals', property_meta: { id: NAME.id, type: 'text' }, value: 'Ada' },
      },
    ],
  },
  actions: [action],
});
const WHY = { id: 'why', type: 'text', name: 'Why' };
const ASKED = { ...WHY, required: true };
const PEOPLE = { id: 'people', type: 'repeat', name: 'People', questions: [WHY] };
const FIRST = { id: 'first', type: 'text', name: 'First', required: true };
const LATER = { id: 'later', type: 'nf-page-break', name: 'Later' };

test.each<[string, object[], object[], Record<string, string>]>([
  [
    'which a repeated one has got',
    [PEOPLE],
    [{ ...PEOPLE, required: true, questions: [WHY, FIRST] }],
    { First: 'Ann' },
  ],
  [
    'of a day that has become one of two days',
    [{ id: 'day', type: 'date', name: 'Day' }],
    [{ id: 'day', type: 'date', name: 'Day', date_range: true, required: true }],
    { From: '2026-12-01', To: '2026-12-03' },
  ],
  ['that is no longer hidden', [{ ...ASKED, logic: ifAda('hide-block') }], [ASKED], { Why: 'So' }],
  [
    'whose page is no longer hidden',
    [{ ...LATER, logic: ifAda('hide-block') }, ASKED],
    [LATER, ASKED],
    { Why: 'So' },
  ],
  ['that is no longer locked', [{ ...WHY, disabled: true }], [ASKED], { Why: 'So' }],
])('a question %s can be answered', async (_, before, after, answers) => {
  const { form, page } = await answered([NAME, ...before]);
  await change(form, { properties: [NAME, ...after] });
  await primary(page).click();
  await page.waitForURL(/visit=/);
  expect(await page.locator('[name=name]').inputValue()).toBe('Ada');
  for (const [label, answer] of Object.entries(answers)) await page.getByLabel(label).fill(answer);
  await primary(page).click();
  await page.locator('.thank-you').waitFor();
  expect(await home.records(form)).toHaveLength(1);
});

test('a captcha that the form asks for by now is shown', async () => {
  const { form, page } = await answered([NAME]);
  await change(form, { use_captcha: true });
  await primary(page).click();
  await page.locator('#summary').getByText('The check failed. Please try again.').waitFor();
  await primary(page).click();
  await page.locator('.thank-you').waitFor();
  expect(await home.records(form)).toHaveLength(1);
});

test('where the form is gone, the answers stay until it is back', async () => {
  const { form, page } = await answered([NAME]);
  await change(form, { visibility: 'draft' });
  await primary(page).click();
  await page
    .getByRole('alert')
    .getByText(/They are kept here; please try again\. Form not found/)
    .waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Ada');
  await change(form, { visibility: 'public' });
  await primary(page).click();
  await page.locator('.thank-you').waitFor();
  expect(await home.records(form)).toHaveLength(1);
});

test('behind a password that the form has got, the answers are there', async () => {
  const { form, page } = await answered([NAME, TOPIC]);
  await page.getByLabel('Topic').selectOption('Support');
  await change(form, { password: 'open sesame' });
  await primary(page).click();
  await page.getByLabel('Password').fill('open sesame');
  await primary(page).click();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ada');
  await primary(page).click();
  await page.locator('.thank-you').waitFor();
  expect((await home.records(form))[0].data).toMatchObject({ name: 'Ada', topic: 'Support' });
});

test('under a new address of the form the answers arrive', async () => {
  const { form, page } = await answered([NAME]);
  await change(form, { slug: `${form.slug}-moved` });
  await primary(page).click();
  await page.locator('.thank-you').waitFor();
  expect(page.url()).toContain('-moved/thank-you');
  expect(await home.records(form)).toHaveLength(1);
});

const AGREED = { id: 'agreed', type: 'checkbox', name: 'I agree', required: true };

test.each(['text', 'select'])('a question of type %s left empty is no ticked box', async (type) => {
  const visitor = aVisitor(home.service);
  const question = { ...TOPIC, type, id: 'agreed' };
  const repeated = (box: object) => ({
    id: 'people',
    type: 'repeat',
    name: 'People',
    questions: [NAME, box],
  });
  const form = await home.form({ properties: [NAME, question, repeated({ ...question, id: 'here' })] });
  const page = await visitor.open(`/forms/${form.slug}`);
  const here = { id: 'here', type: 'checkbox', name: 'Here' };
  await change(form, { properties: [NAME, AGREED, repeated(here)] });
  const asked = await visitor.send(page, { name: 'Ada' });
  expect(asked.text).toContain('“I agree” must be accepted.');
  await visitor.send(asked, { agreed: 'on' });
  const [{ data }] = await home.records(form);
  expect(data).toMatchObject({ agreed: true });
  expect(data.people ?? null).toBeNull();
});

const BOX = { id: 'box', type: 'checkbox', name: 'Box' };
/** One field of each type that can be answered. */
const EVERY_TYPE = [...new Map(FIELDS.map((field) => [field.type, field])).values()].filter(
  ({ type }) => !type.startsWith('nf-') && type !== BOX.type,
);

test.each(EVERY_TYPE)('a ticked box is no answer to a question of type $type', async (field) => {
  const visitor = aVisitor(home.service);
  const form = await home.form({ properties: [NAME, BOX] });
  const path = `/forms/${form.slug}`;
  const [ticked, left] = [await visitor.open(path), await visitor.open(path)];
  await change(form, { properties: [NAME, { ...field, ...BOX, type: field.type }] });
  const asked = await visitor.send(ticked, { name: 'Ada', box: TICKED });
  expect(asked.text).toMatch(/answers? needs? your attention/);
  expect(await home.records(form)).toEqual([]);
  expect((await visitor.send(asked)).path).toContain('/thank-you');
  expect((await visitor.send(left, { name: 'Bob' })).path).toContain('/thank-you');
  for (const { data } of await home.records(form)) expect(data.box ?? null).toBeNull();
});

test('a tick that the device keeps stays one, and is no text where the box has become a text', async () => {
  const form = await home.form({ properties: [NAME, BOX], auto_save: true });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Box').check();
  await expect.poll(() => kept(context)).toMatch(/Ada.*box/);
  const reloaded = async () => {
    await page.reload();
    await page.getByText('Your earlier answers have been restored.').waitFor();
    return page.getByLabel('Box');
  };
  expect(await (await reloaded()).isChecked()).toBe(true);
  // As earlier versions kept it.
  await page.evaluate((value) => {
    for (const [key, text] of Object.entries(localStorage))
      localStorage.setItem(key, text.replaceAll(value, 'on'));
  }, TICKED);
  expect(await kept(context)).toMatch(/box\W+on\W/);
  expect(await (await reloaded()).isChecked()).toBe(true);
  await page.getByLabel('Name').fill('Ada L.');
  await expect.poll(() => kept(context)).toContain('Ada L.');
  await change(form, { properties: [NAME, { ...BOX, type: 'text' }] });
  expect(await (await reloaded()).inputValue()).toBe('');
});

test('an address that says nothing of a box does not tick it', async () => {
  const form = await home.form({ properties: [NAME, AGREED] });
  const { open } = aVisitor(home.service);
  const isTicked = async (query: string) =>
    / name="agreed"[^>]* checked/.test((await open(`/forms/${form.slug}${query}`)).html);
  expect(await isTicked('?agreed=on')).toBe(true);
  expect(await isTicked('?agreed=')).toBe(false);
});

const TOPICS = { ...TOPIC, type: 'multi_select', multi_select: TOPIC.select };
const STAY = { id: 'topic', type: 'date', name: 'Topic', date_range: true };
const GRADES = {
  id: 'topic',
  type: 'matrix',
  name: 'Topic',
  rows: ['Food', 'Room'],
  columns: ['Good', 'Bad'],
};
const GUESTS = {
  id: 'topic',
  type: 'repeat',
  name: 'Topic',
  questions: [{ ...TOPICS, name: 'Topics' }],
};
const ORDER = { ...TOPIC, type: 'ranking', ranking: TOPIC.select };
const BOTH = { topic: ['Sales', 'Support'] };
const DAYS = { 'topic[0]': '2026-12-01', 'topic[1]': '2026-12-05' };

test.each<[object, Record<string, string | string[]>, object]>([
  [TOPICS, BOTH, TOPIC],
  [TOPICS, BOTH, { ...TOPIC, type: 'text' }],
  [TOPICS, BOTH, { ...TOPIC, allow_creation: true }],
  [TOPICS, BOTH, { ...TOPIC, select: optionsOf('Billing', 'Help'), allow_creation: true }],
  [STAY, DAYS, { ...STAY, date_range: false }],
  [STAY, DAYS, TOPICS],
  [GRADES, { 'topic[:Food]': 'Good' }, { ...TOPIC, type: 'text' }],
  [TOPICS, BOTH, GRADES],
  [GRADES, { 'topic[:Food]': 'Good' }, ORDER],
  [GRADES, { 'topic[:Food]': 'Good' }, GUESTS],
  [GRADES, { 'topic[:Food]': 'Good' }, STAY],
  [GRADES, { 'topic[:Food]': 'Good' }, { ...GRADES, rows: ['Meals', 'Beds'] }],
  [ORDER, { 'topic[:Sales]': '2', 'topic[:Support]': '1' }, GRADES],
  [GUESTS, { 'topic[0][topic]': BOTH.topic }, GRADES],
  [STAY, DAYS, GUESTS],
  [GUESTS, { 'topic[0][topic]': BOTH.topic }, { ...GUESTS, questions: [TOPIC] }],
])('no part of an answer is left out where the type was changed, %#', async (before, answer, after) => {
  const visitor = aVisitor(home.service);
  const form = await home.form({ properties: [NAME, before] });
  const page = await visitor.open(`/forms/${form.slug}`);
  const empty = await visitor.open(`/forms/${form.slug}`);
  await change(form, { properties: [NAME, after] });
  const asked = await visitor.send(page, { name: 'Ada', ...answer });
  expect(asked.text).toContain('One answer needs your attention');
  expect(await home.records(form)).toEqual([]);
  expect((await visitor.send(empty, { name: 'Bob' })).path).toContain('/thank-you');
});

const QUESTIONS = ['a', 'b', 'c', 'd'].map((id) => ({ id, type: 'text', name: id.toUpperCase() }));
const PAGE_END = { type: 'nf-page-break', name: 'Break' };
/** A form of these questions, with page breaks where the letters have blanks. */
const pagesOf = (letters: string) =>
  [...letters].map(
    (letter, index) => QUESTIONS.find(({ id }) => id === letter) ?? { ...PAGE_END, id: `break-${index}` },
  );

test('without a script no page is skipped where pages before it were joined, or put in', async () => {
  const visitor = aVisitor(home.service);
  for (const after of ['ab c d', 'd a b c']) {
    const form = await home.form({ properties: pagesOf('a b c d') });
    const second = await visitor.send(await visitor.open(`/forms/${form.slug}`), { a: '1' });
    await change(form, { properties: pagesOf(after) });
    const third = await visitor.send(second, { b: '2' });
    expect(blockOf(third, 'c')).toBe('C');
    expect(shownStep(third)).toBe(after.startsWith('d') ? '3' : '1');
  }
});

test('without a script a choice that was renamed is asked again, before the form goes on', async () => {
  const visitor = aVisitor(home.service);
  const properties = (name: string) => [
    { ...TOPIC, select: { options: [{ name, id: 'red' }] } },
    ...pagesOf(' a b'),
  ];
  const form = await home.form({ properties: properties('Red') });
  const second = await visitor.send(await visitor.open(`/forms/${form.slug}`), { topic: 'Red' });
  await change(form, { properties: properties('Crimson') });
  const asked = await visitor.send(second, { a: '1' });
  expect(shownStep(asked)).toBe('0');
  expect(asked.text).toContain('The choice for “Topic” is not valid.');
  const again = await visitor.send(asked, { topic: 'Crimson' });
  await visitor.send(await visitor.send(again), { b: '2' });
  expect((await home.records(form))[0].data).toMatchObject({ topic: 'Crimson', a: '1', b: '2' });
});

test('without a script a choice that is no longer offered is named when its page is shown again', async () => {
  const visitor = aVisitor(home.service);
  const topics = { ...TOPICS, id: 'topics', name: 'Topics' };
  const grades = { ...GRADES, id: 'grades', name: 'Grades' };
  const form = await home.form({ properties: [TOPIC, topics, grades, BOX, ...pagesOf(' a b')] });
  const first = await visitor.open(`/forms/${form.slug}`);
  const answers = { topic: 'Support', topics: BOTH.topic, 'grades[:Food]': 'Good', box: TICKED };
  const second = await visitor.send(first, answers);
  const untouched = await visitor.send(second, {}, { button: 'quiet' });
  expect(untouched.text).not.toContain('attention');
  await change(form, {
    properties: [
      { ...TOPIC, select: optionsOf('Sales', 'Help') },
      { ...topics, multi_select: optionsOf('Sales', 'Help') },
      { ...grades, columns: ['Great', 'Bad'] },
      { ...BOX, type: 'text' },
      ...pagesOf(' a b'),
    ],
  });
  const back = await visitor.send(second, {}, { button: 'quiet' });
  for (const shown of [back, await visitor.open(back.path)]) {
    expect(shownStep(shown)).toBe('0');
    expect(shown.text).toContain('4 answers need your attention');
    expect(blockOf(shown, 'topic')).toContain('The choice for “Topic” is not valid.');
    expect(blockOf(shown, 'topics')).toContain('The choice for “Topics” is not valid.');
  }
  const third = await visitor.send(await visitor.send(back), { a: '1' });
  expect((await visitor.send(third)).path).toContain('/thank-you');
  const [{ data }] = await home.records(form);
  expect(data).toMatchObject({ topics: ['Sales'], a: '1' });
});

test('after a reload the page names a choice that is no longer offered', async () => {
  const form = await home.form({ properties: [NAME, TOPIC], auto_save: true });
  const context = await browser.context();
  const page = await context.newPage();
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Topic').selectOption('Support');
  await expect.poll(() => kept(context)).toMatch(/Ada.*Support/);
  await change(form, { properties: [NAME, { ...TOPIC, select: optionsOf('Sales', 'Help') }] });
  await page.reload();
  const restored = page.locator('.restored');
  await restored.getByText('Your earlier answers have been restored.').waitFor();
  expect(await restored.textContent()).toContain('The choice for “Topic” is not valid.');
  expect(await page.getByLabel('Name').inputValue()).toBe('Ada');
});
