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

test('the overview of a form leads on: to building, to sharing, to what came last', async () => {
  const draft = await home.form({ visibility: 'draft' });
  const page = await open(formPath(draft));
  await page.getByRole('link', { name: 'Go on building' }).click();
  await page.waitForURL(/\/build$/);

  const form = await aSurvey(home, { settings: { sets_spam_aside: true } });
  await page.goto(home.service.url + formPath(form));
  await page.getByText('No responses yet').waitFor();
  await expectFine(page, 'overview without responses');
  await page.getByRole('link', { name: 'Share the form' }).click();
  await page.waitForURL(/\/share$/);

  for (let n = 1; n <= 6; n++) await home.submit(form, { [ID.name]: `Visitor ${n}` });
  const spam = 'https://a.example https://b.example https://c.example https://d.example';
  await home.submit(form, { [ID.name]: spam });
  await page.goto(home.service.url + formPath(form));
  const latest = page.getByRole('region', { name: 'Latest responses' });
  await latest.getByRole('cell', { name: 'Visitor 6' }).waitFor();
  expect(await latest.getByRole('link').count()).toBe(5);
  await page.getByRole('link', { name: '1 response set aside as suspected spam.' }).waitFor();
  await expectFine(page, 'overview with responses');
  await latest
    .getByRole('row', { name: /Visitor 5/ })
    .getByRole('link')
    .click();
  await page.waitForURL(/\/responses\/[\w-]{36}$/);
  await page.goBack();
  await page.getByRole('link', { name: 'See responses' }).click();
  await page.getByRole('table', { name: 'Responses' }).getByText('Visitor 1').waitFor();
});

test('a viewer is not told to build', async () => {
  const draft = await home.form({ visibility: 'draft' });
  const page = await signedInPage(browser, home.service.url, await home.member('readonly'));
  await page.goto(home.service.url + formPath(draft));
  await page.getByText('The link works once the form is published.').waitFor();
  expect(await page.getByRole('link', { name: 'Go on building' }).count()).toBe(0);
});

test('a form that nobody has seen has no empty figures, but a way to share it', async () => {
  const form = await aSurvey(home);
  const page = await open(formPath(form, '/analytics'));
  await page.getByText('No visits yet').waitFor();
  expect(await page.getByText('Completion rate').count()).toBe(0);
  await expectFine(page, 'analytics of an unseen form');
  await page.getByRole('link', { name: 'Share the form' }).click();
  await page.waitForURL(/\/share$/);

  await home.submit(form, { [ID.name]: 'Ada' });
  // In other days there is nothing, but it was answered.
  await page.goto(home.service.url + formPath(form, '/analytics?from=2020-01-01&to=2020-01-02'));
  await page.getByText('Completion rate').waitFor();
});

test('the notifications of a form are its mails and chats, and a mail to oneself is one press away', async () => {
  const form = await aSurvey(home);
  const page = await open(formPath(form, '/settings?part=notifications'));
  await page.getByText('Nobody is told yet.').waitFor();
  await page.getByRole('link', { name: 'Mail me every response' }).click();
  await page.getByText('New: Mail to owners').waitFor();
  await expect.poll(() => page.getByLabel('To', { exact: true }).inputValue()).toBe(home.ada.email);

  const add = (integration_id: string, data: object) =>
    home.call('POST', `/open/forms/${form.id}/integrations`, { integration_id, status: 'active', data });
  await add('email', { recipients: ['team@example.com'] });
  await add('webhook', { webhook_url: 'https://hooks.example.com/a', format: 'slack' });
  await add('webhook', { webhook_url: 'https://other.example.com/a' });
  await page.goto(home.service.url + formPath(form, '/settings?part=notifications'));
  await page.getByText('team@example.com').waitFor();
  await page.getByRole('link', { name: 'Slack' }).waitFor();
  expect(await page.getByText('other.example.com').count()).toBe(0);
  await expectFine(page, 'notifications');
  await page.getByRole('link', { name: 'Mail to owners' }).click();
  await page.getByRole('link', { name: 'All integrations' }).waitFor();
});
