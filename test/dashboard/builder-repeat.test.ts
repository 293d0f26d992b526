import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();
const GUESTS = {
  id: 'guests',
  type: 'repeat',
  name: 'Guests',
  entry_name: 'Guest',
  questions: [
    { id: 'name', type: 'text', name: 'Name', required: true },
    { id: 'meal', type: 'select', name: 'Meal', select: { options: [{ id: 'f', name: 'Fish' }] } },
  ],
};

const WIDE: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };

async function build(properties: object[], device = WIDE) {
  const form = await home.form({ properties });
  const page = await signedInPage(browser, home.service.url, home.ada, device);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/build`);
  await page.getByRole('textbox', { name: 'Title of the form' }).waitFor();
  const draft = async () => (await home.call('GET', `/open/forms/${form.id}/draft`)).body.definition;
  return { page, form, draft };
}

/** The names of the questions, without those of options. */
const names = (page: Page) =>
  page
    .getByRole('textbox', { name: /^Question \d+$/ })
    .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
const expectNames = (page: Page, ...wanted: string[]) => expect.poll(() => names(page)).toEqual(wanted);
const expectFocus = (page: Page, name: string) =>
  expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(name);

test('questions of entries are written, moved, set and undone by keys alone', async () => {
  const { page, draft } = await build([{ id: 'a', type: 'text', name: 'A' }]);
  await page.getByRole('button', { name: 'Repeated questions', exact: true }).press('Enter');
  await expectNames(page, 'Name', 'Age');
  await page.getByRole('textbox', { name: 'Question 2' }).press('Enter');
  await expectFocus(page, 'Question 3');
  await page.keyboard.type('Meal');
  await expectNames(page, 'Name', 'Age', 'Meal');
  await page.keyboard.press('Alt+ArrowUp');
  await expectNames(page, 'Name', 'Meal', 'Age');
  await expectFocus(page, 'Question 2');
  await page.getByLabel('Type of question 2').selectOption({ label: 'Dropdown' });
  await page.getByLabel('Question 2 is required').press('Space');
  await page.getByRole('button', { name: 'Settings of question 2' }).press('Enter');
  const settings = page.getByRole('group', { name: 'Settings of question 2' });
  await settings.getByRole('textbox', { name: 'Option 1' }).fill('Fish');
  await settings.getByLabel('Help').fill('For the kitchen');
  await settings.getByRole('switch', { name: 'Half as wide' }).press('Space');
  await expectFine(page, 'settings of a question');
  const saved = async () =>
    ((await draft())?.properties?.[1]?.questions ?? []).map(({ id: _, ...question }: any) => question);
  await expect.poll(async () => (await saved())[1]?.width).toBe('1/2');
  expect((await saved())[1]).toMatchObject({
    type: 'select',
    name: 'Meal',
    required: true,
    help: 'For the kitchen',
    select: { options: [{ name: 'Fish' }, { name: 'Option 2' }, { name: 'Option 3' }] },
  });
  // While a question's options are open, Enter still leads to the next question.
  await page.getByRole('textbox', { name: 'Question 3' }).press('Enter');
  await expectFocus(page, 'Question 4');
  await page.getByRole('button', { name: 'Remove question 4' }).press('Enter');
  await expectFocus(page, 'Question 3');
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await undo.click();
  await expectNames(page, 'Name', 'Meal', 'Age', 'Question 4');
  for (let step = 0; step < 2; step += 1) await undo.click();
  await expectNames(page, 'Name', 'Meal', 'Age');
  await expect.poll(() => settings.getByRole('switch', { name: 'Half as wide' }).isChecked()).toBe(false);
});

test('what is wrong with a question is told at its block, and there are twenty at most', async () => {
  const questions = Array.from({ length: 19 }, (_, index) => ({
    id: `q${index}`,
    type: 'text',
    name: `No. ${index}`,
  }));
  const { page } = await build([{ ...GUESTS, questions }], PHONE);
  await page.getByRole('button', { name: 'Settings of Guests' }).press('Enter');
  const add = page.getByRole('button', { name: 'Add question' });
  await add.press('Enter');
  await expect.poll(async () => (await names(page)).length).toBe(20);
  await expect.poll(() => add.getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('textbox', { name: 'Question 20' }).press('Enter');
  await page.getByRole('textbox', { name: 'Question 20' }).fill(' ');
  await page.getByText('Question 20: It has no name.').waitFor();
  await page.getByLabel('At least').fill('5');
  await page.getByLabel('At most').fill('3');
  await page.getByText('At least 5 entries are needed, but at most 3 may be given.').waitFor();
  expect(await names(page)).toHaveLength(20);
  await expectFine(page, 'problems of questions');
});

const paste = (page: Page, text: string) =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }, text);

test('pasting and holding Backspace take no question away that is something already', async () => {
  const { page, draft } = await build([
    {
      ...GUESTS,
      questions: [
        ...GUESTS.questions,
        { ...GUESTS.questions[1], id: 'q3', name: 'Question 3' },
        { id: 'q4', type: 'text', name: 'Question 4', required: false },
        ...Array.from({ length: 13 }, (_, index) => ({
          id: `n${index}`,
          type: 'text',
          name: `No. ${index}`,
        })),
      ],
    },
  ]);
  const numbered = Array.from({ length: 13 }, (_, index) => `No. ${index}`);
  await page.getByRole('button', { name: 'Settings of Guests' }).press('Enter');
  await expectNames(page, 'Name', 'Meal', 'Question 3', 'Question 4', ...numbered);
  // A name pasted over another renames the same question; only default names are replaced.
  await page.getByRole('textbox', { name: 'Question 2', exact: true }).selectText();
  await paste(page, 'Food\nDiet\n');
  await expectNames(page, 'Name', 'Food', 'Diet', 'Question 3', ...numbered);
  await expectFocus(page, 'Question 3');
  const stored = async () => (await draft())?.properties?.[0]?.questions ?? [];
  await expect.poll(async () => (await stored())[1]).toMatchObject({ ...GUESTS.questions[1], name: 'Food' });
  // Above the maximum, the last pasted names are dropped.
  await page.getByRole('textbox', { name: 'Question 1', exact: true }).press('End');
  await paste(page, 'A\nB\nC\nD\nE');
  await expectNames(page, 'Name', 'A', 'B', 'C', 'Food', 'Diet', 'Question 3', ...numbered);
  await expectFocus(page, 'Question 4');
  await page.keyboard.press('End');
  await paste(page, 'F\nG');
  for (let times = 0; times < 4; times += 1) await page.keyboard.down('Backspace');
  await page.keyboard.up('Backspace');
  await expectNames(page, 'Name', 'A', 'B', '', 'Food', 'Diet', 'Question 3', ...numbered);
  await page.keyboard.press('Backspace');
  await expectNames(page, 'Name', 'A', 'B', 'Food', 'Diet', 'Question 3', ...numbered);
});

test('logic asks how many entries there are, and a copy has questions of its own', async () => {
  const { page, draft } = await build([GUESTS, { id: 'bus', type: 'checkbox', name: 'A bus' }]);
  await page.getByRole('button', { name: 'Settings of A bus' }).press('Enter');
  await page.getByRole('tab', { name: 'Logic' }).click();
  await page.getByRole('button', { name: 'Add logic' }).click();
  await page.getByLabel('Comparison').selectOption({ label: 'has more entries than' });
  await page.getByRole('spinbutton', { name: 'Value' }).fill('8');
  await page.getByRole('button', { name: 'Settings of A bus' }).press('Enter');
  await page.getByText(/when Guests has more entries than 8$/).waitFor();
  await page.getByRole('button', { name: 'Move Guests' }).press('Control+d');
  const ids = async () =>
    ((await draft())?.properties ?? []).flatMap(({ questions = [] }: any) =>
      questions.map(({ id }: any) => id),
    );
  await expect.poll(async () => new Set(await ids()).size).toBe(4);
});

test('the texts of questions are said in other languages', async () => {
  const form = await home.form({ properties: [GUESTS], translations: { de: {} } });
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(
    `${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/settings?part=languages`,
  );
  const write = (name: string, text: string) => page.getByRole('textbox', { name, exact: true }).fill(text);
  await write('What an entry is called Guest', 'Gast');
  await write('Question 2 Meal', 'Essen');
  await write('Option of question 2 Fish', 'Fisch');
  await expectFine(page, 'texts of questions');
  await page.getByRole('button', { name: /^Save/ }).click();
  await expect
    .poll(async () => (await home.call('GET', `/open/forms/${form.id}`)).body.translations.de.properties)
    .toEqual({
      guests: { entry_name: 'Gast', questions: { meal: { name: 'Essen', labels: { Fish: 'Fisch' } } } },
    });
});
