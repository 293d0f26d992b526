import { expect, test } from 'vitest';
import { aVisitor, blockOf } from '../public-pages/visitor.ts';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { expectCheap } from '../setup/processor-time.ts';
import { aWebhookReceiver } from '../setup/webhook-receiver.ts';

const home = useHome({ env: { OUTBOUND_ALLOW_PRIVATE: 'true' } });
const browser = useBrowser();
const visitor = () => aVisitor(home.service);

const mention = (id: string) => `<span mention mention-field-id="${id}" mention-fallback="nothing">x</span>`;
const whenTotal = (operator: string, value: unknown) => ({
  operatorIdentifier: 'and',
  children: [
    {
      identifier: 'cv_total',
      value: { operator, property_meta: { id: 'cv_total', type: 'computed' }, value },
    },
  ],
});

/** From 100 on, a discount code is asked for; more than 1,000 is not sold. */
const ORDER = {
  properties: [
    { id: 'price', type: 'number', name: 'Price' },
    {
      id: 'qty',
      type: 'number',
      name: 'Number',
      validation: {
        error_conditions: { conditions: whenTotal('less_than_or_equal_to', 1000) },
        error_message: 'Too much.',
      },
    },
    {
      id: 'code',
      type: 'text',
      name: 'Discount code',
      hidden: true,
      required: true,
      logic: {
        conditions: whenTotal('greater_than_or_equal_to', 100),
        actions: ['show-block', 'require-answer'],
      },
    },
  ],
  computed_variables: [
    { id: 'cv_total', name: 'Total', formula: 'ROUND({cv_net} * 1.19, 2)', result_type: 'number' },
    { id: 'cv_net', name: 'Net', formula: '{price} * {qty}' },
    { id: 'cv_none', name: 'None', formula: '1 / 0' },
  ],
  submitted_text: `<p>That makes ${mention('cv_total')} in all, and ${mention('cv_none')}.</p>`,
};

test('conditions and own rules ask for what a form computes', async () => {
  const { slug } = await home.form(ORDER);
  const answer = (body: unknown) => home.service.request('POST', `/forms/${slug}/answer`, { body });
  expect((await answer({ price: 10, qty: 2 })).status).toBe(200);
  expect((await answer({ price: 50, qty: 2 })).body.errors).toEqual({
    code: ['The Discount code field is required.'],
  });
  expect((await answer({ price: 50, qty: 2, code: 'X' })).status).toBe(200);
  expect((await answer({ price: 500, qty: 2, code: 'X' })).body.errors).toEqual({ qty: ['Too much.'] });
});

test('formulas see the words of a rich text, as the conditions of a field and of a webhook do', async () => {
  const receiver = await aWebhookReceiver();
  const asking = (id: string, type: string, operator: string, value: unknown) => ({
    operatorIdentifier: 'and',
    children: [{ identifier: id, value: { operator, property_meta: { id, type }, value } }],
  });
  const form = await home.form({
    properties: [
      {
        id: 'why',
        type: 'rich_text',
        name: 'Why',
        validation: {
          error_conditions: { conditions: asking('cv_length', 'computed', 'less_than_or_equal_to', 3) },
          error_message: 'Too much.',
        },
      },
      {
        id: 'more',
        type: 'text',
        name: 'More',
        required: true,
        logic: { conditions: asking('why', 'rich_text', 'equals', 'No'), actions: ['hide-block'] },
      },
    ],
    computed_variables: [{ id: 'cv_length', name: 'Length', formula: 'LEN({why})', result_type: 'number' }],
  });
  const created = await home.call('POST', `/open/forms/${form.id}/integrations`, {
    integration_id: 'webhook',
    data: { webhook_url: receiver.url },
    logic: asking('why', 'rich_text', 'contains', 'R&D'),
  });
  expect(created.status, created.text).toBe(200);
  const send = async (body: object) => {
    const { status, body: answer } = await home.submit(form, body);
    return answer.errors ?? status;
  };
  expect(await send({ why: '<p><b>No</b></p>' })).toBe(200);
  expect(await send({ why: '<p>Yes</p>' })).toEqual({ more: ['The More field is required.'] });
  expect(await send({ why: '<p>R&amp;D<b>!</b></p>', more: 'x' })).toEqual({ why: ['Too much.'] });
  expect(await send({ why: '<p>R&amp;<b>D</b></p>', more: 'x' })).toBe(200);
  const [request] = await receiver.received(1);
  expect(JSON.parse(String(request?.body)).data.why.value).toBe('<p>R&amp;<b>D</b></p>');
});

test('texts and addresses say it, and nothing of it is stored', async () => {
  const form = await home.form(ORDER);
  const page = await visitor().open(`/forms/${form.slug}`);
  expect(blockOf(page, 'code')).toBe('');
  const thanks = await visitor().send(page, { price: '12.5', qty: '3' });
  expect(thanks.text).toContain('That makes 44.63 in all, and nothing.');
  const [record] = await home.records(form);
  expect(record.data).toMatchObject({ price: 12.5, qty: 3 });
  expect(JSON.stringify(record)).not.toContain('cv_');

  const led = await home.form({
    ...ORDER,
    redirect_url: `https://shop.example/pay?amount=${mention('cv_total')}`,
  });
  const left = await visitor().send(await visitor().open(`/forms/${led.slug}`), { price: '2', qty: '5' });
  expect(left.path).toBe('https://shop.example/pay?amount=11.9');
});

