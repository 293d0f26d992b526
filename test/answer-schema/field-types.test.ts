import { beforeAll, describe, expect, test } from 'vitest';
import { useHome } from '../setup/home.ts';
import { useWebhookReceiver } from '../setup/webhook-receiver.ts';
import { FIELD_CASES } from './field-cases.ts';
import { expectCompiles } from './type-check.ts';
import { readSchema, readTypes, type Validators, validatorsOf } from './validators.ts';

/** What the service takes fits the schema as it is stored and as it is sent on; what it refuses does not. */
const home = useHome();
const ODD_IDS = ['constructor', '*/', '"quoted"', 'a\\b', 'toString', '1'];
const cases = FIELD_CASES.map(({ name, field, taken, refused }, at) => ({
  property: { id: ODD_IDS[at] ?? `f${at}`, name, ...field },
  taken,
  refused,
}));
const { length: answersTaken } = cases.flatMap(({ taken }) => taken);

const receiver = useWebhookReceiver();
let form: { id: number; slug: string };
let validators: Validators;
beforeAll(async () => {
  form = await home.form({ title: 'Every */ type\n', properties: cases.map(({ property }) => property) });
  for (const integration_id of ['webhook', 'n8n']) {
    const integration = { integration_id, data: { webhook_url: receiver.url } };
    const made = await home.call('POST', `/open/forms/${form.id}/integrations`, integration);
    expect(made.status, made.text).toBe(200);
  }
  validators = validatorsOf(await readSchema(home, form));
});

describe.each(cases)('$property.name', ({ property, taken, refused }) => {
  const { id } = property;

  test('answers that are taken fit as they are stored', async () => {
    for (const answer of taken) {
      const sent = await home.submit(form, { [id]: answer });
      expect(sent.status, `${JSON.stringify(answer)?.slice(0, 200)} ${sent.text}`).toBe(200);
      const [record] = await home.records(form);
      for (const name of ['', 'Submission', 'CompleteSubmission']) validators.expectFits(name, record);
      validators.expectFits('Answers', record.data);
      expect(validators.fits('PartialSubmission', record)).toBe(false);
    }
  });

  test('answers that are refused do not fit', async () => {
    const [record] = await home.records(form);
    for (const answer of refused) {
      const sent = await home.submit(form, { [id]: answer });
      expect(sent.status, JSON.stringify(answer)?.slice(0, 200)).toBe(422);
      for (const name of ['', 'Submission'])
        expect(
          validators.fits(name, { ...record, data: { ...record.data, [id]: answer } }),
          `${name}: ${JSON.stringify(answer)?.slice(0, 200)}`,
        ).toBe(false);
      const value = { value: answer, name: property.name, type: property.type };
      expect(validators.fits('DeliveredAnswers', { [id]: value })).toBe(false);
    }
  });
});

test('every body that webhooks got fits, and is of its type in TypeScript', async () => {
  const requests = await receiver.received(2 * answersTaken);
  const bodies = requests.map(({ body }) => JSON.parse(String(body)));
  for (const body of bodies) {
    validators.expectFits('WebhookBody', body);
    validators.expectFits('', body);
    expect(validators.fits('Submission', body)).toBe(false);
  }
  expect(bodies.filter((body) => 'submission' in body)).toHaveLength(answersTaken);
  const short = bodies.filter((body) => JSON.stringify(body).length < 10_000);
  const records = await home.records(form);
  await expectCompiles({
    'answers.ts': await readTypes(home, form),
    'received.ts': [
      "import type { Submission, WebhookBody } from './answers.ts';",
      ...short.map((body, at) => `export const body${at}: WebhookBody = ${JSON.stringify(body)};`),
      ...records.map((record, at) => `export const record${at}: Submission = ${JSON.stringify(record)};`),
      '',
    ].join('\n'),
  });
});
