import type { Operation, Schema } from './openapi-operations.ts';

const VALUE: Schema = {
  type: 'object',
  required: ['value', 'name', 'type'],
  properties: {
    value: { description: 'The answer as it is stored.' },
    name: { type: 'string', description: 'Name of the field.' },
    type: { type: 'string', description: 'Type of the field.' },
  },
};

const BODY: Schema = {
  type: 'object',
  required: ['form_id', 'form_title', 'form_slug', 'submission_id', 'data'],
  properties: {
    form_id: { type: 'integer' },
    form_title: { type: 'string' },
    form_slug: { type: 'string' },
    submission: {
      type: 'object',
      description: 'Deprecated: answers by field name. Only for the integration `webhook`.',
    },
    data: { type: 'object', description: 'Answers by field id.', additionalProperties: VALUE },
    message: { type: 'string', description: 'Only beside `submission`: says that it is deprecated.' },
    submission_id: { type: 'integer' },
    event: {
      type: 'string',
      description: '`submission.updated` of a submission that was changed; absent of one that is new.',
    },
    updated_at: {
      type: 'string',
      format: 'date-time',
      description: 'When it was changed; only beside `event`. A body without is older than any with one.',
    },
    changed_fields: {
      type: 'array',
      items: { type: 'string' },
      description: 'Ids of the fields whose answer was changed, emptied ones too; only beside `event`.',
    },
    edit_link: { type: 'string', description: 'Only for forms with editable submissions.' },
    meta: { type: 'object', description: '`meta.attribution` holds the captured keys; absent without any.' },
  },
};

const DELIVERY: Operation = {
  operationId: 'submissionDelivery',
  tags: ['Events'],
  summary: 'A complete submission was stored, or changed where `data.sends_edits` asks for that',
  description:
    'Sent to the `webhook_url` of every active integration whose `logic` holds. A status from 200 to 299 within 15 seconds is ' +
    'success; anything else is tried again, 12 times over more than three days. The bytes of the body are the same every time. ' +
    'Verify a signature over the raw bytes, and compare in constant time.',
  security: [],
  parameters: [
    header(
      'X-Webhook-Signature',
      '`sha256=` and the hex HMAC-SHA256 of the body; only with a `webhook_secret`.',
    ),
    header('webhook-id', 'The same at every attempt: use it to recognise repetitions.'),
    header('webhook-timestamp', 'Seconds since 1970 of this attempt.'),
    header('webhook-signature', 'As Standard Webhooks has it; only with a `webhook_secret`.'),
  ],
  requestBody: { content: { 'application/json': { schema: BODY } } },
  responses: {
    '2XX': { description: 'Delivered.' },
    410: { description: 'The integration is made inactive.' },
  },
};

/** What the service itself sends, in the words of OpenAPI 3.1. */
export const WEBHOOKS: Record<string, Record<string, Operation>> = { submission: { post: DELIVERY } };

function header(name: string, description: string) {
  return { name, in: 'header', description, schema: { type: 'string' } };
}
