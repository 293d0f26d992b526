import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { readWorkbook } from '../exports/xlsx-reader.ts';
import { PDF, upload } from '../files/upload.ts';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { aSurvey, ID, type Opening, openResponses, seed } from './responses.ts';
import { expectFine, keepMessages } from './screens.ts';

/** More than the table keeps at a time. */
const COUNT = 2_500;

const browser = useBrowser();
const home = useHome();
let survey: { id: number; slug: string };
beforeAll(async () => {
  survey = await aSurvey(home);
  await seed(home, survey.id, COUNT);
});

const open = (form: { id: number }, opening: Opening = {}) => openResponses(browser, home, form, opening);

const rows = (page: Page) => page.getByRole('table', { name: 'Responses' }).getByRole('row');

async function countOf(form: { id: number }): Promise<number> {
  const { rows } = await home.service.context.pool.query(
    'select count(*)::int as count from submissions where form_id = $1',
    [form.id],
  );
  return rows[0].count;
}

describe('the table', () => {
  test('draws few of many rows, goes far down and back, and is fine', async () => {
    const page = await open(survey);
    await page.getByText('2,500 responses').waitFor();
    await page.getByText('Visitor 2499', { exact: true }).waitFor();
    await expect.poll(() => rows(page).count()).toBeLessThan(60);
    await expectFine(page, 'responses');
    const table = page.getByRole('table', { name: 'Responses' });
    // To the end, page by page: more pages than the table keeps.
    const scroll = (top: number) => table.evaluate((element, to) => element.scrollTo({ top: to }), top);
    const oldest = page.getByText('Visitor 1', { exact: true });
    await expect
      .poll(async () => {
        await scroll(10_000_000);
        return oldest.isVisible();
      })
      .toBe(true);
    await expect.poll(() => rows(page).count()).toBeLessThan(60);
    await scroll(0);
    await page.getByText('Visitor 2499', { exact: true }).waitFor();
  });

  test('says that it cannot go on, and does when told to', async () => {
    const page = await open(survey);
    await page.getByText('Visitor 2499', { exact: true }).waitFor();
    let calls = 0;
    const later = /submissions\?.*cursor=/;
    await page.route(later, (route) => {
      calls += 1;
      return route.fulfill({ status: 400, json: { message: 'Not now.' } });
    });
    const table = page.getByRole('table', { name: 'Responses' });
    await table.evaluate((element) => element.scrollTo({ top: 10_000_000 }));
    await page.getByText('Not now.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => calls).toBe(2);
    await page
      .getByRole('button', { name: 'Try again' })
      .and(page.locator(':not([aria-disabled=true])'))
      .waitFor();
    expect(calls).toBe(2);
    await page.unroute(later);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Not now.').waitFor({ state: 'detached' });
    await page.getByText('Visitor 2399', { exact: true }).waitFor();
  });

  test('beside it, the last that is loaded is not taken for the last of all', async () => {
    const list = await home.call('GET', `/open/forms/${survey.id}/submissions?per_page=100&order=desc`);
    const [first, last] = [list.body.data.at(0), list.body.data.at(-1)];
    const page = await open(survey);
    await page.getByText('Visitor 2499', { exact: true }).waitFor();
    const later = /submissions\?.*cursor=/;
    await page.route(later, (route) => route.fulfill({ status: 400, json: { message: 'Not now.' } }));
    const panel = page.getByRole('dialog');
    const next = panel.getByRole('button', { name: 'Next (j)' });
    const says = (words: string) => page.getByRole('tooltip', { name: words }).waitFor();
    const table = page.getByRole('table', { name: 'Responses' });
    await table.evaluate((element) => element.scrollTo({ top: 99 * 44 }));
    await table.locator(`[data-response="${last.submission_id}"]`).click();
    await panel.getByText('Not now.').waitFor();
    await next.hover();
    await says('It could not be loaded');
    await page.unroute(later);
    await panel.getByRole('button', { name: 'Try again' }).click();
    await next.and(page.locator(':not([aria-disabled=true])')).click();
    await page.waitForURL((url) => !url.pathname.endsWith(last.submission_id));
    await panel.getByText('visitor2400@example.com').waitFor();

    await page.goto(page.url().replace(/[^/]+$/, first.submission_id));
    await panel.getByRole('button', { name: 'Previous (k)' }).hover();
    await says('This is the first');
    // A response that is not in the list has no known neighbour.
    await page.goto(page.url().replace(/[^/]+$/, `${last.submission_id}?search=Visitor+2499`));
    await page.getByText('1 response found').waitFor();
    await next.hover();
    await says('The list does not show this response');
  });

  test('keeps the columns that were chosen and their widths', async () => {
    const page = await open(survey);
    await page.getByRole('columnheader', { name: 'How was it?' }).waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'How was it?' }).uncheck();
    await page.getByRole('checkbox', { name: 'Time taken' }).check();
    await expectFine(page, 'columns');
    await page.keyboard.press('Escape');
    const handle = page.getByRole('separator', { name: 'Width of Your name' });
    const width = Number(await handle.getAttribute('aria-valuenow'));
    await handle.focus();
    await page.keyboard.press('ArrowRight');
    await page.reload();
    await page.getByRole('columnheader', { name: 'Time taken' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'How was it?' }).count()).toBe(0);
    expect(Number(await handle.getAttribute('aria-valuenow'))).toBe(width + 16);
    for (const next of [240, 480, 120]) {
      await handle.click();
      await expect.poll(() => handle.getAttribute('aria-valuenow')).toBe(String(next));
    }
  });

  test('is searched, filtered and sorted, all of it kept in the address', async () => {
    const page = await open(survey);
    await page.getByText('2,500 responses').waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Question').selectOption({ label: 'Party size' });
    await page.getByLabel('Answer', { exact: true }).selectOption({ label: 'is at most' });
    await page.getByLabel('Value', { exact: true }).fill('40');
    await expectFine(page, 'filter');
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByText('40 responses found').waitFor();
    await page.getByLabel('Search answers').fill('visitor 3');
    await page.getByText('11 responses found').waitFor();
    await page.getByRole('columnheader', { name: 'Party size' }).getByRole('button').click();
    await page.waitForURL(/sort=/);
    await page.reload();
    await page.getByText('11 responses found').waitFor();
    await page.getByText('Visitor 39', { exact: true }).waitFor();
    const names = await rows(page)
      .getByText(/^Visitor/)
      .allInnerTexts();
    expect(names.slice(0, 2)).toEqual(['Visitor 39', 'Visitor 38']);
    await page.getByRole('button', { name: /Stop filtering: Party size/ }).click();
    await page.getByLabel('Search answers').fill('nobody like this');
    await page.getByText('No responses match').waitFor();
    await page.getByRole('button', { name: 'Show all responses' }).click();
    await page.getByText('2,500 responses').waitFor();
    await page.goBack();
    await page.getByText('No responses match').waitFor();
    expect(await page.getByLabel('Search answers').inputValue()).toBe('nobody like this');
    await page.goForward();
    await page.getByText('2,500 responses').waitFor();
    expect(await page.getByLabel('Search answers').inputValue()).toBe('');
  });

  test('is compared with nothing that cannot be seen', async () => {
    const color = aField('c1', 'select', 'Color', { select: { options: [{ name: 'Red' }] } });
    const form = await home.form({ properties: [color] });
    await home.submit(form, { [color.id]: 'Red' });
    const page = await open(form);
    await page.getByText('1 response', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const answer = page.getByLabel('Answer', { exact: true });
    const value = page.getByLabel('Value', { exact: true });
    await answer.selectOption({ label: 'contains' });
    await value.fill('Re');
    await answer.selectOption({ label: 'is' });
    const add = page.getByRole('button', { name: 'Add filter' });
    await add.and(page.locator('[aria-disabled=true]')).waitFor();
    await value.selectOption({ label: 'Red' });
    await add.click();
    await page.getByText('1 response found').waitFor();
  });

  test('has chosen the very option, and is found by what people added of their own, too', async () => {
    const options = ['Red', 'Dark red'].map((name) => ({ name }));
    const colors = aField('c2', 'multi_select', 'Colors', {
      multi_select: { options },
      allow_creation: true,
    });
    const form = await home.form({ properties: [colors] });
    for (const answer of [['Red'], ['Dark red'], ['Red', 'Olive']])
      await home.submit(form, { [colors.id]: answer });
    const page = await open(form);
    await page.getByText('3 responses', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    // The preselected comparison is kept.
    await page.getByLabel('Value', { exact: true }).selectOption({ label: 'Red' });
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByText('2 responses found').waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Answer', { exact: true }).selectOption({ label: 'contains' });
    await page.getByLabel('Value', { exact: true }).fill('olive');
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByText('1 response found').waitFor();
  });

  test('leaves out more than one answer', async () => {
    const page = await open(survey);
    await page.getByText('2,500 responses').waitFor();
    for (const [topic, found] of [
      ['Paintings', '1,250 responses found'],
      ['Sculptures', 'No responses match'],
    ] as const) {
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByLabel('Question').selectOption({ label: 'What did you see?' });
      await page.getByLabel('Answer', { exact: true }).selectOption({ label: 'is not' });
      await page.getByLabel('Value', { exact: true }).selectOption({ label: topic });
      await page.getByRole('button', { name: 'Add filter' }).click();
      await page.getByText(found).waitFor();
    }
    await page.getByRole('button', { name: /What did you see\? is not Sculptures/ }).click();
    await page.getByText('1,250 responses found').waitFor();
  });

  test('has chosen both of two options, and is one number only', async () => {
    const page = await open(survey);
    await page.getByText('2,500 responses').waitFor();
    const add = async (question: string, operator: string, value: (input: Locator) => Promise<unknown>) => {
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByLabel('Question').selectOption({ label: question });
      await page.getByLabel('Answer', { exact: true }).selectOption({ label: operator });
      await value(page.getByLabel('Value', { exact: true }));
      await page.getByRole('button', { name: 'Add filter' }).click();
    };
    for (const [topic, found] of [
      ['Paintings', '1,250 responses found'],
      ['Sculptures', 'No responses match'],
    ] as const) {
      await add('What did you see?', 'is', (input) => input.selectOption({ label: topic }));
      await page.getByText(found).waitFor();
    }
    await page.getByRole('button', { name: 'Show all responses' }).click();
    await page.getByText('2,500 responses').waitFor();
    for (const word of ['Visitor 12', '34']) await add('Your name', 'contains', (input) => input.fill(word));
    await page.getByText('1 response found').waitFor();
    for (const size of ['3', '1234']) await add('Party size', 'is', (input) => input.fill(size));
    await page.getByRole('button', { name: 'Stop filtering: Party size is 1234' }).waitFor();
    expect(await page.getByRole('button', { name: /Stop filtering/ }).count()).toBe(3);
    await page.getByText('1 response found').waitFor();
  });

  test('has the days of the reader whole, to their last moment', async () => {
    const form = await aSurvey(home);
    await seed(home, form.id, 4);
    const moments = [
      '2026-03-10T14:59:59.9999Z',
      '2026-03-09T15:00:00Z',
      '2026-03-10T15:00:00Z',
      '2026-03-09T14:59:59.9999Z',
    ];
    await home.service.context.pool.query(
      `update submissions set created_at = ($2::timestamptz[])[row_number] from
         (select id, row_number() over (order by id) from submissions where form_id = $1) numbered
       where form_id = $1 and submissions.id = numbered.id`,
      [form.id, moments],
    );
    const path = '?from=2026-03-10&to=2026-03-10';
    const page = await open(form, { path, device: { timezoneId: 'Asia/Tokyo' } });
    await page.getByText('2 responses found').waitFor();
    await page.getByText('Visitor 1', { exact: true }).waitFor();
    await page.getByText('Visitor 2', { exact: true }).waitFor();
  });

  test('fits a phone, with text from right to left', async () => {
    const page = await open(survey, { device: PHONE });
    await page
      .getByRole('row', { name: /زائر رقم 2500/ })
      .getByRole('link')
      .click();
    await page.getByRole('dialog').getByText('زائر رقم 2500').waitFor();
    await expectFine(page, 'response on a phone');
  });
});

