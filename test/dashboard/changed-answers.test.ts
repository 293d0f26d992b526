import { expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { aSurvey, ID, openResponses } from './responses.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

test('what answers said before stands at the response, and is deleted by keyboard', async () => {
  const form = await aSurvey(home, { editable_submissions: true });
  const { body } = await home.submit(form, {
    [ID.name]: 'Adda',
    [ID.topics]: ['Paintings'],
    [ID.story]: '<p>It was <b>good</b>.</p>',
  });
  const { submission_id } = body;
  await home.submit(form, { [ID.name]: 'Ada', [ID.topics]: ['Paintings', 'Garden'], submission_id });
  const page = await openResponses(browser, home, form, { path: `/${submission_id}` });
  const panel = page.getByRole('dialog');
  const changes = panel.getByRole('list', { name: 'Changes' }).getByRole('listitem');
  await expect.poll(() => changes.allInnerTexts()).toHaveLength(1);
  const words = async (place: number) => (await changes.nth(place).innerText()).split(/\s*\n\s*/);
  expect(await words(0)).toEqual([
    'The respondent changed 3 answers, just now',
    ...['Your name', 'Before', 'Adda', 'After', 'Ada'],
    ...['What did you see?', 'Before', 'Paintings', 'After', 'Paintings, Garden'],
    ...['Tell us more', 'Before', 'It was good.', 'After', 'No answer'],
  ]);

  // A new edit by this member appears at the top at once.
  await panel.getByRole('button', { name: 'Edit', exact: true }).click();
  await panel.getByLabel('Your name').fill('Ada Lovelace');
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => changes.count()).toBe(2);
  expect(await words(0)).toEqual([
    'Ada changed 1 answer, just now',
    ...['Your name', 'Before', 'Ada', 'After', 'Ada Lovelace'],
  ]);
  await expectFine(page, 'changed answers');

  const remove = panel.getByRole('button', { name: 'Delete earlier answers' });
  await remove.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog', { name: 'Delete earlier answers?' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => remove.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Delete earlier answers' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('The earlier answers were deleted.').waitFor();
  await expect.poll(() => changes.count()).toBe(0);
  const heading = panel.getByRole('heading', { name: 'Notes and decisions' });
  await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true);
  expect((await home.records(form))[0].data[ID.name]).toBe('Ada Lovelace');
});

test('the question is gone once the earlier answers are, whether or not the history can be asked for again', async () => {
  const form = await aSurvey(home, { editable_submissions: true });
  const { submission_id } = (await home.submit(form, { [ID.name]: 'Adda' })).body;
  await home.submit(form, { [ID.name]: 'Ada', submission_id });
  await home.submit(form, { [ID.name]: 'Grace' });
  const page = await openResponses(browser, home, form, { path: `/${submission_id}` });
  await page.getByRole('button', { name: 'Delete earlier answers' }).click();
  await page.getByRole('alertdialog').waitFor();
  // While the question is open, keys do not lead to another response.
  await page.keyboard.press('k');
  const refused = { status: 403, json: { message: 'Not any more.' } };
  await page.route('**/changes', (route) =>
    route.request().method() === 'GET' ? route.fulfill(refused) : route.continue(),
  );
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Delete earlier answers' }).click();
  await page.getByText('The earlier answers were deleted.').waitFor();
  await dialog.waitFor({ state: 'detached' });
});

test('who may only read sees what was said before in the order of the form, also of a question that is gone', async () => {
  const [name, gone] = [aField('g2', 'text', 'Name'), aField('g1', 'text', 'Was asked once')];
  const form = await home.form({ properties: [name, gone] });
  await home.submit(form, { [name.id]: 'x'.repeat(300), [gone.id]: 'yes' });
  const [{ id, submission_id }] = await home.records(form);
  const put = (body: object) => home.call('PUT', `/open/forms/${form.id}/submissions/${id}`, body);
  await put({ [name.id]: 'Ada', [gone.id]: 'no' });
  await home.call('PUT', `/open/forms/${form.id}`, { properties: [name] });
  const grace = await home.newMember('readonly');
  const page = await openResponses(browser, home, form, {
    path: `/${submission_id}`,
    person: grace,
    device: PHONE,
  });
  const changes = page.getByRole('dialog').getByRole('list', { name: 'Changes' });
  await changes.getByText('Was asked once').waitFor();
  expect(await changes.getByRole('term').allInnerTexts()).toEqual(['Name', 'Was asked once']);
  const remove = page.getByRole('button', { name: 'Delete earlier answers' });
  expect(await remove.getAttribute('aria-disabled')).toBe('true');
  await expectFine(page, 'changed answers of a reader');
});

test('personal data tells what an answer said before, and erases that alone', async () => {
  const [mail, name] = [aField('p1', 'email', 'Mail'), aField('p2', 'text', 'Name')];
  const form = await home.form({ title: 'Visits', properties: [mail, name] });
  await home.submit(form, { [mail.id]: 'grace@example.com', [name.id]: 'Somebody' });
  const [{ id }] = await home.records(form);
  const corrected = { [mail.id]: 'ada@example.com', [name.id]: 'Somebody' };
  await home.call('PUT', `/open/forms/${form.id}/submissions/${id}`, corrected);
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/personal-data`);
  await page.getByRole('searchbox').fill('grace@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('Found: 1 response that said it before.').waitFor();
  await page.getByRole('region', { name: 'Visits' }).getByText('Said before, in Mail').waitFor();
  await expectFine(page, 'found before');
  await page.getByRole('button', { name: 'Erase…' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText('what 1 response said before, in the log of deliveries too, and exports').waitFor();
  await dialog.getByRole('textbox').fill('grace@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('Erased: 1 response without its earlier answers.').waitFor();
  expect(await home.records(form)).toMatchObject([{ id, data: corrected }]);
});
