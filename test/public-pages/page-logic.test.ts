import { describe, expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { aVisitor, shownStep } from './visitor.ts';

/** The logic of a page break applies to the page it begins: all of it is hidden, asked and required together. */
const home = useHome();
const browser = useBrowser();
const visitor = () => aVisitor(home.service);

const WAY = { id: 'way', type: 'select', name: 'Way', options: ['Bus', 'Train'], without_dropdown: true };
const STOP = { id: 'stop', type: 'text', name: 'Stop', required: true };
const SEAT = {
  id: 'seat',
  type: 'text',
  name: 'Seat',
  hidden: true,
  logic: when('is_not_empty', null, 'stop'),
};
const NOTE = { id: 'note', type: 'nf-text', name: 'Note', content: '<p>The bus leaves at nine.</p>' };
const END = { id: 'end', type: 'nf-page-break', name: 'End' };
const MAIL = { id: 'mail', type: 'text', name: 'Mail', required: true };

function when(operator: string, value: string | null, id = 'way', action = 'show-block') {
  const property_meta = { id, type: id === 'way' ? 'select' : 'text' };
  const leaf = { identifier: id, value: { operator, property_meta, ...(value !== null && { value }) } };
  return { conditions: { operatorIdentifier: 'and', children: [leaf] }, actions: [action] };
}

/** The same page, either shown for the bus or hidden for the train. */
const BREAKS = [
  { id: 'bus', type: 'nf-page-break', name: 'Bus', hidden: true, logic: when('equals', 'Bus') },
  { id: 'bus', type: 'nf-page-break', name: 'Bus', logic: when('equals', 'Train', 'way', 'hide-block') },
];
const aTrip = (start: object) =>
  home.form({ properties: [WAY, start, NOTE, STOP, SEAT, END, MAIL], editable_submissions: true });
const answersOf = async (form: any) => (await home.records(form))[0].data;

describe.each([
  ['shown when', BREAKS[0] as object],
  ['hidden when', BREAKS[1] as object],
])('a page that is %s an answer fits', (_, start) => {
  test('by the API: what is on it is required while it is shown', async () => {
    const form = await aTrip(start);
    const refused = await home.submit(form, { way: 'Bus', mail: 'a@b.org' });
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body.errors)).toEqual(['stop']);
    expect((await home.submit(form, { way: 'Train', mail: 'a@b.org' })).status).toBe(200);
    expect((await home.submit(form, { way: 'Bus', stop: 'Elm', mail: 'a@b.org' })).status).toBe(200);
  });

  test('without a script: it is skipped, forwards and backwards, and its answers do not count then', async () => {
    const form = await aTrip(start);
    const first = await visitor().open(`/forms/${form.slug}`);
    const onBus = await visitor().send(first, { way: 'Bus' });
    expect([shownStep(onBus), onBus.text.includes('The bus leaves at nine.')]).toEqual(['1', true]);
    const named = await visitor().send(onBus, { stop: 'Elm' });
    const last = shownStep(named) === '1' ? await visitor().send(named) : named;
    expect(shownStep(last)).toBe('2');
    const back = await visitor().send(last, {}, { button: 'quiet' });
    expect(shownStep(back)).toBe('1');
    const again = await visitor().send(back, {}, { button: 'quiet' });
    expect(shownStep(again)).toBe('0');
    const byTrain = await visitor().send(again, { way: 'Train' });
    expect(shownStep(byTrain)).toBe('2');
    const thanks = await visitor().send(byTrain, { mail: 'a@b.org' });
    expect(thanks.path).toContain('/thank-you');
    const answers = await answersOf(form);
    expect(answers).toMatchObject({ way: 'Train', mail: 'a@b.org' });
    expect(answers).not.toHaveProperty('stop');
  });

  test('with the script', async () => {
    const form = await aTrip(start);
    const page = await browser.page();
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    const next = page.locator('.nav .primary');
    await page.getByRole('radio', { name: 'Train' }).check();
    await next.click();
    await page.getByLabel('Mail').waitFor();
    await page.locator('[data-back]').click();
    await page.getByRole('radio', { name: 'Bus' }).check();
    await next.click();
    await page.getByText('The bus leaves at nine.').waitFor();
    expect(await page.getByLabel('Seat').isVisible()).toBe(false);
    await page.getByLabel('Stop').fill('Elm');
    await page.getByLabel('Seat').waitFor();
    await page.getByLabel('Seat').fill('12');
    await next.click();
    await page.getByLabel('Mail').fill('a@b.org');
    await next.click();
    await page.locator('.thank-you').waitFor();
    expect(await answersOf(form)).toMatchObject({ way: 'Bus', stop: 'Elm', seat: '12', mail: 'a@b.org' });
  });
});

test('one question at a time, too', async () => {
  const form = await home.form({
    properties: [WAY, BREAKS[0], STOP, END, MAIL],
    presentation_style: 'focused',
  });
  const first = await visitor().open(`/forms/${form.slug}`);
  expect((await visitor().send(first, { way: 'Train' })).text).toContain('Mail');
  expect((await visitor().send(first, { way: 'Bus' })).text).toContain('Stop');
});

test('the last page may be skipped: the one before it sends', async () => {
  const form = await home.form({ properties: [WAY, BREAKS[0], STOP] });
  const page = await browser.page();
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  const next = page.locator('.nav .primary');
  await page.getByRole('radio', { name: 'Bus' }).check();
  await page.getByRole('button', { name: 'Next' }).waitFor();
  await page.getByRole('radio', { name: 'Train' }).check();
  await page.getByRole('button', { name: 'Submit' }).waitFor();
  await next.click();
  await page.locator('.thank-you').waitFor();
});

test('a break that is hidden and has no logic divides as ever', async () => {
  const form = await home.form({ properties: [WAY, { ...END, hidden: true }, MAIL] });
  const second = await visitor().send(await visitor().open(`/forms/${form.slug}`), { way: 'Bus' });
  expect([shownStep(second), second.text.includes('Mail')]).toEqual(['1', true]);
});