describe('one response', () => {
  test('is read by keyboard, one after the other, and the focus returns to its row', async () => {
    const page = await open(survey);
    const link = page.getByRole('row', { name: /Visitor 2499/ }).getByRole('link');
    await link.focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog');
    await panel.getByText('visitor2499@example.com').waitFor();
    await expectFine(page, 'response');
    // Which response it is now is said.
    const title = panel.getByRole('heading', { level: 2 }).and(panel.locator('[aria-live=polite]'));
    const former = await title.textContent();
    await page.keyboard.press('j');
    await panel.getByText('visitor2498@example.com').waitFor();
    expect(await title.textContent()).not.toBe(former);
    await page.keyboard.press('ArrowRight');
    await panel.getByText('visitor2497@example.com').waitFor();
    await page.keyboard.press('k');
    await panel.getByText('visitor2498@example.com').waitFor();
    // The address links to the response.
    await page.reload();
    await panel.getByText('visitor2498@example.com').waitFor();
    // The panel loads by itself, perhaps before the table, which has the row that gets the focus back.
    await page.locator('[data-response]').first().waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await page.locator('[data-response]:focus').waitFor();
  });

  test('is shown without what was not answered to whoever wants that, and so is the next', async () => {
    const form = await aSurvey(home);
    await home.submit(form, { [ID.name]: 'Ada', [ID.count]: 0 });
    await home.submit(form, { [ID.name]: 'Grace', [ID.agreed]: false });
    const page = await openResponses(browser, home, form);
    await page.getByRole('row', { name: /Grace/ }).getByRole('link').click();
    const panel = page.getByRole('dialog');
    const questions = () => panel.locator('dl').first().locator('dt').allInnerTexts();
    await panel.getByText('No answer').first().waitFor();
    expect(await questions()).toHaveLength(9);
    const box = panel.getByRole('checkbox', { name: 'Only what was answered' });
    await box.check();
    expect(await questions()).toEqual(['Your name', 'May we write to you?']);
    // A 0 counts as an answer, and the box does not block keys.
    await page.keyboard.press('j');
    await panel.getByText('Ada').waitFor();
    expect(await questions()).toEqual(['Your name', 'Party size']);
    await page.reload();
    await panel.getByText('Ada').waitFor();
    expect(await questions()).toEqual(['Your name', 'Party size']);
    await expectFine(page, 'answers alone');
    await box.uncheck();
    expect(await questions()).toHaveLength(9);
  });

  test('is changed by the rules of the form', async () => {
    const form = await aSurvey(home, { title: 'Changed' });
    await home.submit(form, { [ID.name]: 'Ada', [ID.topics]: ['Garden'], [ID.stars]: 4 });
    const page = await open(form);
    await page.getByRole('row', { name: /Ada/ }).getByRole('link').click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('button', { name: 'Edit' }).click();
    await panel.getByLabel('Your name').fill('');
    await panel.getByLabel('E-mail address').fill('nonsense');
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByRole('alert').nth(1).waitFor();
    await expect.poll(() => panel.getByLabel('Your name').getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => panel.getByLabel('E-mail address').getAttribute('aria-invalid')).toBe('true');
    await expectFine(page, 'edit');
    await panel.getByLabel('Your name').fill('Grace');
    await panel.getByLabel('E-mail address').fill('grace@example.com');
    await panel.getByLabel('Paintings').check();
    await panel.getByLabel('Café').selectOption('Bad');
    await panel.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The response was saved.').waitFor();
    await page.getByRole('table').getByText('Grace', { exact: true }).waitFor();
    const [record] = await home.records(form);
    expect(record.data).toMatchObject({
      [ID.name]: 'Grace',
      [ID.email]: 'grace@example.com',
      [ID.topics]: ['Garden', 'Paintings'],
      [ID.stars]: 4,
      [ID.grid]: { Café: 'Bad' },
    });
  });

  test('of which only a file was taken out is not left without a question', async () => {
    const papers = aField('d1', 'files', 'Papers');
    const form = await home.form({ properties: [papers] });
    const file = await upload(home.service, form, papers.id, PDF, 'a.pdf');
    const { body } = await home.submit(form, { [papers.id]: [file.body.reference] });
    const page = await open(form, { path: `/${body.submission_id}` });
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No file').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The response was saved.').waitFor();
    expect((await home.records(form))[0].files).toBeUndefined();
  });

  test('to a matrix is read in the order of the rows, whatever their names', async () => {
    const matrix = { rows: ['The longest row', 'Short', 'A'], columns: ['1', '2', '3'] };
    const form = await home.form({ properties: [aField('d1', 'matrix', 'Rank', matrix)] });
    const answer = { A: '3', Short: '2', 'The longest row': '1' };
    await home.submit(form, { [aField('d1', 'text', '').id]: answer });
    const page = await open(form);
    await rows(page).getByText('The longest row: 1 · Short: 2 · A: 3', { exact: true }).waitFor();
    await rows(page).nth(1).getByRole('link').click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('rowheader').nth(2).waitFor();
    await expect.poll(() => panel.getByRole('rowheader').allInnerTexts()).toEqual(matrix.rows);
  });

  test('of questions that had another type is read as it was given, and changed to what they ask now', async () => {
    const [color, agreed, staff, rest] = ['d1', 'd2', 'd3', 'd4'].map(
      (digits) => aField(digits, 'text', '').id,
    );
    const options = { options: [{ name: 'Red' }, { name: 'Blue' }] };
    const grid = { rows: ['Desk'], columns: ['Good', 'Bad'] };
    const form = await home.form({
      properties: [
        aField('d1', 'select', 'Color', { select: options }),
        aField('d2', 'text', 'Agreed?'),
        aField('d3', 'text', 'Staff'),
        aField('d4', 'matrix', 'The rest', grid),
      ],
    });
    await home.submit(form, {
      [color!]: 'Red',
      [agreed!]: 'Yes, gladly',
      [staff!]: 'Mostly good',
      [rest!]: { Desk: 'Good' },
    });
    await home.call('PUT', `/open/forms/${form.id}`, {
      properties: [
        aField('d1', 'multi_select', 'Color', { multi_select: options }),
        aField('d2', 'checkbox', 'Agreed?'),
        aField('d3', 'matrix', 'Staff', grid),
        aField('d4', 'text', 'The rest'),
      ],
    });
    const page = await open(form);
    for (const text of ['Red', 'Yes, gladly', 'Mostly good', 'Desk: Good'])
      await rows(page).getByText(text, { exact: true }).waitFor();
    await rows(page).nth(1).getByRole('link').click();
    const panel = page.getByRole('dialog');
    for (const text of ['Red', 'Yes, gladly', 'Mostly good'])
      await panel.getByText(text, { exact: true }).waitFor();
    await panel.getByRole('row', { name: 'Desk Good' }).waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    // One of several choices, and the text of an answer that was a table.
    await expect.poll(() => panel.getByRole('checkbox', { name: 'Red' }).isChecked()).toBe(true);
    await expect.poll(() => panel.getByRole('textbox', { name: 'The rest' }).inputValue()).toBe('Desk: Good');
    await page.getByRole('button', { name: 'Save' }).click();
    await panel.getByText(/must be true or false/).waitFor();
    await panel.getByText('Yes, gladly').waitFor();
    await expectFine(page, 'answers of another type');
    const group = (name: string) => panel.getByRole('group', { name });
    await group('Agreed?').getByRole('button', { name: 'Remove' }).click();
    await panel.getByRole('checkbox', { name: 'Agreed?' }).check();
    await group('Staff').getByRole('button', { name: 'Remove' }).click();
    await group('Staff').getByLabel('Desk').selectOption('Bad');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The response was saved.').waitFor();
    expect((await home.records(form))[0].data).toMatchObject({
      [color!]: ['Red'],
      [agreed!]: true,
      [staff!]: { Desk: 'Bad' },
      [rest!]: 'Desk: Good',
    });
  });

  test('that two people change keeps what both did, and asks where they did the same', async () => {
    const form = await aSurvey(home, { title: 'Of two' });
    await home.submit(form, { [ID.name]: 'Ada', [ID.topics]: ['Garden'], [ID.stars]: 4, [ID.count]: 2 });
    const page = await open(form);
    await page.getByRole('row', { name: /Ada/ }).getByRole('link').click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('button', { name: 'Edit' }).click();
    await panel.getByLabel('Your name').fill('Grace');
    await panel.getByLabel('Party size').fill('3');
    const [read] = await home.records(form);
    const theirs = { ...read.data, [ID.name]: 'Hedy', [ID.topics]: ['Paintings'], [ID.count]: 3 };
    const path = `/open/forms/${form.id}/submissions/${read.id}`;
    expect((await home.call('PUT', path, theirs)).status).toBe(200);
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('Somebody else changed this response meanwhile').waitFor();
    expect((await home.records(form))[0].data[ID.name]).toBe('Hedy');
    await expect
      .poll(() => panel.getByRole('alert').getByRole('listitem').allInnerTexts())
      .toEqual(['Your name: Hedy']);
    await expect.poll(() => panel.getByLabel('Your name').inputValue()).toBe('Grace');
    await expect.poll(() => panel.getByLabel('Paintings').isChecked()).toBe(true);
    await expect.poll(() => panel.getByLabel('Garden').isChecked()).toBe(false);
    await expectFine(page, 'changed meanwhile');
    await panel.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The response was saved.').waitFor();
    const [record] = await home.records(form);
    expect(record.data).toMatchObject({
      [ID.name]: 'Grace',
      [ID.topics]: ['Paintings'],
      [ID.stars]: 4,
      [ID.count]: 3,
    });
  });

  test('goes to the trash at once, the next is shown, and it can be taken back', async () => {
    const form = await aSurvey(home, { title: 'Trashed' });
    await seed(home, form.id, 3);
    const page = await open(form);
    await page
      .getByRole('row', { name: /Visitor 3/ })
      .getByRole('link')
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).waitFor();
    await keepMessages(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).click();
    await page.getByText('The response is in the trash.').waitFor();
    await page.getByRole('dialog').getByText('visitor2@example.com').waitFor();
    expect((await home.records(form)).map(({ data }) => data[ID.name])).toEqual(['Visitor 2', 'Visitor 1']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 response is back.').waitFor();
    await page.getByRole('row', { name: /Visitor 3/ }).waitFor();
    expect(await countOf(form)).toBe(3);
  });

  test('is only read by viewers, who are told why', async () => {
    const page = await open(survey, { person: await home.member('readonly') });
    await page
      .getByRole('row', { name: /Visitor 2499/ })
      .getByRole('link')
      .click();
    const edit = page.getByRole('dialog').getByRole('button', { name: 'Edit' });
    await expect.poll(() => edit.getAttribute('aria-disabled')).toBe('true');
    await edit.focus();
    await page.getByRole('tooltip', { name: /not change them/ }).waitFor();
  });
});

