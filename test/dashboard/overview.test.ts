import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { orderForms } from '../../dashboard/overview/order-forms.ts';
import type { CountedForm } from '../../dashboard/overview/queries.ts';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aTextField, aWorkspace, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { prepareRows } from '../setup/prepare-rows.ts';
import { aWebhookReceiver } from '../setup/webhook-receiver.ts';
import { expectFine, hold, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome({ env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } });
const DAY_MS = 86_400_000;
const SPAM = 'See https://a.example, https://b.example, http://c.example/x and www.d.example';

async function open(workspaceId: number, search = '', device?: BrowserContextOptions): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, home.ada, device);
  await page.goto(`${home.service.url}/workspaces/${workspaceId}/overview${search}`);
  return page;
}

const figure = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd');
const table = (page: Page) => page.getByRole('region', { name: 'Figures of each form' });
const titles = (page: Page) => table(page).getByRole('rowheader').getByRole('link').allTextContents();
const lines = (page: Page) => page.getByRole('listitem').filter({ has: page.getByRole('link') });

/** Three forms with figures of today and of ten days ago, and some trouble. */
async function aBusyWorkspace(name: string) {
  const workspace_id = await aWorkspace(home.service, home.ada, name);
  const properties = [aTextField()];
  const alpha = await home.form({ workspace_id, title: '=Alpha', properties });
  const beta = await home.form({
    workspace_id,
    title: 'Beta',
    properties,
    closes_at: new Date(Date.now() + 3 * DAY_MS).toISOString(),
    settings: { sets_spam_aside: true },
  });
  const gamma = await home.form({ workspace_id, title: 'Gamma', properties, max_submissions_count: 4 });
  const send = async (form: any, count: number) => {
    for (let n = 0; n < count; n++) await home.submit(form, { [TEXT_FIELD_ID]: `Answer ${n}` });
  };
  await send(alpha, 3);
  await prepareRows(home.service, [
    `update submissions set created_at = created_at - interval '10 days' where form_id = $1`,
    [alpha.id],
  ]);
  await send(alpha, 1);
  await send(beta, 2);
  await send(gamma, 4);
  return { workspace_id, alpha, beta, gamma };
}

test('what came in, by form and by day, compared with the days before', async () => {
  const { workspace_id, alpha } = await aBusyWorkspace('Busy');
  const page = await open(workspace_id);
  await expect
    .poll(() => figure(page, 'Completed').allTextContents())
    .toEqual(['7', '3 in the 7 days before']);
  expect(await figure(page, 'Completed today').first().textContent()).toBe('7');
  await expect.poll(() => titles(page)).toEqual(['Gamma', 'Beta', '=Alpha']);
  const row = table(page).getByRole('row').filter({ hasText: '=Alpha' });
  expect(await row.getByRole('cell').allInnerTexts()).toEqual(['1', '1', '−2', '0', '–']);
  await table(page).getByText('Full').waitFor();
  await page.locator('svg.recharts-surface').first().waitFor();
  await expectFine(page, 'overview');

  await page.getByRole('button', { name: 'Show as table' }).click();
  const today = page.getByRole('region', { name: 'Figures per day' }).getByRole('row').nth(1);
  expect((await today.getByRole('cell').allInnerTexts()).slice(1)).toEqual(['0', '0', '7']);
  await expectFine(page, 'overview as a table');

  await page.getByLabel('Days', { exact: true }).selectOption({ label: 'Today' });
  await page.waitForURL(/days=1$/);
  await expect.poll(() => figure(page, 'Completed').allTextContents()).toEqual(['7', '0 on the day before']);
  expect(await figure(page, 'Completed today').count()).toBe(0);
  await page.getByLabel('Days', { exact: true }).selectOption({ label: 'Last 30 days' });
  await expect.poll(() => figure(page, 'Completed').first().textContent()).toBe('10');
  await table(page).getByRole('link', { name: '=Alpha' }).click();
  await page.waitForURL(new RegExp(`/forms/${alpha.id}/analytics$`));
});

test('forms are sorted by any figure, by keyboard too, and downloaded in this order', async () => {
  const { workspace_id, alpha } = await aBusyWorkspace('Sorted');
  const page = await open(workspace_id);
  await expect.poll(() => titles(page)).toEqual(['Gamma', 'Beta', '=Alpha']);
  const head = (name: string) => table(page).getByRole('columnheader', { name });
  expect(await head('Completed').getAttribute('aria-sort')).toBe('descending');
  await head('Form').getByRole('button').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/sort=title$/);
  await expect.poll(() => titles(page)).toEqual(['=Alpha', 'Beta', 'Gamma']);
  expect(await head('Form').getAttribute('aria-sort')).toBe('ascending');
  expect(await head('Completed').getAttribute('aria-sort')).toBe('none');
  await page.keyboard.press('Enter');
  await page.waitForURL(/reversed=true/);
  await expect.poll(() => titles(page)).toEqual(['Gamma', 'Beta', '=Alpha']);
  await head('Change').getByRole('button').click();
  await expect.poll(() => head('Change').getAttribute('aria-sort')).toBe('descending');
  await head('Change').getByRole('button').click();
  await expect.poll(() => head('Change').getAttribute('aria-sort')).toBe('ascending');
  await page.reload();
  await expect.poll(() => titles(page)).toEqual(['=Alpha', 'Beta', 'Gamma']);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^forms-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
  const [names = '', first, ...others] = (await readFile(await download.path(), 'utf8')).split('\r\n');
  expect(names).toMatch(/^\ufeffform_id,title,views,starts,completed,partial,completion_rate,/);
  // A title that a spreadsheet would take for a formula.
  expect(first).toBe(`${alpha.id},'=Alpha,0,0,1,0,,1,0,0,3,0,`);
  expect(others).toHaveLength(2);
});

