import { expect, test } from 'vitest';
import { recordFailedGuess } from '../../server/access/guesses.ts';
import { subjectOf } from '../../server/accounts/guess-password.ts';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { expectFine, signedInPage, signInAs } from './screens.ts';

const browser = useBrowser();
const home = useHome();
const UNREACHABLE = 'The service cannot be reached.';

test('without a network every screen says so, keeps what was typed, and comes back by itself', async () => {
  const person = await home.newMember('user');
  const context = await browser.context();
  await signInAs(context, home.service.url, person);
  const page = await context.newPage();
  await page.goto(`${home.service.url}/account`);
  const name = page.getByLabel('Name', { exact: true });
  await name.waitFor();

  await context.setOffline(true);
  await name.fill('Grace H.');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await page.getByRole('alert').filter({ hasText: UNREACHABLE }).waitFor();
  await expect.poll(() => name.inputValue()).toBe('Grace H.');
  await context.setOffline(false);
  await save.click();
  await page.getByRole('button', { name: 'Account of Grace H.' }).waitFor();

  // The code of a screen that was never opened is not available either.
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Access tokens' }).click();
  const problem = page.getByRole('main').getByText(UNREACHABLE);
  await problem.waitFor();
  await expectFine(page, 'without a network');
  await page.getByRole('button', { name: 'Try again' }).click();
  await problem.waitFor();
  await context.setOffline(false);
  await page
    .getByRole('heading', { name: 'No tokens yet' })
    .or(page.getByText('forms-write'))
    .first()
    .waitFor();
});

test('a screen whose code is gone since an update says so in plain words, and comes by one press', async () => {
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms`);
  await page.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();
  const code = '**/assets/dashboard/members-*.js';
  await page.route(code, (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: 'Members' }).click();
  await page
    .getByText('This screen could not be loaded: there is no network, or Formstead was updated meanwhile.')
    .waitFor();
  await page.unroute(code);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
});

test('whoever tried too often reads how long to wait', async () => {
  const { email } = await home.newMember('user');
  const { db } = home.service.context;
  for (let turn = 0; turn < 30; turn++)
    await recordFailedGuess(db, { subject: subjectOf(email), address: '127.0.0.1' });
  const page = await browser.page();
  await page.goto(`${home.service.url}/sign-in`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page
    .getByRole('alert')
    .getByText(/^Too many attempts\. Try again in 1\d minutes\.$/)
    .waitFor();
});
