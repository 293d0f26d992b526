import { describe, expect, test } from 'vitest';
import { findResultsMoment, keepResults } from '../../server/public-results/queries.ts';
import { violationsOf } from '../setup/axe.ts';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';

const home = useHome();
const browser = useBrowser();

const CHOICE = { id: 'meal', type: 'select', name: 'Meal', options: ['Soup', 'Salad'], allow_creation: true };
const QUESTIONS = [
  CHOICE,
  { id: 'days', type: 'multi_select', name: 'Days', options: ['Monday', 'Friday'] },
  { id: 'comes', type: 'checkbox', name: 'Comes' },
  { id: 'stars', type: 'rating', name: 'Stars', rating_max_value: 3 },
  {
    id: 'scale',
    type: 'scale',
    name: 'Scale',
    scale_min_value: 0,
    scale_max_value: 1,
    scale_step_value: 0.5,
  },
  { id: 'guests', type: 'number', name: 'Guests' },
  { id: 'agree', type: 'matrix', name: 'Agree', rows: ['Cheap', 'Good'], columns: ['No', 'Yes'] },
  { id: 'order', type: 'ranking', name: 'Order', options: ['Taste', 'Price'] },
  { id: 'why', type: 'text', name: 'Why' },
];
const ALL = QUESTIONS.map(({ id }) => id);

const showing = (fields: string[], step?: number) => ({ public_results: { fields, step } });
const aPoll = (more: object = {}) =>
  home.form({ title: 'Lunch', properties: QUESTIONS, settings: showing(ALL, 3), ...more });

async function results({ slug }: { slug: string }, query = ''): Promise<{ status: number; html: string }> {
  const headers = { accept: 'text/html' };
  const answer = await fetch(`${home.service.url}/forms/${slug}/results${query}`, { headers });
  return { status: answer.status, html: await answer.text() };
}

/** The page as a person reads it: a line for each heading, hint and row. */
async function lines(form: { slug: string }, query = ''): Promise<string[]> {
  const { html } = await results(form, query);
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main'));
  const words = main.replace(/<\/t[hd]>\s*/g, ' ').replace(/<\/(?:h\d|p|tr)>/g, '\n');
  return words
    .replace(/<[^>]*>/g, '')
    .split('\n')
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter(Boolean);
}

async function send(form: { slug: string }, ...answers: object[]): Promise<void> {
  for (const each of answers) expect((await home.submit(form, each)).status).toBe(200);
}

test('what the form offers is shown, counted together, and nothing that somebody wrote', async () => {
  const form = await aPoll();
  await send(
    form,
    {
      meal: 'Soup',
      days: ['Monday', 'Friday'],
      comes: true,
      stars: 3,
      scale: 0.5,
      guests: 7,
      why: 'Secret',
      agree: { Cheap: 'Yes', Good: 'No' },
      order: ['Price', 'Taste'],
    },
    {
      meal: 'My own soup',
      days: ['Monday'],
      comes: false,
      stars: 1,
      scale: 1,
      guests: 1000,
      why: 'Secret',
      agree: { Cheap: 'Yes' },
      order: ['Price', 'Taste'],
    },
    {
      meal: 'Soup',
      days: ['Monday'],
      comes: false,
      stars: 3,
      scale: 1,
      guests: 2,
      agree: { Cheap: 'No' },
      order: ['Taste', 'Price'],
    },
  );
  expect(await lines(form)).toEqual([
    ...['Lunch', 'Results', '3 responses'],
    ...['Meal', '3 responses', 'Soup 67% 2', 'Salad 0% 0', 'Other answers 33% 1'],
    ...['Days', '3 responses', 'Monday 100% 3', 'Friday 33% 1'],
    ...['Comes', '3 responses', 'Yes 33% 1', 'No 67% 2'],
    ...['Stars', '3 responses · Average: 2.33', '1 33% 1', '2 0% 0', '3 67% 2'],
    ...['Scale', '3 responses · Average: 0.83', '0 0% 0', '0.5 33% 1', '1 67% 2'],
    ...['Guests', '3 responses · Average: 336.33'],
    // Only one person answered the other row.
    ...['Agree', '3 responses', 'Cheap', 'No 33% 1', 'Yes 67% 2'],
    ...['Order', '3 responses', 'Price Average: 1.33 3', 'Taste Average: 1.67 3'],
    'Lunch',
  ]);
  const { html } = await results(form);
  expect(html).not.toMatch(/My own soup|Secret|1000/);
});

