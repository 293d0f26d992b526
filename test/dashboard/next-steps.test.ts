import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { aWorkspace } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { aSurvey, ID } from './responses.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

async function open(path: string): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(home.service.url + path);
  return page;
}

const formPath = ({ id }: { id: number }, path = '') => `/workspaces/${home.workspaceId}/forms/${id}${path}`;

test('a workspace without forms offers to make one, once, and nothing to search', async () => {
  const workspace_id = await aWorkspace(home.service, home.ada, 'Fresh');
  const page = await open(`/workspaces/${workspace_id}/forms`);
  await page.getByText('No forms yet').waitFor();
  await page.getByRole('searchbox').waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: 'New form' }).count()).toBe(1);
  expect(await page.getByRole('combobox').count()).toBe(0);
  await expectFine(page, 'no forms');

  // The trash is still found when nothing else is there.
  const { id } = await home.form({ workspace_id, title: 'Thrown away' });
  await home.call('POST', `/open/forms/${id}/trash`);
  await page.reload();
  await page.getByText('No forms yet').waitFor();
  await page.getByLabel('Status').selectOption('In the trash');
  await page.getByRole('link', { name: 'Thrown away' }).waitFor();
});

test('a form without responses offers nothing to search or export, until there is one', async () => {
  const form = await aSurvey(home, { enable_partial_submissions: true });
  const page = await open(formPath(form, '/responses'));
  await page.getByText('No responses yet').waitFor();
  const search = page.getByRole('searchbox', { name: 'Search answers' });
  const exports = page.getByRole('button', { name: 'Export' });
  expect([await search.count(), await exports.count()]).toEqual([0, 0]);
  expect(await page.getByText('0 responses').count()).toBe(0);
  await page.getByRole('button', { name: 'Import' }).waitFor();
  await expectFine(page, 'no responses');

  // A partial one is found by its status.
  await home.submit(form, { [ID.name]: 'Half', is_partial: true });
  await page.reload();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Partial');
  await page.getByRole('cell', { name: 'Half' }).waitFor();
  await exports.waitFor();
});
