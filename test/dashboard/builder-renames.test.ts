import { expect, test } from 'vitest';
import { problemsOf } from '../../dashboard/form-builder/publishing/problems.ts';
import type { Property } from '../../fields/property.ts';
import { useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

const options = ['Red', 'Blue'].map((name) => ({ id: name, name }));
const COLORS = aField('01', 'multi_select', 'Colors', {
  multi_select: { options },
  prefill: ['Red', 'Blue'],
});
const GRID = aField('02', 'matrix', 'Grid', {
  rows: ['Food', 'Room'],
  columns: ['Good', 'Bad'],
  prefill: { Food: 'Good' },
});
const wanting = (value: object, operator = 'equals') => ({
  operatorIdentifier: 'and',
  children: [
    { identifier: GRID.id, value: { operator, property_meta: { id: GRID.id, type: 'matrix' }, value } },
  ],
});
const WHY = aField('03', 'text', 'Why', {
  hidden: true,
  logic: { conditions: wanting({ Food: 'Good' }), actions: ['show-block'] },
});

test('what a field is filled in with and conditions follow a renamed option, row and column; what is gone is told', async () => {
  const form = await home.form({ properties: [COLORS, GRID, WHY] });
  const page = await signedInPage(browser, home.service.url, home.ada, {
    viewport: { width: 1440, height: 900 },
  });
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/build`);
  const draft = async () =>
    (await home.call('GET', `/open/forms/${form.id}/draft`)).body.definition?.properties ?? [];
  const open = (name: string) =>
    page.getByRole('button', { name: `Settings of ${name}`, exact: true }).click();
  await open('Colors');
  await page.getByLabel('Option 1', { exact: true }).fill('Crimson');
  await open('Grid');
  // On the way it is the name of the other row.
  await page.getByLabel('Row 1', { exact: true }).fill('Room');
  await page.getByLabel('Row 1', { exact: true }).fill('Rooms and food');
  await page.getByLabel('Column 1', { exact: true }).fill('Fine');
  const followed = { 'Rooms and food': 'Fine' };
  await until(async () => (await draft())[1]?.prefill?.['Rooms and food'] === 'Fine');
  const [colors, , why] = await draft();
  expect(colors.prefill).toEqual(['Crimson', 'Blue']);
  expect(why.logic.conditions.children[0].value.value).toEqual(followed);

  await page.getByRole('button', { name: 'Remove row 1', exact: true }).click();
  await open('Colors');
  await page.getByRole('button', { name: 'Remove option 1', exact: true }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('It is filled in with “Crimson”, which is none of its options.').waitFor();
  await dialog.getByText('It is filled in with “Rooms and food”, which is none of its rows.').waitFor();
  await dialog.getByText('It can never be shown: “Grid” has no row “Rooms and food”.').waitFor();
  await dialog.getByRole('button', { name: 'Not yet' }).click();
  const stale = page.getByLabel('Crimson (no such option)');
  await stale.click();
  await stale.waitFor({ state: 'detached' });
  await until(async () => JSON.stringify((await draft())[0]?.prefill) === '["Blue"]');
  await open('Grid');
  await page.getByLabel('Rooms and food').selectOption('Nothing');
  await until(async () => (await draft())[1]?.prefill === undefined);
  await expectFine(page, 'options that were removed');
});

test('of a matrix, any of several answers is met while one can be given', () => {
  const problems = (value: object) => {
    const logic = { conditions: wanting(value, 'contains'), actions: ['show-block'] };
    const properties = [GRID, { ...WHY, logic }] as unknown as Property[];
    const form = { title: 'Form', description: null, submit_button_text: null, properties };
    return problemsOf(form).map(({ text }) => text);
  };
  expect(problems({ Food: 'Good', Meals: 'Good' })).toEqual([]);
  expect(problems({ Food: 'Great', Meals: 'Good' })).toEqual([
    'It can never be shown: “Grid” has no column “Great”.',
  ]);
});