test('nothing is shown of too few, and nothing new before as many more have answered', async () => {
  const form = await aPoll({ settings: showing(['meal', 'comes'], 3) });
  await send(form, { meal: 'Soup' }, { meal: 'Soup' });
  expect(await lines(form)).toEqual([
    'Lunch',
    'Results',
    'There are not enough responses to show yet.',
    'Lunch',
  ]);
  await send(form, { meal: 'Soup', comes: true });
  const three = await lines(form);
  expect(three).toContain('Soup 100% 3');
  await send(form, { meal: 'Salad' }, { meal: 'Salad' });
  expect(await lines(form)).toEqual(three);
  await send(form, { meal: 'Salad' });
  expect(await lines(form)).toEqual(expect.arrayContaining(['Soup 50% 3', 'Salad 50% 3']));
});

test('a question that few have answered stays with itself', async () => {
  const form = await aPoll({ settings: showing(['meal', 'days'], 2) });
  await send(form, { meal: 'Soup', days: ['Friday'] }, { meal: 'Soup' });
  expect((await lines(form)).slice(-3, -1)).toEqual(['Days', 'There are not enough responses to show yet.']);
});

test('what is taken away is gone at once, what is not complete does not count', async () => {
  const form = await aPoll({ settings: showing(['meal'], 1), enable_partial_submissions: true });
  await send(form, { meal: 'Soup' }, { meal: 'Salad' }, { meal: 'Salad', is_partial: true });
  expect(await lines(form)).toEqual(expect.arrayContaining(['2 responses', 'Soup 50% 1', 'Salad 50% 1']));
  const records = await home.records(form);
  const salad = records.find(({ data, status }) => data.meal === 'Salad' && status === 'completed');
  await home.call('DELETE', `/open/forms/${form.id}/submissions/${salad.id}`);
  expect(await lines(form)).toEqual(expect.arrayContaining(['1 response', 'Soup 100% 1']));
});

test('of people who come and go, as many are waited for as are shown together', async () => {
  const form = await aPoll({ settings: showing(['meal'], 3) });
  await send(form, ...Array.from({ length: 6 }, () => ({ meal: 'Soup' })));
  const six = await lines(form);
  expect(six).toContain('Soup 100% 6');
  const remove = async (count: number) => {
    for (const { id } of (await home.records(form)).slice(0, count))
      expect((await home.call('DELETE', `/open/forms/${form.id}/submissions/${id}`)).status).toBe(200);
  };
  await remove(1);
  expect(await lines(form)).toEqual(six);
  await send(form, { meal: 'Salad' });
  expect(await lines(form)).toEqual(six);
  await send(form, { meal: 'Salad' });
  expect(await lines(form)).toEqual(expect.arrayContaining(['7 responses', 'Soup 71% 5', 'Salad 29% 2']));

  // As many came as went between two looks.
  await remove(7);
  await send(form, ...Array.from({ length: 7 }, () => ({ meal: 'Salad' })));
  expect(await lines(form)).toEqual(expect.arrayContaining(['7 responses', 'Soup 0% 0', 'Salad 100% 7']));

  await remove(5);
  expect(await lines(form)).toEqual([
    'Lunch',
    'Results',
    'There are not enough responses to show yet.',
    'Lunch',
  ]);
  // Only their numbers are kept, not their answers, so a new answer cannot be found by comparing.
  const { kept } = await findResultsMoment(home.service.context.db, form.id);
  expect(kept).toMatchObject({ submissions: 7, questions: { meal: { answered: 7, answers: null } } });
  await send(form, { meal: 'Soup' });
  expect(await lines(form)).toContain('3 responses');
});

test('one who comes where one has gone is not told by the difference', async () => {
  const form = await aPoll({ settings: showing(['meal'], 3) });
  await send(form, { meal: 'Salad' }, { meal: 'Salad' }, { meal: 'Salad' });
  expect(await lines(form)).toContain('Salad 100% 3');
  const [record] = await home.records(form);
  await home.call('DELETE', `/open/forms/${form.id}/submissions/${record.id}`);
  expect(await lines(form)).not.toContain('Salad 100% 3');
  await send(form, { meal: 'Soup' });
  expect(await lines(form)).toContain('There are not enough responses to show yet.');
  await send(form, { meal: 'Soup' });
  expect(await lines(form)).toEqual(expect.arrayContaining(['Soup 50% 2', 'Salad 50% 2']));
});

