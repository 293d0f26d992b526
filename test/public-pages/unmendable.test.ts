import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { expectInvalid, useHome } from '../setup/home.ts';

/** Answers that do not fit, of fields that nobody can answer on the page. */
const home = useHome();
const browser = useBrowser();

const NAME = { id: 'name', type: 'text', name: 'Name' };
const aSource = (...names: string[]) => ({
  id: 'src',
  type: 'select',
  name: 'Source',
  hidden: true,
  select: { options: names.map((name) => ({ name, id: name })) },
});
const aPlan = (...names: string[]) => ({ ...aSource(...names), id: 'plan', hidden: false, disabled: true });
const aCount = (max: number) => ({
  id: 'count',
  type: 'number',
  name: 'Count',
  hidden: true,
  number_max_value: max,
});

describe.each([true, false])('scripts %s', (javaScriptEnabled) => {
  async function open(path: string): Promise<Page> {
    const page = await browser.page({ javaScriptEnabled });
    await page.goto(new URL(path, home.service.url).href);
    return page;
  }

  async function send(page: Page): Promise<void> {
    await page.getByLabel('Name').fill('Ada');
    await page.locator('.nav .primary').click();
    await page.locator('.thank-you').waitFor();
  }

  test('an address that fills in what the form does not take can be answered all the same', async () => {
    const mail = { id: 'mail', type: 'email', name: 'E-mail', disabled: true };
    const several = {
      id: 'chosen',
      type: 'multi_select',
      name: 'Chosen',
      hidden: true,
      multi_select: aSource('a', 'b', 'c').select,
      min_selection: 2,
    };
    const medium = { ...aSource('Post', 'Web'), id: 'medium', prefill: 'Web' };
    const form = await home.form({ properties: [aSource('News'), mail, several, medium, NAME] });
    const query = 'src=Twitter&mail=%7B%7Bemail%7D%7D&chosen=a&medium=Fax';
    await send(await open(`/forms/${form.slug}?${query}`));
    const [{ data }] = await home.records(form);
    expect(data).toMatchObject({ name: 'Ada', medium: 'Web' });
    expect(data).not.toHaveProperty('src');
    expect(data).not.toHaveProperty('mail');
    expect(data).not.toHaveProperty('chosen');
    // What fits is kept.
    await send(await open(`/forms/${form.slug}?src=News&mail=ada@example.org&chosen=a&chosen=b`));
    const records = await home.records(form);
    expect(records.map((record) => record.data)).toContainEqual(
      expect.objectContaining({ src: 'News', mail: 'ada@example.org', chosen: ['a', 'b'] }),
    );
  });

  test('so can a personal link', async () => {
    const form = await home.form({ properties: [aSource('A', 'B'), NAME] });
    await home.call('PUT', `/open/forms/${form.id}/personal-links`, { required: true });
    const recipients = [{ name: 'Bob', email: 'bob@example.org', prefill: { src: 'C' } }];
    const path = `/open/forms/${form.id}/recipients`;
    await home.call('POST', path, { recipients });
    const [bob] = (await home.call('GET', path)).body.data;
    const { pathname, search } = new URL(bob.link);
    await send(await open(pathname + search));
    expect(await home.records(form)).toHaveLength(1);
  });

  test('a response is edited and keeps what no longer fits, but takes nothing else that does not', async () => {
    const form = await home.form({
      editable_submissions: true,
      properties: [aSource('A', 'B', 'C'), aPlan('A', 'B', 'C'), aCount(100), NAME],
    });
    const former = { src: 'C', plan: 'C', count: 50 };
    const { body } = await home.call('POST', `/forms/${form.slug}/answer`, { ...former, name: 'Ann' });
    const properties = [aSource('A', 'B'), aPlan('A', 'B'), aCount(10), NAME];
    await home.call('PUT', `/open/forms/${form.id}`, { properties });
    await send(await open(`/forms/${form.slug}?submission_id=${body.submission_id}`));
    const [{ data }] = await home.records(form);
    expect(data).toMatchObject({ ...former, name: 'Ada' });
    const edit = { ...former, name: 'Eve', submission_id: body.submission_id };
    const refused = await home.call('POST', `/forms/${form.slug}/answer`, { ...edit, count: 51, src: 'D' });
    expectInvalid(refused, 'src', 'count');
    expectInvalid(await home.call('POST', `/forms/${form.slug}/answer`, former), 'src', 'plan', 'count');
  });

  test('a response that was begun is completed and keeps what no longer fits', async () => {
    const form = await home.form({
      enable_partial_submissions: true,
      properties: [aSource('A', 'C'), aCount(100), NAME],
    });
    const former = { src: 'C', count: 50 };
    const { body } = await home.call('POST', `/forms/${form.slug}/answer`, { ...former, is_partial: true });
    await home.call('PUT', `/open/forms/${form.id}`, { properties: [aSource('A'), aCount(10), NAME] });
    await send(await open(`/forms/${form.slug}?submission_hash=${body.submission_hash}`));
    const records = await home.records(form);
    expect(records).toMatchObject([{ data: { ...former, name: 'Ada' } }]);
  });

  test('a page may be open over midnight', async () => {
    const today = {
      id: 'today',
      type: 'date',
      name: 'Day',
      hidden: true,
      prefill_today: true,
      disable_past_dates: true,
    };
    const form = await home.form({ properties: [today, NAME] });
    const page = await open(`/forms/${form.slug}`);
    const opened = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    await page.locator('[name=today]').evaluate((input: HTMLInputElement, day) => {
      input.value = day;
    }, opened);
    await send(page);
    const [{ data }] = await home.records(form);
    expect(data.today > opened).toBe(true);
  });
});