test('texts of the page say it while it is filled in', async () => {
  const text = { id: 'sum', type: 'nf-text', name: 'Sum', content: `<p>So far ${mention('cv_total')}</p>` };
  const fee = { id: 'fee', type: 'number', name: 'Fee', hidden: true, prefill: 5 };
  const { slug } = await home.form({
    ...ORDER,
    properties: [...ORDER.properties.slice(0, 2), fee, text],
    computed_variables: [{ id: 'cv_total', name: 'Total', formula: '{price} * {qty} + {fee}' }],
  });
  const plain = await visitor().open(`/forms/${slug}?price=2&qty=3`);
  expect(plain.text).toContain('So far 11');
  const page = await browser.page();
  await page.goto(`${home.service.url}/forms/${slug}`);
  await page.getByText('So far 5').waitFor();
  await page.getByLabel('Price').fill('1.5');
  await page.getByLabel('Number').fill('4');
  await page.getByText('So far 11').waitFor();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('That makes 11 in all').waitFor();
});

test('webhooks are sent where it says so', async () => {
  const receiver = await aWebhookReceiver();
  const form = await home.form(ORDER);
  const created = await home.call('POST', `/open/forms/${form.id}/integrations`, {
    integration_id: 'webhook',
    status: 'active',
    data: { webhook_url: receiver.url },
    logic: whenTotal('greater_than', 20),
  });
  expect(created.status).toBe(200);
  for (const qty of [1, 2, 3])
    await home.service.request('POST', `/forms/${form.slug}/answer`, { body: { price: 10, qty } });
  const sent = (await receiver.received(2)).map(({ body }) => JSON.parse(String(body)).data.qty.value);
  expect(sent.sort()).toEqual([2, 3]);
});

test('the script computes as the service does', async () => {
  const { slug } = await home.form(ORDER);
  const page = await browser.page();
  await page.goto(`${home.service.url}/forms/${slug}`);
  await page.getByLabel('Price').fill('50');
  await page.getByLabel('Number').fill('1');
  expect(await page.getByLabel('Discount code').isVisible()).toBe(false);
  await page.getByLabel('Number').fill('2');
  await page.getByLabel('Discount code').waitFor();
  await page.getByLabel('Discount code').fill('X');
  await page.getByLabel('Number').fill('200');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.locator('.error', { hasText: 'Too much.' }).waitFor();
  await page.getByLabel('Number').fill('2');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('That makes 119 in all').waitFor();
});

test('formulas are checked when they are saved', async () => {
  const form = await home.form(ORDER);
  const saved = (computed_variables: unknown, rest = {}) =>
    home.call('PUT', `/open/forms/${form.id}`, { computed_variables, ...rest });
  const variable = (formula: string) => [{ id: 'cv_a', name: 'A', formula }];
  expect((await saved(variable('{price} +'))).body.errors).toEqual({
    'computed_variables.0.formula': ['The formula cannot be read: it ends too early.'],
  });
  expect((await saved(variable('{size} * 2'))).body.errors).toEqual({
    'computed_variables.0.formula': ['The formula names {size}, which the form does not have.'],
  });
  expect((await saved(variable('{cv_a} * 2'))).body.errors).toEqual({
    'computed_variables.0.formula': ['The formula stands in itself, by way of others or at once.'],
  });
  const size = { id: 'size', type: 'number', name: 'Size' };
  expect((await saved(variable('{size} * 2'), { properties: [size] })).status).toBe(200);
  expect((await saved(variable('{price} * 2'))).status).toBe(422);
  // A client can send back what it read, even when a field named there is gone.
  const { body } = await home.call('PUT', `/open/forms/${form.id}`, { properties: [ORDER.properties[0]] });
  expect((await saved(body.form.computed_variables)).status).toBe(200);
});

/** A form with 900 conditions on the values of these formulas. */
async function asking(formulas: string[]): Promise<string> {
  const conditions = {
    operatorIdentifier: 'or',
    children: Array.from({ length: 900 }, (_, index) => ({
      identifier: `cv_${index % formulas.length}`,
      value: {
        operator: 'equals',
        property_meta: { id: `cv_${index % formulas.length}`, type: 'computed' },
        value: -1,
      },
    })),
  };
  const { slug } = await home.form({
    properties: [
      { id: 'price', type: 'number', name: 'Price' },
      { id: 'many', type: 'multi_select', name: 'Many', allow_creation: true },
      { id: 'more', type: 'text', name: 'More', logic: { conditions, actions: ['hide-block'] } },
    ],
    computed_variables: formulas.map((formula, index) => ({ id: `cv_${index}`, name: `${index}`, formula })),
  });
  return slug;
}

