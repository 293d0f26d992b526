import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { aSurvey, ID, seed } from './responses.ts';
import { keepMessages, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

/** A form with the responses of these people; their ids can be found by name. */
async function aFormOf(...names: string[]) {
  const form = await aSurvey(home);
  for (const name of names) await home.submit(form, { [ID.name]: name });
  const records = await home.records(form);
  const ids = new Map<string, number>(records.map(({ data, id }) => [data[ID.name], id]));
  return { form, idOf: (name: string) => ids.get(name) as number };
}

async function open(form: { id: number }): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, home.ada);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/responses`);
  await keepMessages(page);
  return page;
}

const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });
const decide = async (form: { id: number }, id: number, state: string) => {
  const answer = await home.call('POST', `/open/forms/${form.id}/submissions/${id}/review`, { state });
  expect(answer.status, answer.text).toBe(200);
};
const choose = async (page: Page, trigger: string | RegExp, state: string) => {
  await page.getByRole('button', { name: trigger }).click();
  await page.getByRole('menuitem', { name: state }).click();
};

test('lists of a state have whoever was decided about since they were seen', async () => {
  const { form, idOf } = await aFormOf('Hedy', 'Mary', 'Grace');
  await decide(form, idOf('Hedy'), 'approved');
  const page = await open(form);
  const filter = page.getByRole('combobox', { name: 'Review', exact: true });
  await filter.selectOption('Approved');
  await page.getByText('1 response found').waitFor();
  await filter.selectOption('Received');
  await row(page, 'Mary').getByRole('link').click();
  await choose(page, /^Review: /, 'Approved');
  await page.getByText('Review: approved.').waitFor();
  await page.keyboard.press('Escape');
  await filter.selectOption('Approved');
  await page.getByText('2 responses found').waitFor();
  await row(page, 'Mary').waitFor();
});

test('who comes back to the responses sees what was decided meanwhile', async () => {
  const { form, idOf } = await aFormOf('Hedy', 'Mary');
  await decide(form, idOf('Hedy'), 'approved');
  const page = await open(form);
  await row(page, 'Mary').getByText('Received').waitFor();
  await page.getByRole('link', { name: 'Analytics' }).click();
  await row(page, 'Mary').waitFor({ state: 'detached' });
  await decide(form, idOf('Mary'), 'rejected');
  await page.getByRole('link', { name: 'Responses', exact: true }).click();
  await row(page, 'Mary').getByText('Rejected').waitFor();
});

test('after more than the stream of events can tell the list is read anew', async () => {
  const { form, idOf } = await aFormOf('Hedy', 'Mary');
  await decide(form, idOf('Hedy'), 'approved');
  const page = await open(form);
  // The event that a page gets when its computer has slept.
  let told = 'counters';
  await page.route('**/submissions/events', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: `retry: 300\nevent: ${told}\ndata: {}\n\n` }),
  );
  await page.reload();
  await row(page, 'Mary').getByText('Received').waitFor();
  await decide(form, idOf('Mary'), 'rejected');
  told = 'reset';
  await row(page, 'Mary').getByText('Rejected').waitFor();
});

test('where too many streams of events are open, new responses are asked for, and a stream later', async () => {
  const { form, idOf } = await aFormOf('Hedy', 'Mary');
  await decide(form, idOf('Hedy'), 'approved');
  const page = await open(form);
  let refusals = 0;
  await page.route('**/submissions/events', (route) => {
    refusals++;
    return route.fulfill({
      status: 503,
      json: { message: 'Too many streams of all people are open already.' },
    });
  });
  await page.clock.install();
  await page.reload();
  await row(page, 'Mary').getByText('Received').waitFor();
  await until(() => refusals > 0, { what: 'the refusal' });
  await home.submit(form, { [ID.name]: 'Grace' });
  await page.clock.fastForward(11_000);
  await page.getByRole('button', { name: '1 new' }).waitFor();
  await page.unroute('**/submissions/events');
  await decide(form, idOf('Mary'), 'rejected');
  await page.clock.fastForward(60_000);
  await row(page, 'Mary').getByText('Rejected').waitFor();
});

test('what cannot be decided any more is told', async () => {
  const { form, idOf } = await aFormOf('Hedy', 'Mary');
  const page = await open(form);
  for (const name of ['Hedy', 'Mary']) await row(page, name).getByRole('checkbox').check();
  await home.call('DELETE', `/open/forms/${form.id}/submissions/${idOf('Mary')}`);
  await choose(page, 'Review', 'Approved');
  await page.getByText('deleted meanwhile').waitFor();

  await home.service.context.pool.query(
    `insert into review_entries (form_id, submission_id, note)
     select $1, $2, 'note ' || n from generate_series(1, 300) as n`,
    [form.id, idOf('Hedy')],
  );
  await row(page, 'Hedy').getByRole('link').click();
  await choose(page, 'Review: Received', 'Approved');
  await page.getByText('The history may not have more than 300 entries.').waitFor();
});

test('the reviews of a form are counted once, however many decisions are seen', async () => {
  const { form, idOf } = await aFormOf('Hedy');
  await decide(form, idOf('Hedy'), 'approved');
  const page = await open(form);
  await row(page, 'Hedy').getByText('Approved').waitFor();
  const counts: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/submissions/reviews')) counts.push(request.url());
  });
  for (const [state, name] of [
    ['rejected', 'Rejected'],
    ['has_issues', 'Has issues'],
  ] as const) {
    await decide(form, idOf('Hedy'), state);
    await row(page, 'Hedy').getByText(name).waitFor();
  }
  expect(counts).toEqual([]);
  // The page asks whether any reviews are left.
  await decide(form, idOf('Hedy'), 'received');
  await page.getByRole('columnheader', { name: 'Review' }).waitFor({ state: 'detached' });
});

test('a decision is not taken back over the head of somebody else', async () => {
  const { form, idOf } = await aFormOf('Hedy', 'Mary');
  const page = await open(form);
  const stateOf = async (name: string) =>
    (await home.call('GET', `/open/forms/${form.id}/submissions/${idOf(name)}/review`)).body.state;
  for (const name of ['Hedy', 'Mary']) await row(page, name).getByRole('checkbox').check();
  await choose(page, 'Review', 'Approved');
  await page.getByText('2 responses: approved.').waitFor();
  await decide(form, idOf('Mary'), 'rejected');
  await row(page, 'Mary').getByText('Rejected').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('1 response was decided otherwise since').waitFor();
  expect([await stateOf('Hedy'), await stateOf('Mary')]).toEqual(['received', 'rejected']);

  await row(page, 'Hedy').getByRole('link').click();
  await choose(page, 'Review: Received', 'Has issues');
  await page.getByText('Review: has issues.').waitFor();
  await decide(form, idOf('Hedy'), 'approved');
  await page.getByRole('button', { name: 'Review: Approved' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => page.getByText('1 response was decided otherwise since').count()).toBe(2);
  expect(await stateOf('Hedy')).toBe('approved');
});

test('what the list let go of is set back to what it was, too', async () => {
  const form = await aSurvey(home);
  await seed(home, form.id, 120);
  const { body } = await home.call('GET', `/open/forms/${form.id}/submissions?order=asc&per_page=1`);
  const [{ id }] = body.data;
  await decide(form, id, 'approved');
  const page = await open(form);
  const table = page.getByRole('table', { name: 'Responses' });
  const oldest = row(page, 'Visitor 1 ').getByRole('checkbox');
  await table.getByText('Visitor 120', { exact: true }).waitFor();
  await expect
    .poll(async () => {
      await table.evaluate((element) => element.scrollTo({ top: 1_000_000 }));
      return oldest.isVisible();
    })
    .toBe(true);
  await oldest.check();
  await home.submit(form, { [ID.name]: 'Late' });
  // The list starts again from its top.
  await page.getByRole('button', { name: '1 new' }).click({ timeout: 60_000 });
  await table.getByText('Late', { exact: true }).waitFor();
  const stateOf = async () =>
    (await home.call('GET', `/open/forms/${form.id}/submissions/${id}/review`)).body.state;
  await choose(page, 'Review', 'Rejected');
  await page.getByText('1 response: rejected.').waitFor();
  expect(await stateOf()).toBe('rejected');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(stateOf).toBe('approved');
});

test('an open menu keeps the keys to itself', async () => {
  const { form } = await aFormOf('Hedy', 'Mary');
  const page = await open(form);
  await row(page, 'Mary').getByRole('link').click();
  await page.getByRole('button', { name: 'Review: Received' }).click();
  await page.getByRole('menuitem', { name: 'Approved' }).waitFor();
  const address = page.url();
  for (const key of ['ArrowRight', 'j']) await page.keyboard.press(key);
  await page.getByRole('menuitem', { name: 'Approved' }).click();
  await row(page, 'Mary').getByText('Approved').waitFor();
  expect(page.url()).toBe(address);
});
