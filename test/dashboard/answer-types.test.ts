import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readSchema, readTypes } from '../answer-schema/validators.ts';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

test('the types of the answers are shown and downloaded beside the integrations', async () => {
  const form = await home.form();
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/integrations`);
  await page.getByRole('button', { name: 'Show types' }).click();
  const download = async (name: string) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: `Download ${name}` }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(name);
    return readFile(await file.path(), 'utf8');
  };
  const types = await readTypes(home, form);
  await expect.poll(() => page.getByRole('region', { name: 'answers.ts' }).textContent()).toBe(types);
  await expectFine(page, 'the types of answers');
  expect(await download('answers.ts')).toBe(types);
  await page.getByRole('tab', { name: 'JSON Schema' }).click();
  expect(JSON.parse(await download('answers.schema.json'))).toEqual(await readSchema(home, form));
  await expectFine(page, 'the schema of answers');
});
