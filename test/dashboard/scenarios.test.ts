import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { DESKTOP, PHONE, useBrowser } from '../setup/browser.ts';
import type { TestUser } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

const when = (operator: string, value: unknown) => ({
  operatorIdentifier: 'and',
  children: [{ identifier: 'age', value: { operator, property_meta: { id: 'age', type: 'number' }, value } }],
});
const AGE = { id: 'age', type: 'number', name: 'Age', required: true };
const MAIL = { id: 'mail', type: 'email', name: 'Mail' };
const CODE = {
  id: 'code',
  type: 'text',
  name: 'Code',
  hidden: true,
  logic: { conditions: when('greater_than_or_equal_to', 18), actions: ['show-block', 'require-answer'] },
};
const BROKEN = { properties: [AGE, MAIL, { ...CODE, hidden: false, required: true, logic: {} }] };

let form: { id: number; slug: string };
beforeEach(async () => {
  form = await home.form({
    title: 'Club',
    properties: [AGE, MAIL, CODE],
    computed_variables: [{ id: 'cv_twice', name: 'Twice', formula: '{age} * 2', result_type: 'number' }],
    endings: [{ id: 'young', name: 'Too young', conditions: when('less_than', 18) }],
  });
});

const path = () => `/open/forms/${form.id}/scenarios`;
const saved = async () => (await home.call('GET', path())).body;
const aScenario = (body: object) =>
  home.call('POST', path(), { name: 'Child', answers: { age: 7 }, ...body });
const draft = (body: object) => home.call('PUT', `/open/forms/${form.id}/draft`, body);

