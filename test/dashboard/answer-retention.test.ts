import { expect, test } from 'vitest';
import { removeExpiredAnswers } from '../../server/submissions/retention/remove-expired-answers.ts';
import { useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { openResponses } from './responses.ts';
import { expectFine, signedInPage } from './screens.ts';

const DAY_MS = 24 * 3600 * 1000;
const NAME = aField('01', 'text', 'Name');
const MAIL = { ...aField('02', 'email', 'Mail'), required: true };

const browser = useBrowser();
const home = useHome();

test('days are set at the field, and a response without the removed answer is read, edited and corrected', async () => {
  const form = await home.form({ properties: [NAME, MAIL], editable_submissions: true });
  const answers = { [NAME.id]: 'Ada', [MAIL.id]: 'ada@example.com' };
  const { submission_id: id } = (await home.submit(form, answers)).body;
  const wide = { viewport: { width: 1440, height: 900 } };
  const builder = await signedInPage(browser, home.service.url, home.ada, wide);
  await builder.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/build`);
  await builder.getByRole('button', { name: 'Settings of Mail' }).click();
  const days = builder.getByLabel('Remove answers after (days)');
  await days.fill('0');
  const wrong = 'Its answers are removed after 1 to 3,650 whole days, or never.';
  await builder.getByRole('listitem').locator('span').getByText(wrong).waitFor();
  await builder.getByRole('alert').getByText(wrong).waitFor();
  expect(await days.getAttribute('aria-invalid')).toBe('true');
  await days.fill('30');
  await expectFine(builder, 'retention of a field');
  const path = `/open/forms/${form.id}`;
  await until(
    async () =>
      (await home.call('GET', `${path}/draft`)).body.definition?.properties?.[1].retention_days === 30,
  );
  await builder.getByRole('button', { name: 'Publish', exact: true }).click();
  const publishing = builder.getByRole('dialog');
  await publishing.getByText('Past answers to these questions are removed for good').waitFor();
  expect(await publishing.getByRole('listitem').allInnerTexts()).toEqual(['Mail: 30 days']);
  await expectFine(builder, 'a retention that is published');
  await publishing.getByRole('button', { name: 'Publish', exact: true }).click();
  await until(async () => (await home.call('GET', path)).body.properties[1].retention_days === 30);
  await removeExpiredAnswers(home.service.context.db, { now: new Date(Date.now() + 31 * DAY_MS) });

  const page = await openResponses(browser, home, form, { path: `/${id}`, device: wide });
  const panel = page.getByRole('dialog');
  await panel.getByText('Removed when its time was over').waitFor();
  await expectFine(page, 'a removed answer');
  await panel.getByRole('button', { name: 'Edit', exact: true }).click();
  await panel.getByText('Removed when its time was over. It need not be given again.').waitFor();
  await expectFine(page, 'an editor with a removed answer');
  await panel.getByLabel('Name').fill('Ada Lovelace');
  await panel.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The response was saved.').waitFor();
  await panel.getByText('Removed when its time was over').waitFor();
  expect(await stored()).toEqual(['Ada Lovelace', null]);

  const respondent = await (await browser.context()).newPage();
  await respondent.goto(`${home.service.url}/forms/${form.slug}?submission_id=${id}`);
  const typed = respondent.getByLabel('Name');
  expect(await typed.inputValue()).toBe('Ada Lovelace');
  await typed.fill('Ada King');
  await respondent.locator('button[type=submit]:visible').last().click();
  await respondent.waitForURL(/thank-you/);
  expect(await stored()).toEqual(['Ada King', null]);

  async function stored() {
    const [{ data }] = await home.records(form);
    return [data[NAME.id], data[MAIL.id]];
  }
});

test('a question that was deleted and comes back with days is named before they are published, also without complete responses', async () => {
  const form = await home.form({ properties: [NAME, MAIL], enable_partial_submissions: true });
  const path = `/open/forms/${form.id}`;
  await home.submit(form, { [MAIL.id]: 'ada@example.com', is_partial: true });
  await home.call('PUT', path, { properties: [NAME] });
  const [name, mail] = [NAME, MAIL].map((field) => ({ ...field, retention_days: 1 }));
  await home.call('PUT', `${path}/draft`, { properties: [name, mail] });
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/build`);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const publishing = page.getByRole('dialog');
  await publishing.getByText('Past answers to these questions are removed for good').waitFor();
  expect(await publishing.getByRole('listitem').allInnerTexts()).toEqual(['Name: 1 day', 'Mail: 1 day']);
});

test('who opened a response before an answer was removed does not write it back', async () => {
  const form = await home.form({ properties: [NAME, { ...MAIL, retention_days: 1 }] });
  const answers = { [NAME.id]: 'Ada', [MAIL.id]: 'ada@example.com' };
  const { submission_id: id } = (await home.submit(form, answers)).body;
  const page = await openResponses(browser, home, form, { path: `/${id}` });
  const panel = page.getByRole('dialog');
  await panel.getByRole('button', { name: 'Edit', exact: true }).click();
  await panel.getByLabel('Name').fill('Ada Lovelace');
  await removeExpiredAnswers(home.service.context.db, { now: new Date(Date.now() + 2 * DAY_MS) });
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByRole('alert').getByText('An answer was removed meanwhile').waitFor();
  await panel.getByText('Removed when its time was over. It need not be given again.').waitFor();
  expect(await panel.getByLabel('Mail').inputValue()).toBe('');
  await expectFine(page, 'an answer removed meanwhile');
  await panel.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The response was saved.').waitFor();
  const [{ data }] = await home.records(form);
  expect([data[NAME.id], data[MAIL.id]]).toEqual(['Ada Lovelace', null]);
});

test('without what was not answered, a response whose answers were all removed does not pass for an empty one', async () => {
  const form = await home.form({ properties: [{ ...MAIL, retention_days: 1 }] });
  const { submission_id: id } = (await home.submit(form, { [MAIL.id]: 'ada@example.com' })).body;
  await removeExpiredAnswers(home.service.context.db, { now: new Date(Date.now() + 2 * DAY_MS) });
  const page = await openResponses(browser, home, form, { path: `/${id}` });
  await page.getByRole('dialog').getByLabel('Only what was answered').check();
  await page.getByText('What was answered was removed when its time was over.').waitFor();
});

test('a response with hundreds of answers that will be removed can be edited', async () => {
  const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const properties = Array.from({ length: 400 }, (_, n) => ({
    ...NAME,
    id: idOf(n),
    name: `Field ${n}`,
    // The last one alone is removed after a day.
    retention_days: n < 399 ? 30 : 1,
  }));
  const form = await home.form({ properties });
  const answers = Object.fromEntries(properties.map(({ id }) => [id, 'Ada']));
  const { submission_id: id } = (await home.submit(form, answers)).body;
  const page = await openResponses(browser, home, form, { path: `/${id}` });
  const panel = page.getByRole('dialog');
  await panel.getByRole('button', { name: 'Edit', exact: true }).click();
  await panel.getByLabel('Field 7', { exact: true }).fill('Grace');
  await removeExpiredAnswers(home.service.context.db, { now: new Date(Date.now() + 2 * DAY_MS) });
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByRole('alert').getByText('An answer was removed meanwhile').waitFor();
  await panel.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The response was saved.').waitFor();
  const [{ data }] = await home.records(form);
  expect([data[idOf(7)], data[idOf(399)]]).toEqual(['Grace', null]);
});