test('what needs attention leads to where it is mended', async () => {
  const { workspace_id, alpha, beta, gamma } = await aBusyWorkspace('Trouble');
  const page = await open(workspace_id);
  await page.getByRole('heading', { name: 'Needs attention (2)' }).waitFor();
  await page.goto('about:blank');

  const receiver = await aWebhookReceiver();
  receiver.script([], 410);
  await home.call('POST', `/open/forms/${alpha.id}/integrations`, {
    integration_id: 'webhook',
    status: 'active',
    data: { webhook_url: receiver.url },
  });
  await home.submit(alpha, { [TEXT_FIELD_ID]: 'One more' });
  await home.submit(beta, { [TEXT_FIELD_ID]: SPAM });
  const [{ id }] = await home.records(gamma);
  const reviews = `/open/forms/${gamma.id}/submissions/reviews`;
  await home.call('PUT', reviews, { submissionIds: [id], state: 'approved' });
  await expect
    .poll(async () => (await home.call('GET', `/open/workspaces/${workspace_id}/attention`)).body.data)
    .toHaveLength(5);
  const overview = `${home.service.url}/workspaces/${workspace_id}/overview`;
  await page.goto(overview);
  await expect.poll(() => lines(page).count()).toBe(5);
  await expectFine(page, 'overview with trouble');
  const seen: [text: RegExp, address: RegExp, there: string][] = [
    [/=Alpha.*Webhook has stopped\. The receiver answered 410 Gone\./, /integrations\/\d+$/, 'Stopped'],
    [/Gamma.*Full: it takes no more responses\./, /settings\?part=access$/, 'Limit on responses'],
    [/Beta.*Closes on /, /settings\?part=access$/, 'Limit on responses'],
    [/Beta.*1 response set aside as suspected spam\./, /responses\/set-aside$/, 'Not spam'],
    [/Gamma.*3 responses to review\./, /review=received/, 'Answer 1'],
  ];
  for (const [text, address, there] of seen) {
    await page.goto(overview);
    await lines(page).getByRole('link', { name: text }).click();
    await page.waitForURL(address);
    await page.getByText(there).first().waitFor();
  }

  const viewer = await home.newMember('readonly', workspace_id);
  const theirs = await signedInPage(browser, home.service.url, viewer);
  await theirs.goto(overview);
  await theirs.getByRole('heading', { name: 'Needs attention (4)' }).waitFor();
});

test('a workspace without forms says what to do, one without trouble says so', async () => {
  const workspace_id = await aWorkspace(home.service, home.ada, 'New');
  const page = await open(workspace_id, '', PHONE);
  await page.getByRole('heading', { name: 'Nothing to show yet' }).waitFor();
  await expectFine(page, 'overview without forms');
  await home.form({ workspace_id, title: 'First' });
  await page.reload();
  await page.getByText('Nothing at the moment.').waitFor();
  await expect.poll(() => titles(page)).toEqual(['First']);
  await expectFine(page, 'overview without figures');
});

test('nothing moves when what needs attention comes later than the figures, or fails', async () => {
  const { workspace_id } = await aBusyWorkspace('Slow');
  const page = await signedInPage(browser, home.service.url, home.ada);
  const held = await hold(page, /\/attention$/, 'GET');
  await page.goto(`${home.service.url}/workspaces/${workspace_id}/overview`);
  await expect.poll(() => held.came).toBe(1);
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  expect(await figure(page, 'Completed').count()).toBe(0);
  held.go();
  await figure(page, 'Completed').first().waitFor();
  const broken = await signedInPage(browser, home.service.url, home.ada);
  await broken.route(/\/attention$/, (route) => route.fulfill({ status: 403, json: { message: 'No.' } }));
  await broken.goto(`${home.service.url}/workspaces/${workspace_id}/overview`);
  await broken.getByRole('alert').getByText('No.').waitFor();
  expect(await figure(broken, 'Completed').first().textContent()).toBe('7');
});

test('the sidebar and the palette lead there', async () => {
  const page = await signedInPage(browser, home.service.url, home.ada);
  const here = `${home.service.url}/workspaces/${home.workspaceId}`;
  await page.goto(`${here}/forms`);
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Overview' }).click();
  await page.waitForURL(`${here}/overview`);
  await page.goto(`${here}/members`);
  await page.getByRole('heading', { name: 'Members' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search places and forms' }).fill('over');
  await page.getByRole('option', { name: /^Overview/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${here}/overview`);
});

test('many forms are shown by fifty at first', async () => {
  const workspace_id = await aWorkspace(home.service, home.ada, 'Many');
  await prepareRows(home.service, [
    `with made as (
      insert into forms (workspace_id, slug, title)
      select $1, 'many-' || n, 'Form ' || n from generate_series(1, 60) n returning id)
    insert into form_counters (form_id) select id from made`,
    [workspace_id],
  ]);
  const page = await open(workspace_id);
  await expect.poll(async () => (await titles(page)).length).toBe(50);
  await page.getByRole('button', { name: 'Show all 60 forms' }).click();
  await expect.poll(async () => (await titles(page)).length).toBe(60);
});

test('forms without a rate come last in both orders', () => {
  const rates = [null, 0.5, 1, 0];
  const forms = rates.map((completion_rate) => ({ completion_rate }) as CountedForm);
  const sorted = (reversed?: true) =>
    orderForms(forms, { sort: 'completion_rate', reversed }).map(({ completion_rate: rate }) => rate);
  expect([sorted(), sorted(true)]).toEqual([
    [1, 0.5, 0, null],
    [0, 0.5, 1, null],
  ]);
});
