import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { startService } from '../setup/service.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const smtp = useSmtpServer();
const home = useHome(() => ({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'forms@example.org' } }));

async function open(url: string) {
  const page = await signedInPage(browser, url, home.ada);
  await page.goto(`${url}/workspaces/${home.workspaceId}/overview`);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  return page;
}

test('everybody chooses on the overview how often they are mailed a summary', async () => {
  await home.form();
  const page = await open(home.service.url);
  const choice = page.getByRole('combobox', { name: 'Summary by mail' });
  await choice.selectOption('Weekly summary');
  await page.getByText('You are mailed a summary of each week in which something happened.').waitFor();
  await expectFine(page, 'overview with a summary by mail');
  await page.reload();
  await expect.poll(() => choice.inputValue()).toBe('week');
  await choice.selectOption('No summary by mail');
  await page.getByText('You are mailed no summary.').waitFor();
  const path = `/open/workspaces/${home.workspaceId}/summary-mails`;
  expect((await home.call('GET', path)).body.every).toBeNull();
});

test('what is chosen while the choice before is being saved counts', async () => {
  await home.form();
  const page = await open(home.service.url);
  const choice = page.getByRole('combobox', { name: 'Summary by mail' });
  let isFirst = true;
  await page.route('**/summary-mails', async (route) => {
    if (route.request().method() === 'PUT' && isFirst) {
      isFirst = false;
      await choice.selectOption('Weekly summary');
    }
    await route.continue();
  });
  await choice.selectOption('Daily summary');
  await page.getByText('You are mailed a summary of each week in which something happened.').waitFor();
  expect(await choice.inputValue()).toBe('week');
  const path = `/open/workspaces/${home.workspaceId}/summary-mails`;
  expect((await home.call('GET', path)).body.every).toBe('week');
  await home.call('PUT', path, { every: null });
});

test('where no mail can be sent, nobody is offered one', async () => {
  const { database, dataDir } = home.service;
  const silent = await startService({ database, dataDir, env: { ROLES: 'http' } });
  try {
    const page = await open(silent.url);
    await page.getByText('Per day').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('combobox', { name: 'Summary by mail' }).count()).toBe(0);
  } finally {
    await silent.stop();
  }
});
