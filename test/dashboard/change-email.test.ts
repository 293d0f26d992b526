import { expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';
import { expectFine, signedInPage } from './screens.ts';

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
  await asked(person.password);
  await card.getByText(`A link is on its way to ${NEW_ADDRESS}`).waitFor();
  await expectFine(page, 'a link is on its way');
  await expect.poll(() => smtp.mails.length).toBe(1);
  const link = /https?:\S+\/account\/email#[\w.-]+/.exec(smtp.mails[0]?.text ?? '')?.[0] ?? '';

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
});