test.each<[string, (index: number) => string, unknown]>([
  ['many steps', (index) => `SUM(${'{price},'.repeat(200)}${index})`, { price: 1 }],
  // Each looks through 2,000 members, or through thousands of letters that are costly to compare.
  [
    'long lists',
    () => `${'SUM({many})+'.repeat(100)}0`,
    { many: Array.from({ length: 2_000 }, (_, index) => `${index}`) },
  ],
  [
    'long texts in lists',
    () => `${'CONTAINS({many},"z")+'.repeat(90)}0`,
    { many: Array.from({ length: 90 }, (_, index) => `${index}${'İ'.repeat(4_980)}`) },
  ],
  ['many cases', () => `SWITCH(REPT("İ",4990)${',"a",1'.repeat(300)},2)`, { price: 1 }],
])('what formulas cost has an end: %s', async (_, formula, body) => {
  const count = Math.floor(49_000 / formula(0).length);
  const slug = await asking(Array.from({ length: count }, (_, index) => formula(index)));
  await expectCheap(2_000, async () => {
    expect((await home.service.request('POST', `/forms/${slug}/answer`, { body })).status).toBe(200);
  });
  // Without a limit, there would be hundreds of thousands of steps or comparisons each time the form is checked.
});

test('long formulas, deep ones and long lists are worked out, whatever the stack holds', async () => {
  const inner = (index: number) => (index < 19 ? `{cv_${index + 1}}` : '1');
  const nested = (formula: string, depth: number): string =>
    depth === 0 ? formula : nested(`0=1+1*IF(1,${formula},0)`, depth - 1);
  for (const formulas of [
    Array.from({ length: 20 }, (_, index) => `${inner(index)}${'+1'.repeat(980)}`),
    Array.from({ length: 20 }, (_, index) => nested(inner(index), 48)),
    ['MIN({many})', 'MAX({many})'],
  ]) {
    const slug = await asking(formulas);
    const many = Array.from({ length: 150 }, () => Array(1_500).fill(1));
    const answered = await home.service.request('POST', `/forms/${slug}/answer`, { body: { many } });
    expect(answered.status).toBe(422);
    const typed = { body: { price: 1 } };
    expect((await home.service.request('POST', `/forms/${slug}/answer`, typed)).status).toBe(200);
  }
});

test('formulas have an end together: read, they take a hundred times their room', async () => {
  const computed_variables = Array.from({ length: 26 }, (_, index) => ({
    id: `cv_${index}`,
    name: `${index}`,
    formula: `1${'+1'.repeat(980)}`,
  }));
  const form = await home.form();
  const saved = (count: number) =>
    home.call('PUT', `/open/forms/${form.id}`, { computed_variables: computed_variables.slice(0, count) });
  expect((await saved(25)).status).toBe(200);
  expect((await saved(26)).body.errors).toEqual({
    computed_variables: ['The formulas must not have more than 50000 characters together.'],
  });
});

test('formulas that name one another are checked at once', async () => {
  const chain = Array.from({ length: 500 }, (_, index) => ({
    id: `cv_${index}`,
    name: `${index}`,
    formula: `0${Array.from({ length: Math.min(190, 499 - index) }, (_, next) => `+{cv_${index + next + 1}}`).join('')}`,
  }));
  await expectCheap(1_500, async () => {
    const created = await home.call('POST', '/open/forms', {
      workspace_id: home.workspaceId,
      title: 'Chain',
      properties: [],
      computed_variables: chain,
    });
    expect(created.body.errors['computed_variables.0.formula']).toEqual([
      'More than 20 formulas stand in one another.',
    ]);
  });
});

test('repeated questions are counted with, entry by entry, also while somebody fills them in', async () => {
  const items = {
    id: 'items',
    type: 'repeat',
    name: 'Items',
    min_entries: 1,
    questions: [
      { id: 'price', type: 'number', name: 'Price' },
      { id: 'qty', type: 'number', name: 'Quantity' },
    ],
  };
  const order = {
    properties: [
      items,
      {
        id: 'sum',
        type: 'nf-text',
        name: 'Sum',
        content: `<p>${mention('cv_total')} for ${mention('cv_count')}</p>`,
      },
    ],
    computed_variables: [
      { id: 'cv_total', name: 'Total', formula: 'SUMPRODUCT({items.price}, {items.qty})' },
      { id: 'cv_count', name: 'Count', formula: 'COUNT({items})' },
    ],
    submitted_text: `<p>That makes ${mention('cv_total')}.</p>`,
  };
  const { slug } = await home.form(order);
  const page = await browser.page();
  await page.goto(`${home.service.url}/forms/${slug}`);
  await page.fill('[name="items[0][price]"]', '2.5');
  await page.fill('[name="items[0][qty]"]', '4');
  await page.getByText('10 for 1', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('That makes 10.').waitFor();

  const wrong = { ...order, computed_variables: [{ id: 'cv_x', name: 'X', formula: 'SUM({items.weight})' }] };
  const refused = await home.call('POST', '/open/forms', {
    ...wrong,
    title: 'X',
    workspace_id: home.workspaceId,
  });
  expect(refused.status).toBe(422);
  expect(refused.body.errors).toEqual({
    'computed_variables.0.formula': ['The formula names {items.weight}, which the form does not have.'],
  });
});
