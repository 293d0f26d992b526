import { expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';
import { expectFine, hold, signedInPage } from './screens.ts';

const smtp = useSmtpServer();
const browser = useBrowser();
const home = useHome(() => ({ env: { SMTP_URL: smtp.url } }));

const NEW_ADDRESS = 'ada.king@example.org';

test('the address of an account is changed by a link that is mailed to the new one', async () => {
  const person = await home.newMember('user');
  const page = await signedInPage(browser, home.service.url, person);
  await page.goto(`${home.service.url}/account`);
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'E-mail address' }) });
  const asked = async (password: string) => {
    await card.getByLabel('New e-mail address').fill(NEW_ADDRESS);
    await card.getByLabel('Your password').fill(password);
    await card.getByRole('button', { name: 'Send the link' }).click();
  };
  await asked('wrong');
  await card.getByText('The current password is wrong.').waitFor();
  await expectFine(page, 'asking for a link');
  let held = await hold(page, /\/user\/email$/);
  await asked(person.password);
  await expect.poll(() => held.came).toBe(1);
  await card.getByLabel('New e-mail address').press('x');
  held.go();
  await card.getByText(`A link is on its way to ${NEW_ADDRESS}`).waitFor();
  await expectFine(page, 'a link is on its way');
  const link = await linkTo(NEW_ADDRESS);
  // Nothing is left to lose.
  await page.getByRole('link', { name: 'Security' }).click();
  await page.getByRole('heading', { name: 'Second factor' }).waitFor();

  // Opened without being signed in: signing in leads back to the link.
  const phone = await browser.page(PHONE);
  await phone.goto(link);
  await phone.getByLabel('E-mail address').fill(person.email);
  await phone.getByLabel('Password', { exact: true }).fill(person.password);
  await phone.getByRole('button', { name: 'Sign in' }).click();
  await phone.getByRole('heading', { name: 'Your new e-mail address' }).waitFor();
  await expectFine(phone, 'behind the link');
  await phone.getByRole('button', { name: 'Use the new address' }).click();
  await phone.getByText(`You sign in with ${NEW_ADDRESS} from now on.`).waitFor();
  await phone.getByRole('heading', { name: 'Profile' }).waitFor();

  await page.goto(link);
  await page.getByText(NEW_ADDRESS).first().waitFor();
  await page.getByRole('button', { name: 'Use the new address' }).click();
  await page.getByText('This link no longer works').waitFor();
  await expectFine(page, 'a link that was used');

  // Who has gone elsewhere before another address is stored stays there.
  await page.getByRole('link', { name: 'Back to your profile' }).click();
  await card.getByLabel('New e-mail address').fill(person.email);
  await card.getByLabel('Your password').fill(person.password);
  await card.getByRole('button', { name: 'Send the link' }).click();
  await page.goto(await linkTo(person.email));
  held = await hold(page, /\/user\/email$/, 'PUT');
  await page.getByRole('button', { name: 'Use the new address' }).click();
  await expect.poll(() => held.came).toBe(1);
  await page.getByRole('link', { name: 'Security' }).click();
  await page.getByRole('heading', { name: 'Second factor' }).waitFor();
  held.go();
  await page.getByText(`You sign in with ${person.email} from now on.`).waitFor();
  expect(new URL(page.url()).pathname).toBe('/account/security');
});

/** The link that was mailed to an address. */
async function linkTo(address: string): Promise<string> {
  const links = () =>
    smtp.mails
      .filter(({ recipients }) => recipients.includes(address))
      .flatMap(({ text }) => /https?:\S+\/account\/email#[\w.-]+/.exec(text)?.[0] ?? []);
  await expect.poll(links).toHaveLength(1);
  return links()[0] ?? '';
}
