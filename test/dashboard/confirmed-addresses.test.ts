import { expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aTextField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';
import { until } from '../setup/until.ts';
import { aSurvey, ID, openResponses } from './responses.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const smtp = useSmtpServer();
const home = useHome(() => ({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'forms@example.org' } }));

const CONFIRMS = { settings: { confirms_email: ID.email } };

/** A survey with a response that waits for each of these people. */
async function withWaiting(title: string, names: string[]) {
  const form = await aSurvey(home, { title, ...CONFIRMS });
  for (const name of names) {
    const answers = { [ID.name]: name, [ID.email]: `${name.toLowerCase()}@${form.slug}.example` };
    const sent = await home.submit(form, answers);
    expect(sent.status, sent.text).toBe(200);
  }
  return form;
}
const settingsOf = (form: { id: number }) =>
  `${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/settings?part=access`;
const storedSetting = async (form: { id: number }) =>
  (await home.call('GET', `/open/forms/${form.id}`)).body.settings.confirms_email;

test('the setting offers the e-mail fields of the form, and says when the chosen one is gone', async () => {
  const form = await aSurvey(home, { title: 'Choosing' });
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(settingsOf(form));
  const select = page.getByLabel('Address that has to be confirmed');
  await select.waitFor();
  expect(await select.locator('option').allTextContents()).toEqual(['None', 'E-mail address']);
  await select.selectOption('E-mail address');
  await expectFine(page, 'the setting');
  await page.getByRole('button', { name: /^Save/ }).click();
  await expect.poll(() => storedSetting(form)).toBe(ID.email);
  await home.call('PUT', `/open/forms/${form.id}/draft`, { properties: [aTextField()] });
  await page.goto(page.url().replace(/\/settings.*/, '/build'));
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByText('the e-mail field in the settings is gone').waitFor();
  await home.call('POST', `/open/forms/${form.id}/draft/publish`);
  await page.goto(settingsOf(form));
  await page.getByText('Nobody is asked to confirm an address').waitFor();
  await page.getByText('The form has no e-mail field yet.').waitFor();
  await select.selectOption('None');
  await page.getByRole('button', { name: /^Save/ }).click();
  await expect.poll(() => storedSetting(form)).toBeUndefined();
});

test('a visitor confirms by the mailed link, and the response says so', async () => {
  const form = await aSurvey(home, { title: 'By a visitor', ...CONFIRMS });
  const email = `ada@${form.slug}.example`;
  const visitor = await browser.page(PHONE);
  await visitor.goto(`${home.service.url}/forms/${form.slug}`);
  await visitor.getByLabel('Your name').fill('Ada');
  await visitor.getByLabel('E-mail address').fill(email);
  await visitor.getByRole('button', { name: 'Submit' }).click();
  await visitor.getByText(`We have sent a link to ${email}`).waitFor();
  await expectFine(visitor, 'where the link went');
  await until(async () => smtp.mails.some(({ recipients }) => recipients[0] === email));
  const mail = smtp.mails.find(({ recipients }) => recipients[0] === email)?.text ?? '';
  const [link = ''] = /http\S+\/confirm\?token=\w+/.exec(mail) ?? [];
  await visitor.goto(link);
  await expectFine(visitor, 'the page of the link');
  await visitor.getByRole('button', { name: 'Confirm address' }).click();
  await visitor.getByText('Thank you!').waitFor();

  const [record] = await home.records(form);
  const page = await openResponses(browser, home, form, { path: `/${record.submission_id}` });
  await page.getByText('Address confirmed').waitFor();
  expect(await page.getByText('Address confirmed').locator('+ dd').textContent()).toContain(email);
});

test('what awaits confirmation is found from the list, kept as it is, or deleted', async () => {
  const form = await withWaiting('Awaiting', ['Ada', 'Bob', 'Cleo']);
  const page = await openResponses(browser, home, form);
  await page.getByRole('link', { name: 'Awaiting confirmation (3)' }).click();
  await page.getByRole('heading', { name: 'Awaiting confirmation' }).waitFor();
  const items = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('button') });
  await items.first().getByText(`Not confirmed yet: cleo@${form.slug}.example`).waitFor();
  expect(await items.count()).toBe(3);
  await expectFine(page, 'what awaits confirmation');
  await items.filter({ hasText: 'Bob' }).getByRole('button', { name: 'Keep without confirmation' }).click();
  await page.getByText('1 response is among the others now.').waitFor();
  await items.filter({ hasText: 'Cleo' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete for good' }).click();
  await items.filter({ hasText: 'Cleo' }).waitFor({ state: 'detached' });
  expect((await home.records(form)).map(({ data }) => data[ID.name])).toEqual(['Bob']);
  await page.goto(page.url().replace('/unconfirmed', '/set-aside'));
  await page.getByText('Nothing is set aside').waitFor();
  await page.getByRole('link', { name: 'Awaiting confirmation (1)' }).waitFor();
});