test('new responses wait behind a pill, and nothing moves before it is pressed', async () => {
  const form = await aSurvey(home, { title: 'Live' });
  const page = await open(form);
  await page.getByText('No responses yet').waitFor();
  await expectFine(page, 'no responses');
  await home.submit(form, { [ID.name]: 'First' });
  // In an empty list, nothing could move.
  await page.getByRole('table').getByText('First', { exact: true }).waitFor({ timeout: 120_000 });
  await home.submit(form, { [ID.name]: 'Second' });
  await home.submit(form, { [ID.name]: 'Third' });
  const pill = page.getByRole('button', { name: '2 new' });
  await pill.waitFor({ timeout: 120_000 });
  await expect.poll(() => rows(page).count()).toBe(2);
  const away = (url: URL) => url.pathname.endsWith('/submissions');
  await page.route(away, (route) => route.fulfill({ status: 503, json: { message: 'Away for a moment.' } }));
  await pill.click();
  await page.getByText('Away for a moment.').waitFor();
  await page.unroute(away);
  await pill.click();
  await page.getByRole('table').getByText('Third', { exact: true }).waitFor();
  await pill.waitFor({ state: 'detached' });
  await expect.poll(() => rows(page).count()).toBe(4);
});

test('the pill says that there may be more than a page of long responses', async () => {
  const texts = Array.from({ length: 10 }, (_, at) => aField(`${at + 10}`, 'text', `Text ${at}`));
  const form = await home.form({ properties: texts });
  await home.submit(form, { [texts[0]!.id]: 'Short' });
  const page = await open(form);
  await page.getByText('1 response', { exact: true }).waitFor();
  const long = Object.fromEntries(texts.map(({ id }) => [id, 'Long '.repeat(20_000)]));
  for (let at = 0; at < 10; at++) expect((await home.submit(form, long)).status).toBe(200);
  await page.getByRole('button', { name: /^[78]\+ new$/ }).waitFor({ timeout: 60_000 });
});