test('a number that one person of a step gave cannot be worked out from two looks', async () => {
  const form = await aPoll({ settings: showing(['meal', 'guests'], 2) });
  await send(form, { meal: 'Soup', guests: 1 }, { meal: 'Soup', guests: 2 });
  expect(await lines(form)).toContain('2 responses · Average: 1.5');
  await send(form, { meal: 'Soup', guests: 9 }, { meal: 'Soup' });
  expect(await lines(form)).toEqual(
    expect.arrayContaining(['4 responses', 'Soup 100% 4', '2 responses · Average: 1.5']),
  );
  await send(form, { meal: 'Soup', guests: 4 }, { meal: 'Soup' });
  expect(await lines(form)).toEqual(expect.arrayContaining(['Soup 100% 6', '4 responses · Average: 4']));
});

test('whoever goes or says something else counts like one who comes, each once', async () => {
  const form = await aPoll({ settings: showing(['meal', 'guests'], 3), editable_submissions: true });
  await send(form, ...Array.from({ length: 6 }, () => ({ meal: 'Soup', guests: 1 })));
  const six = await lines(form);
  const [first, second, third] = await home.records(form);
  const edit = async ({ submission_id }: any, answers: object) =>
    send(form, { meal: 'Soup', submission_id, ...answers });
  for (const guests of [2, 3, 4, 5]) await edit(first, { guests });
  expect(await lines(form)).toEqual(six);
  await edit(second, { guests: 9 });
  expect(await lines(form)).toEqual(six);
  await edit(third, { meal: 'Salad', guests: 1 });
  // Too few numbers have changed for new results to be shown.
  expect(await lines(form)).toEqual(six);
  await send(form, ...Array.from({ length: 3 }, () => ({ meal: 'Salad', guests: 1 })));
  expect(await lines(form)).toEqual(expect.arrayContaining(['Soup 56% 5', 'Salad 44% 4']));
});

test('an answer that is completed later is not taken for somebody gone', async () => {
  const form = await aPoll({ settings: showing(['meal', 'guests'], 3), enable_partial_submissions: true });
  const begun = await home.submit(form, { meal: 'Soup', is_partial: true });
  await send(form, ...Array.from({ length: 3 }, () => ({ meal: 'Soup', guests: 1 })));
  expect(await lines(form)).toContain('3 responses · Average: 1');
  await send(form, { meal: 'Soup' }, { meal: 'Soup' });
  const { submission_hash } = begun.body;
  await send(form, { meal: 'Soup', guests: 52, submission_hash });
  expect(await lines(form)).toEqual(
    expect.arrayContaining(['6 responses', 'Soup 100% 6', '3 responses · Average: 1']),
  );
});

test('a row of a matrix changes with as many as answered that row', async () => {
  const form = await aPoll({ settings: showing(['agree'], 2) });
  const both = { agree: { Cheap: 'Yes', Good: 'Yes' } };
  await send(form, both, both);
  const rows = async () => (await lines(form)).filter((line) => /^(Yes|No) /.test(line));
  expect(await rows()).toEqual(['No 0% 0', 'Yes 100% 2', 'No 0% 0', 'Yes 100% 2']);
  await send(form, { agree: { Cheap: 'No', Good: 'No' } }, { agree: { Cheap: 'No' } });
  expect(await rows()).toEqual(['No 50% 2', 'Yes 50% 2', 'No 0% 0', 'Yes 100% 2']);
  // The same holds when the options of the rows have changed.
  const properties = (columns: string[]) =>
    QUESTIONS.map((question) => (question.id === 'agree' ? { ...question, columns } : question));
  await home.call('PUT', `/open/forms/${form.id}`, { properties: properties(['Yes', 'No']) });
  expect(await rows()).toEqual(['Yes 50% 2', 'No 50% 2']);
  await send(form, { agree: { Good: 'No', Cheap: 'No' } }, { agree: { Cheap: 'No' } });
  expect(await rows()).toEqual(['Yes 33% 2', 'No 67% 4', 'Yes 50% 2', 'No 50% 2']);
});