async function open(
  screen = 'build/scenarios',
  { person = home.ada, device = DESKTOP }: { person?: TestUser; device?: BrowserContextOptions } = {},
): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, person, device);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/${screen}`);
  return page;
}
const previewed = (page: Page) => page.frameLocator('iframe[title="Preview of the form"]');
const scenario = (page: Page, name: string) => page.getByRole('article', { name });
const differences = (page: Page, name: string) =>
  scenario(page, name).getByRole('list', { name: 'What differs' }).getByRole('listitem').allInnerTexts();

test('a scenario is made by filling in the preview, sent or not, and expects what happens now', async () => {
  const page = await open('build');
  await page.getByRole('button', { name: 'Scenarios' }).click();
  await page.getByText('No scenarios yet').waitFor();
  await expectFine(page, 'no scenarios');
  await page.getByRole('button', { name: 'Add a scenario' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Adult');
  await previewed(page).getByLabel('Age').fill('40');
  await previewed(page).getByLabel('Code').fill('x1');
  await expectFine(page, 'adding a scenario');
  // What was filled in is not lost by a wrong click.
  await page.getByRole('button', { name: 'Cancel' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByText('The answers of this scenario would be lost.').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Add scenario' }).click();
  await scenario(page, 'Adult').getByText('Passed').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Adult');
  await page.getByRole('button', { name: 'Add a scenario' }).click();
  await page.getByLabel('Name', { exact: true }).fill('adult');
  await previewed(page).getByLabel('Age').fill('7');
  await previewed(page).getByLabel('Mail').press('Enter');
  await previewed(page).locator('form#form').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Add scenario' }).click();
  await page.getByText('Another scenario has this name.').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Child');
  await page.getByRole('checkbox', { name: 'Blocks publishing' }).check();
  await page.getByRole('button', { name: 'Add scenario' }).click();
  await scenario(page, 'Child').getByText('Passed').waitFor();
  expect(await saved()).toMatchObject([
    {
      name: 'Adult',
      answers: { age: '40', code: 'x1' },
      expected: { outcome: 'accepted', shown: ['code'], computed: { cv_twice: 80 }, ending: 'none' },
      blocks_publishing: false,
    },
    {
      name: 'Child',
      answers: { age: '7' },
      expected: { outcome: 'accepted', hidden: ['code'], computed: { cv_twice: 14 }, ending: 'young' },
      blocks_publishing: true,
    },
  ]);
  await page.getByText('All pass.').waitFor();
});

test('what differs is told, and what is expected is changed', async () => {
  await aScenario({});
  await aScenario({ name: 'Old', answers: { gone: 1 }, expected: { outcome: 'accepted', shown: ['gone'] } });
  await draft(BROKEN);
  const page = await open();
  await page.getByText('2 of 2 fail.').waitFor();
  expect(await differences(page, 'Child')).toEqual([
    'The answers should be accepted, but are refused: The Code field is required.',
    '“Code” should be hidden, but is shown.',
  ]);
  expect((await differences(page, 'Old')).at(-1)).toBe('“gone” is not in the form any more.');
  await scenario(page, 'Old').getByText('does not have: gone.').waitFor();
  await expectFine(page, 'scenarios that fail');
  await page.getByLabel('Run against').selectOption('As published');
  await page.getByText('1 of 2 fail.').waitFor();
  await page.getByLabel('Run against').selectOption('With unpublished changes');
  await scenario(page, 'Child').getByRole('button', { name: 'Expect what happens now' }).click();
  await page.getByText('1 of 2 fail.').waitFor();
  await scenario(page, 'Child').getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit scenario' });
  expect(await dialog.getByRole('checkbox', { name: 'Code' }).isChecked()).toBe(true);
  await expectFine(page, 'editing a scenario');
  await dialog.getByLabel('Name').fill('Kid');
  await dialog.getByLabel('The answers are').selectOption('accepted');
  await dialog.getByLabel('They lead to').selectOption('Too young');
  await dialog.getByLabel('Value of Twice').fill('15');
  await dialog.getByRole('checkbox', { name: 'Blocks publishing' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await scenario(page, 'Kid').getByText('“Twice” should be 15, but is 14.').waitFor();
  expect((await saved())[0]).toMatchObject({
    name: 'Kid',
    expected: { outcome: 'accepted', errors: [], computed: { cv_twice: 15 }, ending: 'young' },
    blocks_publishing: true,
  });
  await scenario(page, 'Old').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete scenario' }).click();
  await expect.poll(saved).toHaveLength(1);
  await page.getByText('Old is deleted.').waitFor();
});

test('whoever publishes is told of scenarios that fail, and refused where one of them blocks it', async () => {
  const { id } = (await aScenario({ blocks_publishing: true })).body.scenario;
  await draft(BROKEN);
  const page = await open('build');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish the changes?' });
  await dialog.getByText('keeps the form from being published').waitFor();
  await expectFine(page, 'publishing');
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await dialog.getByText(/The scenario “Child” fails/).waitFor();
  await home.call('PUT', `${path()}/${id}`, { blocks_publishing: false });
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('The form is published.').waitFor();
});

test('a form that could not go online for the first time is not opened by a later publishing elsewhere', async () => {
  const ofForm = (rest = '') => `/open/forms/${form.id}${rest}`;
  const visibility = async () => (await home.call('GET', ofForm())).body.visibility;
  await home.call('PUT', ofForm(), { visibility: 'draft' });
  const { id } = (await aScenario({ blocks_publishing: true })).body.scenario;
  await draft(BROKEN);
  const page = await open('build');
  const publish = page.getByRole('button', { name: 'Publish', exact: true });
  await publish.click();
  const dialog = page.getByRole('dialog', { name: 'Publish this form?' });
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await dialog.getByText(/The scenario “Child” fails/).waitFor();
  await dialog.getByRole('button', { name: 'Not yet' }).click();
  await home.call('PUT', `${path()}/${id}`, { blocks_publishing: false });
  expect((await home.call('POST', ofForm('/draft/publish'))).status).toBe(200);
  expect(await visibility()).toBe('draft');
  // What is built now is the same; going online needs no change.
  await page.reload();
  await publish.click();
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('The form is published.').waitFor();
  expect(await visibility()).toBe('public');
});

test('whoever may not change the form sees the scenarios, also on a phone', async () => {
  await aScenario({});
  const person = await home.member('readonly');
  const page = await open('build/scenarios', { person, device: PHONE });
  await page.getByText('The scenario passes.').waitFor();
  for (const name of ['Add a scenario', 'Edit', 'Delete'])
    expect(await page.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true');
  await scenario(page, 'Child').getByText('Answers', { exact: true }).click();
  await scenario(page, 'Child').getByText('Age').waitFor();
  await expectFine(page, 'scenarios on a phone');
});
