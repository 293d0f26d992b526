import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';

/** Which answers a page saves while it is filled in. */
const home = useHome();
const browser = useBrowser();

const NAME = { id: 'name', type: 'text', name: 'Name' };
const STORY = { id: 'story', type: 'text', name: 'Story' };
const colorOf = (...names: string[]) => ({
  id: 'color',
  type: 'select',
  name: 'Color',
  select: { options: names.map((name, index) => ({ name, id: `${index}` })) },
});

async function opened(properties: object[]) {
  const form = await home.form({ properties, auto_save: false, enable_partial_submissions: true });
  const page = await browser.page();
  await page.clock.install();
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  return { form, page };
}

/** Lets the time pass after which answers are saved. */
async function rest(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.clock.runFor(8_000);
}

const savedOf = async (form: { id: number }) => (await home.records(form))[0]?.data;

test('an answer that the form no longer takes does not keep the others from being saved', async () => {
  const { form, page } = await opened([NAME, colorOf('Red', 'Blue'), STORY]);
  await page.getByLabel('Color').selectOption('Red');
  await rest(page);
  await expect.poll(() => savedOf(form)).toMatchObject({ color: 'Red' });
  const { status } = await home.call('PUT', `/open/forms/${form.id}`, {
    properties: [NAME, colorOf('Crimson', 'Blue'), STORY],
  });
  expect(status).toBe(200);
  await page.getByLabel('Story').fill('A long one');
  await rest(page);
  await expect.poll(() => savedOf(form)).toMatchObject({ story: 'A long one' });
  // Another answer to it is saved again.
  await page.getByLabel('Color').selectOption('Blue');
  await rest(page);
  await expect.poll(() => savedOf(form)).toMatchObject({ color: 'Blue', story: 'A long one' });
});

test('what was taken back is not saved: the answer of a field that is hidden again', async () => {
  const ill = { id: 'ill', type: 'checkbox', name: 'Ill' };
  const what = {
    id: 'what',
    type: 'text',
    name: 'What',
    hidden: true,
    logic: {
      conditions: {
        operatorIdentifier: 'and',
        children: [
          {
            identifier: 'ill',
            value: { operator: 'equals', property_meta: { id: 'ill', type: 'checkbox' }, value: true },
          },
        ],
      },
      actions: ['show-block'],
    },
  };
  const { form, page } = await opened([ill, what, NAME]);
  await page.getByLabel('Ill').check();
  await page.getByLabel('What').fill('secret illness');
  await rest(page);
  await expect.poll(() => savedOf(form)).toMatchObject({ what: 'secret illness' });
  await page.getByLabel('Ill').uncheck();
  await page.getByLabel('Name').fill('Ada');
  await rest(page);
  await expect.poll(() => savedOf(form)).toMatchObject({ name: 'Ada' });
  expect((await savedOf(form)).what ?? null).toBeNull();
});