test('an edit is not told by other options', async () => {
  const form = await aPoll({ settings: showing(['meal', 'comes'], 2), editable_submissions: true });
  await send(form, { meal: 'Soup', comes: true }, { meal: 'Soup', comes: true });
  expect(await lines(form)).toContain('Soup 100% 2');
  const [{ submission_id }] = await home.records(form);
  await send(form, { meal: 'Salad', comes: true, submission_id }, { comes: true });
  expect(await lines(form)).toEqual(expect.arrayContaining(['3 responses', 'Soup 100% 2']));
  const options = [...CHOICE.options, 'Cake'];
  await home.call('PUT', `/open/forms/${form.id}`, {
    properties: QUESTIONS.map((question) => (question.id === 'meal' ? { ...question, options } : question)),
  });
  expect((await lines(form)).slice(3, 5)).toEqual(['Meal', 'There are not enough responses to show yet.']);
});

test('other options do not tell what is held back', async () => {
  const form = await aPoll({ settings: showing(['meal', 'comes'], 2) });
  await send(form, { meal: 'Soup', comes: true }, { meal: 'Soup', comes: true });
  expect(await lines(form)).toContain('Soup 100% 2');
  await send(form, { meal: 'Salad', comes: true }, { comes: true });
  expect(await lines(form)).toEqual(expect.arrayContaining(['4 responses', 'Soup 100% 2']));
  const options = [...CHOICE.options, 'Cake'];
  await home.call('PUT', `/open/forms/${form.id}`, {
    properties: QUESTIONS.map((question) => (question.id === 'meal' ? { ...question, options } : question)),
  });
  expect((await lines(form)).slice(3, 5)).toEqual(['Meal', 'There are not enough responses to show yet.']);
  await send(form, { meal: 'Salad', comes: true }, { comes: true });
  expect(await lines(form)).toEqual(expect.arrayContaining(['Soup 50% 2', 'Salad 50% 2', 'Cake 0% 0']));
});

test('a longer step that was tried leaves the results of the former one', async () => {
  const form = await aPoll({ settings: showing(['meal'], 2) });
  await send(form, { meal: 'Soup' }, { meal: 'Soup' });
  expect(await lines(form)).toContain('Soup 100% 2');
  const settings = (step: number) =>
    home.call('PUT', `/open/forms/${form.id}`, { settings: showing(['meal'], step) });
  await settings(50);
  expect(await lines(form)).toContain('There are not enough responses to show yet.');
  await settings(2);
  expect(await lines(form)).toContain('Soup 100% 2');
});

test('results of another step are made at once, and never shown for it', async () => {
  const form = await aPoll({ settings: showing(['meal'], 1) });
  await send(form, { meal: 'Soup' });
  expect(await lines(form)).toContain('Soup 100% 1');
  const settings = (step: number) =>
    home.call('PUT', `/open/forms/${form.id}`, { settings: showing(['meal'], step) });
  await settings(3);
  expect(await lines(form)).toContain('There are not enough responses to show yet.');
  await send(form, { meal: 'Soup' }, { meal: 'Salad' });
  expect(await lines(form)).toContain('Soup 67% 2');
  await settings(2);
  await send(form, { meal: 'Salad' });
  expect(await lines(form)).toContain('Soup 50% 2');
});

test('while submissions wait to be counted it says to come back', async () => {
  const form = await aPoll({ settings: showing(['meal'], 1) });
  await send(form, { meal: 'Soup' });
  const { db } = home.service.context;
  const { newestId } = await findResultsMoment(db, form.id);
  const values = { form_id: form.id, last_id: newestId, count: 0 };
  await db.insertInto('counted_answers').values(values).execute();
  expect((await results(form)).status).toBe(503);
  await db.deleteFrom('counted_answers').where('form_id', '=', form.id).execute();
  // It is tried again after a few seconds.
  await expect.poll(() => lines(form)).toContain('Soup 100% 1');
});

