import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { openResponses } from './responses.ts';
import { expectFine, signedInPage } from './screens.ts';

/** Options that rule out the others, in the dashboard. */
const browser = useBrowser();
const home = useHome();

const NONE = { id: 'n', name: 'None of these', exclusive: true };
const PETS = aField('1', 'multi_select', 'Pets', {
  multi_select: { options: ['Dog', { id: 'c', name: 'Cat' }, { id: 'n', name: 'None of these' }] },
});
const MARKED = { ...PETS, multi_select: { options: ['Dog', 'Cat', NONE] } };

async function building(form: { id: number; properties: any[] }) {
  const page = await signedInPage(browser, home.service.url, home.ada, {
    viewport: { width: 1440, height: 900 },
  });
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/build`);
  // Once everything is as published, the draft holds nothing.
  const field = async () => {
    const draft = await home.call('GET', `/open/forms/${form.id}/draft`);
    return (draft.body.definition?.properties ?? form.properties)[0];
  };
  return { page, field };
}

test('the last option is marked, another instead of it, and none any more; each can be undone', async () => {
  const form = await home.form({ properties: [PETS] });
  const { page, field } = await building(form);
  const marks = async () =>
    (await field()).multi_select.options.map((option: any) => option.exclusive === true);
  const areMarked = (...expected: boolean[]) =>
    until(async () => JSON.stringify(await marks()) === JSON.stringify(expected));
  await page.getByRole('button', { name: 'Settings of Pets' }).click();
  const ruling = page.getByLabel('An option rules out the others');
  const mark = (number: number) =>
    page.getByRole('button', { name: `Option ${number} rules out the others` });
  expect(await mark(1).count()).toBe(0);
  await ruling.check();
  await areMarked(false, false, true);
  expect(await mark(3).getAttribute('aria-pressed')).toBe('true');
  await expectFine(page, 'options that rule out the others');
  await mark(3).click();
  await mark(1).click();
  await areMarked(true, false, false);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await areMarked(false, false, true);
  await ruling.uncheck();
  await areMarked(false, false, false);
  expect(await mark(1).count()).toBe(0);
  await page.keyboard.press('Control+z');
  await areMarked(false, false, true);
  expect(await ruling.isChecked()).toBe(true);
  await page.getByLabel('At least').first().fill('3');
  await page.getByText('but there are only 2 beside those that rule out the others.').first().waitFor();
});

test('another type says that it is lost', async () => {
  const form = await home.form({ properties: [MARKED] });
  const { page, field } = await building(form);
  await page.getByRole('button', { name: 'Settings of Pets' }).click();
  await page.getByLabel('Type', { exact: true }).selectOption({ label: 'Dropdown' });
  await page.getByText(/What does not fit is gone: .*An option rules out the others/).waitFor();
  await until(async () => (await field()).type === 'select');
  const { select, multi_select } = await field();
  expect(multi_select).toBeUndefined();
  expect(JSON.stringify(select)).not.toContain('exclusive');
  expect(select.options.map((option: any) => option.name ?? option)).toEqual(['Dog', 'Cat', 'None of these']);
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await until(async () => JSON.stringify((await field()).multi_select ?? '').includes('exclusive'));
});

test('who edits a response unticks the others by it, and it by another', async () => {
  const form = await home.form({ properties: [MARKED] });
  const { body } = await home.submit(form, { [PETS.id]: ['Dog', 'Cat'] });
  const page = await openResponses(browser, home, form, { path: `/${body.submission_id}` });
  await page.getByRole('button', { name: 'Edit' }).click();
  const group = page.getByRole('group', { name: 'Pets' });
  const ticked = () =>
    group
      .getByRole('checkbox', { checked: true })
      .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).labels?.[0]?.textContent));
  await group.getByLabel('None of these').check();
  expect(await ticked()).toEqual(['None of these']);
  await group.getByLabel('Cat').check();
  expect(await ticked()).toEqual(['Cat']);
  await group.getByLabel('None of these').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The response was saved.').waitFor();
  expect((await home.records(form))[0].data[PETS.id]).toEqual(['None of these']);
});

test('a link that fills in, and what a field begins with, keep to it', async () => {
  const form = await home.form({ properties: [MARKED] });
  const { page, field } = await building(form);
  await page.getByRole('button', { name: 'Settings of Pets' }).click();
  const begins = page.getByRole('group', { name: 'Filled in with' });
  await begins.getByLabel('Dog').check();
  await begins.getByLabel('None of these').check();
  await until(async () => JSON.stringify((await field()).prefill) === '["None of these"]');
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/share`);
  await page.getByRole('tab', { name: 'Prefilled link' }).click();
  const answers = page.getByRole('group', { name: 'Pets' });
  await answers.getByLabel('None of these').check();
  await answers.getByLabel('Dog').check();
  await expect.poll(() => page.getByLabel('Prefilled link').last().inputValue()).toContain('=Dog');
  expect(await page.getByLabel('Prefilled link').last().inputValue()).not.toContain('None');
});
