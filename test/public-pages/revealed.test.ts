import { expect, test } from 'vitest';
import { useHome } from '../setup/home.ts';
import { aVisitor, blockOf } from './visitor.ts';

/** Pages without a script on which a question is seen from the beginning, because of what they are filled in with. */
const home = useHome();

const TOPIC = { id: 'topic', type: 'text', name: 'Topic' };
const PRODUCT = {
  id: 'product',
  type: 'text',
  name: 'Product',
  hidden: true,
  logic: {
    conditions: {
      operatorIdentifier: 'and',
      children: [
        {
          identifier: TOPIC.id,
          value: { operator: 'equals', property_meta: { id: TOPIC.id, type: 'text' }, value: 'Help' },
        },
      ],
    },
    actions: ['show-block'],
  },
};

async function personalLink(form: { id: number }): Promise<string> {
  await home.call('PUT', `/open/forms/${form.id}/personal-links`, {});
  const recipients = [{ prefill: { topic: 'Help' } }];
  const { body } = await home.call('POST', `/open/forms/${form.id}/recipients`, { recipients });
  const { pathname, search } = new URL(body.recipients[0].link);
  return pathname + search;
}

test.each([
  ['the address', async (form: { slug: string }) => `/forms/${form.slug}?topic=Help`],
  ['a personal link', personalLink],
])('what %s reveals is not shown once more', async (_what, linkTo) => {
  const { open, send } = aVisitor(home.service);
  const form = await home.form({ properties: [TOPIC, PRODUCT] });
  const page = await open(await linkTo(form));
  expect(blockOf(page, 'product')).toBe('Product');
  expect((await send(page)).path).toContain('/thank-you');
  const [{ data }] = await home.records(form);
  expect(data.topic).toBe('Help');
});

test('what an answer reveals is shown, also where the address has filled in something else', async () => {
  const { open, send } = aVisitor(home.service);
  const form = await home.form({ properties: [TOPIC, PRODUCT] });
  const asked = await send(await open(`/forms/${form.slug}?topic=Sales`), { topic: 'Help' });
  expect(blockOf(asked, 'product')).toBe('Product');
  expect((await send(asked)).path).toContain('/thank-you');
});