test('steps of a scale are told apart, however fine', async () => {
  const fine = { id: 'x', type: 'scale', name: 'X', scale_min_value: 1, scale_max_value: 1.0002 };
  const high = { id: 'y', type: 'scale', name: 'Y', scale_min_value: 10_000, scale_max_value: 10_002 };
  const properties = [{ ...fine, scale_step_value: 0.0001 }, high];
  const form = await home.form({ title: 'Fine', properties, settings: showing(['x', 'y'], 1) });
  await send(form, { x: 1.0001, y: 10_001 }, { x: 1.0001, y: 10_002 });
  const told = await lines(form);
  expect(told).toEqual(expect.arrayContaining(['1.0001 100% 2', '1 0% 0']));
  expect(told).toEqual(expect.arrayContaining(['10000 0% 0', '10001 50% 1', '10002 50% 1']));
});

test('options that statistics cannot tell apart are not told', async () => {
  const options = ['a', 'b'].map((end) => 'x'.repeat(200) + end);
  const properties = [{ id: 'x', type: 'select', name: 'X', select: { options } }];
  const form = await home.form({ title: 'Long', properties, settings: showing(['x'], 1) });
  await send(form, { x: options[0] });
  expect(await lines(form)).toEqual(['Long', 'Results', '1 response', 'X', '1 response', 'Long']);
});

test('a look in another language, or at another text of a question, tells nothing new', async () => {
  const form = await aPoll({
    settings: showing(['meal', 'guests'], 2),
    translations: { de: { properties: { guests: { name: 'Gäste', placeholder: 'Wie viele?' } } } },
  });
  await send(form, { meal: 'Soup', guests: 1 }, { meal: 'Soup', guests: 2 });
  expect(await lines(form)).toContain('2 responses · Average: 1.5');
  await send(form, { meal: 'Salad', guests: 9 });
  expect(await lines(form, '?lang=de')).toEqual(
    expect.arrayContaining(['Gäste', '2 Antworten · Durchschnitt: 1,5']),
  );
  expect(await lines(form)).toContain('2 responses · Average: 1.5');
  const change = (change: object) =>
    home.call('PUT', `/open/forms/${form.id}`, {
      properties: QUESTIONS.map((question) =>
        question.id === 'meal' ? { ...question, ...change } : question,
      ),
    });
  await change({ name: 'Which meal?', width: '1/2', required: true });
  expect(await lines(form)).toEqual(expect.arrayContaining(['Which meal?', 'Soup 100% 2', 'Salad 0% 0']));

  // A changed question waits for as many new answers again; the others stay.
  await change({ options: ['Soup'] });
  const waiting = await lines(form);
  expect(waiting.slice(3, 5)).toEqual(['Meal', 'There are not enough responses to show yet.']);
  expect(waiting).toContain('2 responses · Average: 1.5');
  await send(form, { meal: 'Salad', guests: 0 });
  const four = ['4 responses', 'Soup 50% 2', 'Other answers 50% 2', '4 responses · Average: 3'];
  expect(await lines(form)).toEqual(expect.arrayContaining(four));
  // Nobody has answered since, so there is nothing to protect.
  await change({ options: ['Salad'] });
  expect(await lines(form)).toEqual(expect.arrayContaining(['Salad 50% 2', 'Other answers 50% 2']));
});

test('a number that one person alone gave is not shown, whatever else was answered before', async () => {
  const question = { id: 'pay', type: 'text', name: 'Pay' };
  const form = await home.form({ title: 'Pay', properties: [question], settings: showing(['pay'], 3) });
  await send(form, { pay: 'much' }, { pay: 'little' }, { pay: 'enough' });
  await home.call('PUT', `/open/forms/${form.id}`, { properties: [{ ...question, type: 'number' }] });
  await send(form, { pay: 52_000 });
  const read = await lines(form);
  expect(read).toContain('Pay');
  expect(read.join('\n')).not.toMatch(/52/);
  // Nor elsewhere: the whole number, as a nonce or slug may have the two digits.
  expect((await results(form)).html).not.toMatch(/52\D?000|5\.2e/);
});

test('every option counts, however many there are, and several own answers are no percentage', async () => {
  const options = Array.from({ length: 130 }, (_, index) =>
    `Country ${index} ${'x'.repeat(index === 7 ? 250 : 0)}`.trim(),
  );
  const form = await home.form({
    properties: [
      { id: 'country', type: 'select', name: 'Country', options },
      { id: 'own', type: 'multi_select', name: 'Own', options: ['A'], allow_creation: true },
      {
        id: 'grade',
        type: 'scale',
        name: 'Grade',
        scale_min_value: -0.2,
        scale_max_value: 0.1,
        scale_step_value: 0.1,
      },
    ],
    settings: showing(['country', 'own', 'grade'], 100),
  });
  for (const [index, country] of options.entries())
    await send(form, { country, own: ['x', 'y', `z${index}`], grade: [-0.2, -0.1, 0, 0.1][index % 4] });
  const read = await lines(form);
  expect(read.filter((line) => line.endsWith(' 1% 1'))).toHaveLength(130);
  expect(read).toEqual(expect.arrayContaining(['A 0% 0', 'Other answers 390', '0 25% 32']));
});

