import { expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { openResponses } from './responses.ts';
import { expectFine } from './screens.ts';

const browser = useBrowser();
const home = useHome();
const QUESTIONS = [
  { id: 'name', type: 'text', name: 'Name', required: true },
  { id: 'age', type: 'number', name: 'Age' },
  { id: 'swims', type: 'checkbox', name: 'Can swim' },
  { id: 'mail', type: 'email', name: 'E-mail' },
];
const GUESTS = aField('a1', 'repeat', 'Companions', {
  entry_name: 'Person',
  max_entries: 3,
  questions: QUESTIONS,
});

test('are read in one line and as a table', async () => {
  const form = await home.form({ properties: [GUESTS] });
  const answer = [
    { name: 'Ann', age: 3, swims: true },
    { name: 'Ben', mail: 'ben@example.com' },
  ];
  const { body } = await home.submit(form, { [GUESTS.id]: answer });
  const page = await openResponses(browser, home, form);
  const line = 'Name: Ann; Age: 3; Can swim: Yes | Name: Ben; E-mail: ben@example.com';
  await page.getByRole('table').getByText(line, { exact: true }).waitFor();
  await expectFine(page, 'entries in the list');

  const phone = await openResponses(browser, home, form, { path: `/${body.submission_id}`, device: PHONE });
  const table = phone.getByRole('dialog').getByRole('region', { name: 'Companions' });
  await table.getByRole('link', { name: 'ben@example.com' }).waitFor();
  const cells = async () =>
    (await table.getByRole('row').all()).length === 3
      ? Promise.all((await table.getByRole('row').all()).map((row) => row.locator('td').allInnerTexts()))
      : [];
  expect(await cells()).toEqual([[], ['Ann', '3', 'Yes', ''], ['Ben', '', '', 'ben@example.com']]);
  await expectFine(phone, 'entries of a response');
});

test('are changed, added and removed', async () => {
  const form = await home.form({ properties: [GUESTS] });
  const answer = [
    { name: 'Ann', age: 3 },
    { name: 'Ben', age: 5 },
  ];
  const { body } = await home.submit(form, { [GUESTS.id]: answer });
  const stored = async () => (await home.records(form))[0].data[GUESTS.id];
  const page = await openResponses(browser, home, form, { path: `/${body.submission_id}` });
  const panel = page.getByRole('dialog');
  await panel.getByRole('button', { name: 'Edit' }).click();
  const entry = (number: number) => panel.getByRole('group', { name: `Person ${number}`, exact: true });
  const focused = () => page.evaluate(() => document.activeElement?.closest('fieldset')?.textContent ?? '');
  // By keyboard alone: the focus goes into an added entry, and to the neighbour of a removed one.
  await panel.getByRole('button', { name: 'Add an entry' }).press('Enter');
  await expect.poll(focused).toContain('Person 3');
  await page.keyboard.type('Cleo');
  expect(await panel.getByRole('button', { name: 'Add an entry' }).getAttribute('aria-disabled')).toBe(
    'true',
  );
  await entry(1).getByRole('button', { name: 'Remove Person 1' }).press('Enter');
  await entry(3).waitFor({ state: 'detached' });
  await expect.poll(focused).toContain('Person 1');
  // The typed texts moved with their entries.
  expect(await entry(1).getByLabel('Age').inputValue()).toBe('5');
  expect(await entry(2).getByLabel('Name').inputValue()).toBe('Cleo');
  await entry(2).getByLabel('E-mail').fill('nonsense');
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByText('Not saved: look at 1 answer.').waitFor();
  await panel.getByRole('alert').getByText('Person 2 – ').waitFor();
  await expectFine(page, 'entries to be changed');
  await entry(2).getByLabel('E-mail').fill('');
  await entry(2).getByLabel('Can swim').check();
  await panel.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The response was saved.').waitFor();
  expect(await stored()).toEqual([
    { name: 'Ben', age: 5 },
    { name: 'Cleo', swims: true },
  ]);
});

test('an added entry gets the cursor, and arrows scroll the table of entries', async () => {
  const options = ['Fish', 'Meat'].map((name) => ({ id: name, name }));
  const food = { id: 'food', type: 'multi_select', name: 'Food', multi_select: { options } };
  const wide = Array.from({ length: 8 }, (_, index) => ({
    id: `q${index}`,
    type: 'text',
    name: `No. ${index}`,
  }));
  const form = await home.form({ properties: [{ ...GUESTS, questions: [QUESTIONS[0], food, ...wide] }] });
  await home.submit(form, { [GUESTS.id]: [{ name: 'Older' }] });
  const { body } = await home.submit(form, { [GUESTS.id]: [{ name: 'Ann', food: ['Fish'] }] });
  const page = await openResponses(browser, home, form, { path: `/${body.submission_id}` });
  const panel = page.getByRole('dialog');
  // The neighbour is known, so arrow keys would lead there.
  await expect
    .poll(() => panel.getByRole('button', { name: 'Next (j)' }).getAttribute('aria-disabled'))
    .not.toBe('true');
  const table = panel.getByRole('region', { name: 'Companions' });
  await table.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => table.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
  expect(page.url()).toContain(body.submission_id);
  await panel.getByRole('button', { name: 'Edit' }).click();
  await panel.getByRole('button', { name: 'Add an entry' }).press('Enter');
  await page.keyboard.type('Ben');
  await expect
    .poll(() => panel.getByRole('group', { name: 'Person 2' }).getByLabel('Name').inputValue())
    .toBe('Ben');
});

test('are not all rendered again when one answer is typed', async () => {
  const note = aField('a2', 'text', 'Note');
  const form = await home.form({ properties: [GUESTS, note] });
  const { body } = await home.submit(form, {
    [GUESTS.id]: [{ name: 'Ann' }, { name: 'Ben' }],
    [note.id]: 'a',
  });
  const page = await openResponses(browser, home, form, { path: `/${body.submission_id}` });
  const panel = page.getByRole('dialog');
  await panel.getByRole('button', { name: 'Edit' }).click();
  const inputs = panel.getByLabel('Name', { exact: true });
  await inputs.nth(1).waitFor();
  // A value set by a program stays in an input until the input is rendered again.
  const mark = () =>
    inputs.evaluateAll((all) => {
      for (const one of all) (one as HTMLInputElement).value = 'marked';
    });
  const values = () => inputs.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
  await panel.getByLabel('Note').press('End');
  await page.keyboard.type('b');
  // The first change makes the screen render once, since it now has unsaved changes.
  await expect.poll(() => panel.getByLabel('Note').inputValue()).toBe('ab');
  await mark();
  await page.keyboard.type('c');
  await expect.poll(() => panel.getByLabel('Note').inputValue()).toBe('abc');
  expect(await values()).toEqual(['marked', 'marked']);
  await panel.getByLabel('Age', { exact: true }).nth(1).press('5');
  await expect.poll(values).toEqual(['marked', 'Ben']);
});

test('of a question that asks no more, and of a field that is another now, are still read', async () => {
  const form = await home.form({ properties: [GUESTS] });
  const { body } = await home.submit(form, { [GUESTS.id]: [{ name: 'Ann', age: 3 }] });
  await home.call('PUT', `/open/forms/${form.id}`, {
    properties: [{ ...GUESTS, questions: QUESTIONS.slice(0, 1) }],
  });
  const page = await openResponses(browser, home, form, { path: `/${body.submission_id}` });
  const panel = page.getByRole('dialog');
  await panel.getByRole('columnheader', { name: 'Removed question' }).waitFor();
  await panel.getByRole('cell', { name: '3', exact: true }).waitFor();
  await home.call('PUT', `/open/forms/${form.id}`, { properties: [{ ...GUESTS, type: 'text' }] });
  await page.reload();
  await panel.getByText('"name":"Ann"').waitFor();
});
