import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DESKTOP, PHONE, useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

const PRICE = aField('01', 'number', 'Price');
const COUNT = aField('02', 'number', 'How many?');
const CODE = aField('03', 'text', 'Discount code');
const BLOCKS = [PRICE, COUNT, CODE];

async function open(
  form: { id: number },
  screen = 'settings?part=calculations',
  device: BrowserContextOptions = DESKTOP,
): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, home.ada, device);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/${screen}`);
  return page;
}

const read = async (form: { id: number }) => (await home.call('GET', `/open/forms/${form.id}`)).body;
const card = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
const formulaOf = (page: Page, name: string) => card(page, name).getByLabel('Formula', { exact: true });

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('region', { name: 'Changes' }).waitFor({ state: 'detached' });
}

async function insert(page: Page, into: string, name: string): Promise<void> {
  await page.getByRole('button', { name: `Insert question into ${into}`, exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
  // The menu closes first; keys pressed before that are lost.
  await until(async () => (await formulaOf(page, into).inputValue()).endsWith(`{${name}}`));
}

test('a form computes what was written with names, and asks for it and says it', async () => {
  const form = await home.form({ properties: BLOCKS, submitted_text: '<p>That makes</p>' });
  const page = await open(form);
  await page.getByText('No calculations yet.').waitFor();
  await page.getByRole('button', { name: 'Add calculation' }).click();
  await page.keyboard.type('Net');
  await insert(page, 'Net', 'Price');
  await page.keyboard.type(' * ');
  await insert(page, 'Net', 'How many?');
  await expect.poll(() => formulaOf(page, 'Net').inputValue()).toBe('{Price} * {How many?}');
  await page.getByRole('button', { name: 'Add calculation' }).click();
  await page.keyboard.type('Total');
  await card(page, 'Total').getByLabel('Result').selectOption('A number');
  // Nothing is reported before a formula is begun; then problems are named with the names of questions.
  await formulaOf(page, 'Total').fill('{Prise} * 2');
  await page.getByText('The published form has no question “Prise”').waitFor();
  await formulaOf(page, 'Total').fill('{Price} {Net}');
  await page.getByText('The formula cannot be read: “Net” is not expected there.').waitFor();
  await expectFine(page, 'calculations');
  await formulaOf(page, 'Total').fill('{ Net } * 1.19');
  await card(page, 'Total').getByRole('alert').waitFor({ state: 'detached' });
  // A calculation that depends on this one is not offered, since that would be a circle.
  await page.getByRole('button', { name: 'Insert question into Net' }).click();
  await page.getByRole('menuitem', { name: 'Discount code' }).waitFor();
  await expect
    .poll(() => page.getByRole('menuitem').allTextContents())
    .toEqual(BLOCKS.map(({ name }) => name));
  await page.keyboard.press('Escape');
  // A renamed calculation is renamed in all formulas.
  await page.getByLabel('Name', { exact: true }).first().fill('Before tax');
  await expect.poll(() => formulaOf(page, 'Total').inputValue()).toBe('{Before tax} * 1.19');

  await page.getByText('Try it').click();
  await page.getByLabel('Price', { exact: true }).fill('12.5');
  await page.getByLabel('How many?').fill('4');
  await page.getByRole('definition').filter({ hasText: '59.5' }).waitFor();
  await page.getByText('What a formula can do').click();
  await page.getByText('The square root').waitFor();
  await expectFine(page, 'calculations with all they can do');

  await page.getByRole('link', { name: /^After sending/ }).click();
  const text = page.getByRole('textbox', { name: 'Thank-you text' });
  await text.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' ');
  await page.getByRole('button', { name: 'Insert field into Thank-you text' }).click();
  await page.getByText('Calculations', { exact: true }).last().waitFor();
  await expectFine(page, 'fields to insert');
  await page.getByRole('menuitem', { name: 'Total' }).click();
  await page.getByLabel('Without a result of Total').fill('nothing');
  await save(page);

  const stored = await read(form);
  const [net, total] = stored.computed_variables;
  expect(net).toEqual({
    id: expect.stringMatching(/^cv_[0-9a-f-]{36}$/),
    name: 'Before tax',
    formula: `{${PRICE.id}} * {${COUNT.id}}`,
  });
  expect(total).toMatchObject({ name: 'Total', formula: `{${net.id}} * 1.19`, result_type: 'number' });
  expect(stored.submitted_text).toContain(`mention-field-id="${total.id}" mention-fallback="nothing"`);

  await page.getByRole('link', { name: 'Build', exact: true }).click();
  await page.getByRole('button', { name: 'Settings of Discount code' }).click();
  await page.getByRole('tab', { name: 'Logic' }).click();
  await page.getByRole('button', { name: 'Add logic' }).click();
  const field = page.getByRole('combobox', { name: 'Field' });
  await expect
    .poll(() => field.locator('optgroup[label=Calculations] option').allTextContents())
    .toEqual(['Before tax', 'Total']);
  await field.selectOption('Total');
  await page.getByRole('combobox', { name: 'Comparison' }).selectOption('is at least');
  await page.getByLabel('Value').fill('119');
  await page.getByRole('tabpanel').getByText('Show only when Total is at least 119.').waitFor();
  await expectFine(page, 'logic about a calculation');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('No problems found.').waitFor();
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('The form is published.').waitFor();

  const visitor = await browser.page();
  await visitor.goto(`${home.service.url}/forms/${form.slug}`);
  await visitor.getByLabel('Price').fill('50');
  await visitor.getByLabel('How many?').fill('1');
  expect(await visitor.getByLabel('Discount code').isVisible()).toBe(false);
  await visitor.getByLabel('How many?').fill('2');
  await visitor.getByLabel('Discount code').fill('X');
  await visitor.getByRole('button', { name: 'Submit' }).click();
  await visitor.getByText('That makes 119').waitFor();
});

const TOTAL = { id: 'cv_total', name: 'Total', formula: `{${PRICE.id}} * 2` };
const whenTotal = {
  operatorIdentifier: 'and',
  children: [
    {
      identifier: 'cv_total',
      value: { operator: 'equals', property_meta: { id: 'cv_total', type: 'computed' }, value: '4' },
    },
  ],
};

test('what the service refuses is told with names, on a phone too', async () => {
  const form = await home.form({ properties: BLOCKS, computed_variables: [TOTAL] });
  const page = await open(form, 'settings?part=calculations', PHONE);
  await formulaOf(page, 'Total').fill('{Price} * {Total}');
  // Saved sooner than a problem is shown while typing.
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Not saved: look at Calculations').waitFor();
  await page.getByText('It leads back to itself').waitFor();
  await expect.poll(() => formulaOf(page, 'Total').getAttribute('aria-invalid')).toBe('true');
  await formulaOf(page, 'Total').fill('{Price} * 3');
  await save(page);
  expect((await read(form)).computed_variables).toEqual([{ ...TOTAL, formula: `{${PRICE.id}} * 3` }]);
  // A deleted question keeps its name in formulas.
  await home.call('PUT', `/open/forms/${form.id}`, { properties: [COUNT, CODE] });
  await page.reload();
  await page.getByText('The published form has no question “Price”').waitFor();
  await expect.poll(() => formulaOf(page, 'Total').inputValue()).toBe('{Price} * 3');
});

test('a mail is sent where a calculation says so, and says it; it is no answer to choose', async () => {
  const form = await home.form({ properties: [PRICE], computed_variables: [TOTAL] });
  const page = await open(form, 'integrations/new?provider=email');
  await page.getByRole('button', { name: 'Insert field into Subject' }).click();
  await page.getByRole('menuitem', { name: 'Total' }).click();
  await page.getByLabel('Without a result of Total').waitFor();
  await page.getByLabel('Answers in the mail').selectOption('Only chosen ones');
  const chosen = page.getByRole('group', { name: 'Chosen answers' });
  await expect.poll(() => chosen.locator('label').allInnerTexts()).toEqual(['Price']);
  await page.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByRole('combobox', { name: 'Field' }).selectOption('Total');
  await page.getByLabel('Value').fill('4');
  await page.getByText('Only when Total is 4').waitFor();
  await page.getByRole('checkbox', { name: 'Price' }).check();
  await page.getByRole('button', { name: 'Add integration' }).click();
  await page.waitForURL(/integrations.\d+/);
  const { body } = await home.call('GET', `/open/forms/${form.id}/integrations`);
  expect(body).toMatchObject([
    { data: { subject: expect.stringContaining('mention-field-id="cv_total"') }, logic: whenTotal },
  ]);
});

test('one that is still used goes when that was said; what asks for it says that it is gone', async () => {
  const form = await home.form({
    properties: [PRICE, { ...CODE, hidden: true, logic: { conditions: whenTotal, actions: ['show-block'] } }],
    computed_variables: [TOTAL, { id: 'cv_alone', name: 'Alone', formula: '{cv_total} + 1' }],
  });
  const hook = await home.call('POST', `/open/forms/${form.id}/integrations`, {
    integration_id: 'webhook',
    status: 'active',
    logic: whenTotal,
    data: { webhook_url: 'https://example.com/hook' },
  });
  expect(hook.status).toBe(200);
  const integrations = await open(form, 'integrations');
  await integrations.getByText('Only when Total is 4').waitFor();

  const page = await open(form);
  await page.getByRole('button', { name: 'Remove Total' }).click();
  await page.getByRole('alertdialog').waitFor();
  expect(await page.getByRole('alertdialog').getByRole('listitem').allTextContents()).toEqual([
    'The calculation “Alone”',
    'The logic of “Discount code”',
    'An integration: Webhook',
  ]);
  await expectFine(page, 'a calculation that is used');
  await page.getByRole('button', { name: 'Remove calculation' }).click();
  await page.getByText('there is no calculation of that name').waitFor();
  await expect.poll(() => formulaOf(page, 'Alone').inputValue()).toBe('{Total} + 1');
  await page.getByRole('button', { name: 'Remove Alone' }).click();
  await card(page, 'Alone').waitFor({ state: 'detached' });
  await save(page);
  expect((await read(form)).computed_variables).toEqual([]);

  await page.getByRole('link', { name: 'Build', exact: true }).click();
  await page.getByText('Its logic asks about a calculation that was deleted.').first().waitFor();
  await page.getByRole('button', { name: 'Settings of Discount code' }).click();
  await page.getByRole('tab', { name: 'Logic' }).click();
  await page.getByText('The calculation was deleted: this never holds.').waitFor();
  await page.getByText('Show only when a deleted calculation is 4').first().waitFor();
});
