import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

const DAY = aField('1', 'select', 'Day', { select: { options: ['Saturday', { id: 's', name: 'Sunday' }] } });

async function open(form: { id: number }, screen: string) {
  const page = await signedInPage(browser, home.service.url, home.ada, {
    viewport: { width: 1440, height: 900 },
  });
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}${screen}`);
  return page;
}

test('places of options are set, shown to visitors and taken away again', async () => {
  const form = await home.form({ properties: [DAY] });
  const page = await open(form, '/build');
  const field = async () =>
    (await home.call('GET', `/open/forms/${form.id}/draft`)).body.definition?.properties?.[0];
  const limits = async () =>
    ((await field())?.select.options ?? []).map((option: any) => option.max_submissions_count);
  await page.getByRole('button', { name: 'Settings of Day' }).click();
  const limiting = page.getByLabel('Limit how many may choose an option');
  expect(await page.getByLabel('Places of option 1').count()).toBe(0);
  await limiting.check();
  await page.getByLabel('Places of option 1').pressSequentially('20');
  await page.getByLabel('Show how many places are left').check();
  await until(async () => (await field())?.shows_places_left === true);
  expect(await limits()).toEqual([20, undefined]);
  await expectFine(page, 'places of options');
  await page.getByLabel('Places of option 2').fill('-3');
  await page.getByText('The places of an option are not a whole number from 0 on.').first().waitFor();
  await page.getByLabel('Places of option 2').fill('');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await until(async () => (await home.call('GET', `/open/forms/${form.id}/places`)).body.data.length === 1);
  await limiting.uncheck();
  await until(async () => (await limits()).every((count: unknown) => count === undefined));
  expect(await page.getByLabel('Show how many places are left').count()).toBe(0);
});

test('the only number of places can be deleted and typed anew', async () => {
  const select = { options: [{ id: 's', name: 'Sunday', max_submissions_count: 20 }, 'Saturday'] };
  const form = await home.form({ properties: [{ ...DAY, select }] });
  const page = await open(form, '/build');
  await page.getByRole('button', { name: 'Settings of Day' }).click();
  const places = page.getByLabel('Places of option 1');
  await places.press('End');
  for (const key of ['Backspace', 'Backspace', '3', '5']) await page.keyboard.press(key);
  await expect.poll(() => places.inputValue()).toBe('35');
});

test('the overview tells how many places are taken', async () => {
  const options = [
    { id: 'b', name: 'Sunday', max_submissions_count: 1 },
    { id: 'a', name: 'Saturday', max_submissions_count: 20 },
  ];
  const form = await home.form({ properties: [{ ...DAY, select: { options } }] });
  for (const day of ['Saturday', 'Sunday', 'Saturday']) await home.submit(form, { [DAY.id]: day });
  const page = await open(form, '');
  const places = page.getByRole('region', { name: 'Day' }).getByRole('listitem');
  await places.first().waitFor();
  await expect.poll(() => places.allTextContents()).toEqual(['Sunday1 of 1 · full', 'Saturday2 of 20']);
  await expectFine(page, 'places on the overview');
});