test('many go to the trash at once, but for what came meanwhile, and come back', async () => {
  const form = await aSurvey(home, { title: 'Emptied' });
  await seed(home, form.id, 250);
  const page = await open(form);
  await page.getByText('250 responses').waitFor();
  await keepMessages(page);
  await home.submit(form, { [ID.name]: 'Late' });
  await page.getByLabel('Select the loaded responses').check();
  await page.getByText('100 selected').waitFor();
  await page.getByRole('button', { name: 'Select all 250' }).click();
  await page.getByRole('button', { name: 'Export', exact: true }).last().click();
  const scope = page.getByLabel('Responses in the file');
  // The file has the late one, too.
  await expect.poll(() => scope.locator('option:checked').innerText()).toBe('The 251 that match the filter');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Move to trash' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Move 250 responses to the trash?' });
  await dialog.getByRole('button', { name: 'Move to trash' }).click();
  await page.getByText('250 responses are in the trash.').waitFor();
  await page.getByRole('table').getByText('Late', { exact: true }).waitFor();
  expect((await home.records(form)).map(({ data }) => data[ID.name])).toEqual(['Late']);
  await page.getByRole('link', { name: '250 in the trash' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('250 responses are back.').waitFor();
  await page.getByText('251 responses').waitFor();
  expect(await countOf(form)).toBe(251);
});

