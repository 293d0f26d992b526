import { expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { aSurvey, ID, type Opening, openResponses } from './responses.ts';
import { expectFine } from './screens.ts';

const browser = useBrowser();
const home = useHome();

const LINKS = 'https://a.example https://b.example https://c.example https://d.example';

/** A survey that has set so many responses aside, and the page of its responses. */
async function withAside(title: string, count: number, opening: Opening = {}, overrides = {}) {
  const form = await aSurvey(home, { title, settings: { sets_spam_aside: true }, ...overrides });
  for (let n = 1; n <= count; n++) {
    const sent = await home.submit(form, { [ID.name]: `Visitor ${n} ${LINKS}` });
    expect(sent.status, sent.text).toBe(200);
  }
  const page = await openResponses(browser, home, form, opening);
  return { form, page };
}

test('what was set aside is found from the list, read with its reason, and put where it belongs', async () => {
  const { form, page } = await withAside('Put where it belongs', 3);
  await page.getByRole('link', { name: 'Set aside (3)' }).click();
  await page.getByRole('heading', { name: 'Set aside' }).waitFor();
  const items = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('button') });
  await items.first().getByText('Its texts have more than 3 links.').waitFor();
  expect(await items.count()).toBe(3);
  await expectFine(page, 'what was set aside');
  await items
    .first()
    .getByRole('button', { name: /20\d\d/ })
    .click();
  await page.getByRole('dialog').getByText('Visitor 3').waitFor();
  await expectFine(page, 'a response that was set aside');
  await page.keyboard.press('Escape');

  await items.filter({ hasText: 'Visitor 2' }).getByRole('button', { name: 'Not spam' }).click();
  await page.getByText('1 response is among the others now.').waitFor();
  await items.filter({ hasText: 'Visitor 2' }).waitFor({ state: 'detached' });
  await items.filter({ hasText: 'Visitor 1' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete for good' }).click();
  await page.getByText('1 response was deleted.').waitFor();
  await page.getByLabel('Select all shown').focus();
  await page.keyboard.press('Space');
  await page.getByText('1 selected').waitFor();
  await page.getByRole('button', { name: 'Delete them' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete for good' }).click();
  await page.getByText('Nothing is set aside').waitFor();
  await expectFine(page, 'nothing set aside');
  const records = await home.records(form);
  expect(records.map(({ data }) => data[ID.name].slice(0, 9))).toEqual(['Visitor 2']);
});

test('a full form refuses with the reason, and the response stays', async () => {
  const { form, page } = await withAside('Full by now', 1, {}, { max_submissions_count: 1 });
  await home.submit(form, { [ID.name]: 'The last one' });
  await page.getByRole('link', { name: 'Set aside (1)' }).click();
  await page.getByRole('button', { name: 'Not spam' }).click();
  await page.getByText(/received all the submissions it takes/).waitFor();
  expect(await page.getByRole('button', { name: 'Not spam' }).count()).toBe(1);
});

test('viewers read it on a phone, but decide nothing', async () => {
  const viewer = await home.member('readonly');
  const { page } = await withAside('For viewers', 1, { person: viewer, device: PHONE });
  await page.getByRole('link', { name: 'Set aside (1)' }).click();
  const reason = page.getByText('Its texts have more than 3 links.');
  await reason.waitFor();
  await page.getByText(/^Will be deleted on /).waitFor();
  await expectFine(page, 'set aside, for a viewer');
  const button = page.getByRole('button', { name: 'Not spam' });
  const starts = [reason, button].map((one) => one.evaluate((box) => box.getBoundingClientRect().left));
  const [text, action] = await Promise.all(starts);
  expect(action).toBe(text);
  expect(await button.getAttribute('aria-disabled')).toBe('true');
});

test('the setting is in the form’s settings', async () => {
  const form = await aSurvey(home, { title: 'Settings' });
  const page = await openResponses(browser, home, form, {});
  await page.goto(page.url().replace(/\/responses.*/, '/settings?part=access'));
  await page.getByRole('switch', { name: 'Set suspected spam aside' }).click();
  await page.getByRole('button', { name: /^Save/ }).click();
  await expect
    .poll(async () => (await home.call('GET', `/open/forms/${form.id}`)).body.settings.sets_spam_aside)
    .toBe(true);
});
