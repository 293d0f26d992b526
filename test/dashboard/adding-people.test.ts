import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { aField, aTextField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { expectFine, signedInPage } from './screens.ts';

const POSTED = /\/recipients$/;

const browser = useBrowser();
const home = useHome();

const number = aField('02', 'text', 'Member number', { hidden: true });
const guests = aField('03', 'repeat', 'Guests', { questions: [aField('04', 'text', 'Name')] });
const stay = aField('05', 'date', 'Stay', { date_range: true });
const meal = aField('06', 'select', 'Meal', { select: { options: [{ name: 'Vegan' }, { name: 'Meat' }] } });

/** The dialog for adding people to a form that has no recipients yet. */
async function adding(): Promise<{ page: Page; form: { id: number } }> {
  const form = await home.form({ title: 'Members', properties: [aTextField(), number, guests, stay, meal] });
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/share?part=personal`);
  await press(page, 'Add people');
  return { page, form };
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const field = (page: Page) => page.getByLabel('People, one in a row');
const total = async ({ id }: { id: number }) =>
  (await home.call('GET', `/open/forms/${id}/personal-links`)).body.counts.new;

async function choose(page: Page, name: string, text: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, 'Choose a file …')]);
  await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
}

test('whoever was added before a call failed is not added again with the others', async () => {
  const { page, form } = await adding();
  let calls = 0;
  await page.route(POSTED, (route) => {
    if (route.request().method() === 'POST') calls += 1;
    return calls === 2 ? route.abort() : route.continue();
  });
  const people = Array.from({ length: 1_500 }, (_, at) => `Person ${at}`);
  await field(page).fill(people.join('\n'));
  await press(page, 'Add 1,500 people');
  await page.getByText('1,000 people are on the list now.').waitFor();
  await page.getByText('The next ones may be on the list all the same: look there first').waitFor();
  // The text may be corrected meanwhile.
  await field(page).fill([...people.slice(1), 'Cleo'].join('\n'));
  await press(page, 'Add 501 people');
  await page.getByText('0 of 1,501 answered').waitFor();
  expect(await total(form)).toBe(1_501);
});

test('as many go out in a call as the service takes, however much is filled in for each', async () => {
  const { page, form } = await adding();
  const rows = Array.from({ length: 1_000 }, (_, at) => `Person ${at},${'ä'.repeat(900)}`);
  await choose(page, 'much.csv', ['name,member number', ...rows].join('\n'));
  await press(page, 'Add 1,000 people');
  await page.getByText('0 of 1,000 answered').waitFor();
  expect(await total(form)).toBe(1_000);
});

test('nobody is told that a column fills in what no single text can', async () => {
  const { page } = await adding();
  await field(page).fill('name,Member number,Guests,Stay\nAda,4711,Bob,2026-12-24');
  await page.getByText('Filled in: Member number.').waitFor();
  await page.getByText('Columns that fill in no question: Guests, Stay.').waitFor();
});

test('who loses a place on the list to somebody with the same address is told, and what is no option', async () => {
  const { page, form } = await adding();
  const rows = [
    'name,email,Meal',
    'Ada,family@example.com,Vegan',
    'Bob,Family@example.com,Fish',
    'Cleo,c@example.com,',
    'Cleo,c@example.com,Vegan',
  ];
  await field(page).fill(rows.join('\n'));
  await page
    .getByText(
      'An address has one link, for whoever comes last with it. Of several people: family@example.com',
    )
    .waitFor();
  await page.getByText('Not an option of the form, so not filled in: Meal: Fish').waitFor();
  await expectFine(page, 'a shared address');
  await press(page, 'Add 2 people');
  await page.getByText('0 of 2 answered').waitFor();
  expect(await total(form)).toBe(2);
});

test('what is under way is not cancelled in appearance', async () => {
  const { page, form } = await adding();
  const gate = Promise.withResolvers<void>();
  await page.route(POSTED, async (route) => {
    if (route.request().method() === 'POST') await gate.promise;
    await route.continue();
  });
  await field(page).fill('Ada\nBob');
  await press(page, 'Add 2 people');
  await page.getByRole('button', { name: 'Cancel' }).and(page.locator('[aria-disabled=true]')).waitFor();
  await page.keyboard.press('Escape');
  await field(page).waitFor();
  gate.resolve();
  await page.getByText('2 people were added.').waitFor();
  await page.getByText('0 of 2 answered').waitFor();
  expect(await total(form)).toBe(2);
});

test('of two files chosen one after the other the second counts', async () => {
  const { page } = await adding();
  await page.evaluate(() => {
    const read = Blob.prototype.arrayBuffer;
    const gate = new Promise<void>((resolve) => Object.assign(window, { readOn: resolve }));
    const waiting = { ended: false };
    Object.assign(window, { waiting });
    Blob.prototype.arrayBuffer = async function (this: File) {
      if (this.name !== 'large.csv') return read.call(this);
      await gate;
      const bytes = await read.call(this);
      setTimeout(() => Object.assign(waiting, { ended: true }));
      return bytes;
    };
  });
  await choose(page, 'large.csv', 'Ada\nBob\nCleo');
  await choose(page, 'small.csv', 'Dan');
  await expect.poll(() => field(page).inputValue()).toBe('Dan');
  await page.evaluate('readOn()');
  await page.waitForFunction('waiting.ended');
  expect(await field(page).inputValue()).toBe('Dan');
});