test('who takes one out of all means the others alone', async () => {
  const form = await aSurvey(home, { title: 'All but one' });
  await seed(home, form.id, 120);
  const page = await open(form);
  await page.getByText('120 responses').waitFor();
  await page.getByLabel('Select the loaded responses').check();
  await page.getByRole('button', { name: 'Select all 120' }).click();
  await page.getByText('120 selected').waitFor();
  await page
    .getByRole('row', { name: /Visitor 119/ })
    .getByRole('checkbox')
    .uncheck();
  await page.getByText('99 selected').waitFor();
  await page.getByRole('button', { name: 'Move to trash' }).click();
  await page.getByText('99 responses are in the trash.').waitFor();
  expect((await home.records(form)).map(({ data }) => data[ID.name])).toContain('Visitor 119');
  expect(await countOf(form)).toBe(21);
});

test('more than was counted is named so, and can be stopped whatever else is looked at', async () => {
  const form = await aSurvey(home, { title: 'Very many' });
  await seed(home, form.id, 10_400);
  const page = await open(form, { path: '?from=2020-01-01' });
  await keepMessages(page);
  /** Holds all calls after this many until they are let go. */
  const holdAfter = async (most: number) => {
    let calls = 0;
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/submissions/trash', async (route) => {
      calls += 1;
      if (calls > most) await held;
      await route.continue();
    });
    return letGo;
  };
  const begin = async (first: number) => {
    await page.getByLabel('Select the loaded responses').check();
    await page.getByRole('button', { name: 'Select all 10,000+' }).click();
    await page.getByText('more than 10,000 selected').waitFor();
    await page.getByRole('button', { name: 'Move to trash' }).click();
    const question = page.getByRole('alertdialog', { name: 'Move more than 10,000 responses to the trash?' });
    if (first === 100) await expectFine(page, 'move more than was counted');
    await question.getByRole('button', { name: 'Move to trash' }).click();
    await page.getByText(`Moving ${first} of more than 10,000`).waitFor();
  };
  await page.getByText('10,000+ responses found').waitFor();
  let letGo = await holdAfter(1);
  await begin(100);
  await expectFine(page, 'moving');
  await page.getByLabel('Search answers').fill('visitor 4999');
  await page.waitForURL(/search=/);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  letGo();
  await page.getByText('Stopped: 200 of more than 10,000 are in the trash.').waitFor();
  await page.getByText('1 response found').waitFor();
  expect(await countOf(form)).toBe(10_200);

  // It does not go on unseen either.
  await page.getByLabel('Search answers').fill('');
  await page.getByText('10,000+ responses found').waitFor();
  letGo = await holdAfter(2);
  await begin(200);
  await page.getByRole('link', { name: 'Analytics' }).click();
  await page.waitForURL(/analytics/);
  await page.getByRole('table', { name: 'Responses' }).waitFor({ state: 'detached' });
  letGo();
  await page.getByText('Stopped: 300 of more than 10,000 are in the trash.').waitFor();
  expect(await countOf(form)).toBe(9_900);
});