test('of two processes that work it out at once, one has its way', async () => {
  const form = await aPoll();
  const { db } = home.service.context;
  const results = (submissions: number) => ({ step: 5, submissions, lastId: 1, questions: {} });
  const kept = async () => (await findResultsMoment(db, form.id)).kept;
  const over = (version: number) => ({ kept: { ...results(0), version }, changed: [] });
  await keepResults(db, form.id, results(10), { kept: null, changed: [] });
  await keepResults(db, form.id, results(11), { kept: null, changed: [] });
  expect(await kept()).toEqual({ ...results(10), version: 1 });
  await keepResults(db, form.id, results(15), over(1));
  await keepResults(db, form.id, results(14), over(1));
  expect(await kept()).toEqual({ ...results(15), version: 2 });
  await home.call('DELETE', `/open/forms/${form.id}`);
  expect(await kept()).toBeNull();
});

describe('there are none', () => {
  test.each([
    ['where nobody wants them', { settings: {} }],
    ['of no question', { settings: showing([]) }],
    ['of texts alone', { settings: showing(['why', 'gone']) }],
    ['of a form with a password', { password: 'wrong horse' }],
    ['of a draft', { visibility: 'draft' }],
  ])('%s', async (_, more) => {
    const form = await aPoll(more);
    expect((await results(form)).status).toBe(404);
    const page = await fetch(`${home.service.url}/forms/${form.slug}`, { headers: { accept: 'text/html' } });
    expect(await page.text()).not.toContain('/results');
  });

  test.each([
    [{ fields: ['meal'], step: 0 }, 'settings.public_results.step'],
    [{ fields: ['meal'], step: 1_001 }, 'settings.public_results.step'],
    [{ fields: 'meal' }, 'settings.public_results.fields'],
    [{}, 'settings.public_results.fields'],
  ])('%j is refused', async (public_results, key) => {
    const form = await aPoll();
    const answer = await home.call('PUT', `/open/forms/${form.id}`, { settings: { public_results } });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [key]]);
  });
});

test('the thank-you page leads there, and a closed form, in the language of the visitor', async () => {
  const labels = { Soup: 'Suppe', Salad: 'Salat' };
  const form = await aPoll({
    settings: showing(['meal', 'stars'], 1),
    translations: { de: { properties: { meal: { name: 'Essen', labels } } } },
  });
  const page = await browser.page(PHONE);
  await page.goto(`${home.service.url}/forms/${form.slug}?lang=de`);
  await page.getByLabel('Essen', { exact: true }).selectOption('Suppe');
  await page.locator('.nav .primary').click();
  await page.getByRole('link', { name: 'Ergebnisse ansehen' }).click();
  await page.getByRole('heading', { name: 'Ergebnisse' }).waitFor();
  await page.getByRole('row', { name: 'Suppe 100 % 1' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(360);

  await home.call('PUT', `/open/forms/${form.id}`, { visibility: 'closed' });
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  await page.getByRole('link', { name: 'See the results' }).click();
  await page.getByRole('row', { name: 'Soup 100% 1' }).waitFor();
});

test('in a frame of another site they are opened beside it', async () => {
  const form = await aPoll({ settings: showing(['stars'], 1), properties: [QUESTIONS[3]] });
  const page = await browser.page();
  const frame = `<iframe src="${home.service.url}/forms/${form.slug}" width="600" height="600"></iframe>`;
  await page.route('http://host.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: frame }),
  );
  await page.goto('http://host.example/');
  const inside = page.frameLocator('iframe');
  await inside.locator('.nav .primary').click();
  const opening = page.context().waitForEvent('page');
  await inside.getByRole('link', { name: 'See the results' }).click();
  await (await opening).getByRole('heading', { name: 'Results' }).waitFor();
});
