import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { aVisitor } from './visitor.ts';

const home = useHome();
const browser = useBrowser();

const NAME = aField('name-1', 'text', 'Name');
const MORE = aField('more-1', 'text', 'More', { required: true });
/** Its name is its id, as of hidden fields from other products. */
const NOTE = { id: 'remark', type: 'text', name: 'remark', hidden: true, prefill: 'usual' };
const SURE = aField('sure-1', 'checkbox', 'Sure', { hidden: true });
const SCORE = aField('score-1', 'number', 'Score', { hidden: true });
const TIER = aField('tier-1', 'text', 'Tier', { hidden: true });
const BREAK = { id: 'pb', type: 'nf-page-break', name: 'p' };
const ONLY_GOLD = aField('gold-1', 'text', 'Gold', {
  hidden: true,
  logic: {
    conditions: {
      operatorIdentifier: 'and',
      children: [
        {
          identifier: TIER.id,
          value: { operator: 'equals', property_meta: { id: TIER.id, type: 'text' }, value: 'gold' },
        },
      ],
    },
    actions: ['show-block'],
  },
});

/** What members have noted in fields that nobody is shown. */
const NOTED = { [NOTE.id]: 'FRAUD SUSPECT', [SURE.id]: true, [SCORE.id]: 1234.5, [TIER.id]: 'gold' };

async function noted() {
  const form = await home.form({
    properties: [NAME, NOTE, SURE, SCORE, TIER, BREAK, MORE, ONLY_GOLD],
    editable_submissions: true,
    language: 'de',
  });
  const { body } = await home.submit(form, { [NAME.id]: 'Ada', [MORE.id]: 'x' });
  const put = await home.call('PUT', `/open/forms/${form.id}/submissions/${body.submission_id}`, NOTED);
  expect(put.status, put.text).toBe(200);
  const data = async () => (await home.records(form))[0].data;
  return { path: `/forms/${form.slug}?submission_id=${body.submission_id}`, data };
}

test('the page of an edit does not hold what members have noted in hidden fields, and leaves it as it is', async () => {
  const { path, data } = await noted();
  const { open, send } = aVisitor(home.service);
  const page = await open(path);
  expect(page.html).toContain('value="Ada"');
  for (const secret of ['FRAUD', '1234,5']) expect(page.html).not.toContain(secret);
  // A condition on the page depends on it.
  expect(page.html).toContain('value="gold"');
  const second = await send(page, { [NAME.id]: 'Ada L.' });
  expect(second.html).not.toContain('FRAUD');
  const wrong = await send(second, { [MORE.id]: '' });
  expect(wrong.text).toContain('Pflichtfeld');
  expect(wrong.html).not.toContain('FRAUD');
  expect((await send(wrong, { [MORE.id]: 'More', [ONLY_GOLD.id]: 'Yes' })).path).toContain('/thank-you');
  expect(await data()).toMatchObject({
    ...NOTED,
    [NAME.id]: 'Ada L.',
    [MORE.id]: 'More',
    [ONLY_GOLD.id]: 'Yes',
  });
});

test('with the script too', async () => {
  const { path, data } = await noted();
  const page = await browser.page();
  await page.goto(home.service.url + path);
  await page.getByLabel('Name').fill('Grace');
  await page.locator('.nav .primary').click();
  await page.getByLabel('Gold').fill('Yes');
  expect(await page.content()).not.toContain('FRAUD');
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  expect(await data()).toMatchObject({ ...NOTED, [NAME.id]: 'Grace', [ONLY_GOLD.id]: 'Yes' });
});