test('a file has the chosen columns in the chosen order, and the chosen responses', async () => {
  const page = await open(survey);
  for (const name of ['Visitor 2499', 'Visitor 2498'])
    await page
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('checkbox')
      .check();
  await page.getByText('2 selected').waitFor();
  await page.getByRole('button', { name: 'Export', exact: true }).last().click();
  const dialog = page.getByRole('dialog', { name: 'Export responses' });
  await dialog.getByRole('button', { name: 'None' }).click();
  await dialog.getByLabel('Your name', { exact: true }).check();
  await dialog.getByLabel('E-mail address', { exact: true }).check();
  await dialog.getByLabel('Kind of file').selectOption('CSV');
  await expectFine(page, 'export');
  // Moves it up by one, by keyboard.
  await dialog.getByRole('button', { name: 'Move E-mail address' }).focus();
  await page.keyboard.press('Space');
  await page.getByText('“E-mail address” is at place 3').waitFor({ state: 'attached' });
  await page.keyboard.press('ArrowUp');
  await page.getByText('“E-mail address” is at place 2').waitFor({ state: 'attached' });
  await page.keyboard.press('Space');
  await page.getByText('“E-mail address” dropped at place 2.').waitFor({ state: 'attached' });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${survey.slug}-submissions.csv`);
  expect(parse(await readFile(await download.path(), 'utf8'))).toEqual([
    ['E-mail address', 'Your name'],
    ['visitor2499@example.com', 'Visitor 2499'],
    ['visitor2498@example.com', 'Visitor 2498'],
  ]);
});

test('a file tells what is in it, and can have what the table shows', async () => {
  const form = await aSurvey(home, { editable_submissions: true });
  await seed(home, form.id, 30);
  const { pool } = home.service.context;
  const two =
    "update submissions set status = 'partial' where form_id = $1 and data ->> $2 in ('Visitor 1', 'Visitor 2')";
  await pool.query(two, [form.id, ID.name]);
  await pool.query('update form_counters set completed_count = 28, partial_count = 2 where form_id = $1', [
    form.id,
  ]);
  const page = await open(form);
  await page.getByText('28 responses').waitFor();
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export responses' });
  await dialog.getByText('All 30 responses, also unfinished ones').waitFor();
  await dialog.getByLabel('Responses in the file').selectOption('The 28 that match the filter');
  await expectFine(page, 'export of what is shown');
  const lines = async () => {
    await dialog.getByLabel('Kind of file').selectOption('CSV');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    return parse(await readFile(await download.path(), 'utf8')).length;
  };
  expect(await lines()).toBe(29);
  // The export takes over the filter.
  await page.goto(`${page.url()}?status=partial`);
  await page.getByText('2 responses').waitFor();
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await expect.poll(() => dialog.getByLabel('Responses in the file').inputValue()).toBe('shown');
  expect(await lines()).toBe(3);
});

test('the link to change the answers can be copied where the form lets people do so', async () => {
  const form = await aSurvey(home, { editable_submissions: true });
  await seed(home, form.id, 1);
  const page = await open(form);
  await page.locator('[data-response]').click();
  await page.getByRole('button', { name: 'Copy edit link' }).waitFor();
  await expectFine(page, 'response with an edit link');
  const viewer = await open(form, { person: await home.member('readonly') });
  await viewer.locator('[data-response]').click();
  await viewer.getByText('About this response').waitFor();
  expect(await viewer.getByRole('button', { name: 'Copy edit link' }).count()).toBe(0);
  // Nor does a viewer see the id from which the link is made; the address has the number instead.
  const [record] = await home.records(form);
  expect(new URL(viewer.url()).pathname).toMatch(new RegExp(`/responses/${record.id}$`));
  expect(await viewer.content()).not.toContain(record.submission_id);
});

test('a large file is made in the background, and comes when it is ready', async () => {
  const page = await open(survey);
  // The page goes on asking for the progress when the service is busy or does not answer.
  const noAnswers = [503, 429, null];
  await page.route('**/export/status/*', (route) => {
    if (noAnswers.length === 0) return route.continue();
    const status = noAnswers.shift();
    return status ? route.fulfill({ status, json: { message: 'Later.' } }) : route.abort();
  });
  await page.getByText('2,500 responses').waitFor();
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export responses' });
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 60_000 }),
    dialog.getByRole('button', { name: 'Export Excel file' }).click(),
    dialog.getByRole('progressbar', { name: 'Export' }).waitFor(),
  ]);
  await dialog.getByText('The file is ready and was downloaded.').waitFor();
  await expectFine(page, 'export done');
  expect(download.suggestedFilename()).toBe(`${survey.slug}-submissions.xlsx`);
  const rows = readWorkbook(await readFile(await download.path()));
  expect(rows[0]?.slice(0, 2).map((cell) => cell?.value)).toEqual(['created_at', 'Your name']);
  expect(rows).toHaveLength(2_501);
  expect(noAnswers).toEqual([]);
});
