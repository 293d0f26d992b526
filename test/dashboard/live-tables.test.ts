import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

test('a spreadsheet or report gets a link, which is told once and ends when it is deleted', async () => {
  const form = await home.form();
  await home.submit(form, { [TEXT_FIELD_ID]: 'Ada' });
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/integrations`);
  await page.getByRole('button', { name: 'New link' }).click();
  await page.getByLabel('Name').fill('Budget');
  await expectFine(page, 'the name of a live table');
  await page.getByRole('button', { name: 'Make link' }).click();
  const url = await page.getByLabel('Link', { exact: true }).inputValue();
  await expect
    .poll(() => page.getByLabel('Formula for Google Sheets').inputValue())
    .toBe(`=IMPORTDATA("${url}")`);
  const service = await page.getByLabel('OData address').inputValue();
  await expectFine(page, 'the link of a live table');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Not read yet').waitFor();
  expect(await (await fetch(url)).text()).toContain(',Ada');
  expect(await (await fetch(`${service}Submissions`)).json()).toMatchObject({ value: [{ name: 'Ada' }] });
  await page.reload();
  await page.getByText('Read just now').waitFor();
  await expectFine(page, 'live tables');
  await page.getByRole('button', { name: 'Delete Budget' }).click();
  await page.getByRole('button', { name: 'Delete link' }).click();
  await page.getByText('Budget', { exact: true }).waitFor({ state: 'detached' });
  for (const address of [url, service]) expect((await fetch(address)).status).toBe(404);
});
