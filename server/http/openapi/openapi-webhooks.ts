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
    message: { type: 'string', description: 'Only with `submission`: says that it is deprecated.' },
    submission_id: { type: 'integer' },
    event: {
      type: 'string',
      description: '`submission.updated` for a changed submission; absent for a new one.',
    },
    updated_at: {
      type: 'string',
      format: 'date-time',
      description: 'Time of the change; only with `event`. A body without it is older than any body with it.',
    },
    changed_fields: {
      type: 'array',
      items: { type: 'string' },
      description: 'Ids of the fields whose answers were changed or emptied; only with `event`.',
    },
    edit_link: { type: 'string', description: 'Only for forms with editable submissions.' },
    meta: { type: 'object', description: '`meta.attribution` holds the captured keys; absent without any.' },
  },
};

const DELIVERY: Operation = {
  operationId: 'submissionDelivery',
  tags: ['Events'],
  summary: 'A complete submission was stored, or changed where `data.sends_edits` is on',
  description:
    'The exact type of the body for one form: `GET /open/forms/{form}/answer-schema`. ' +
    'Sent to the `webhook_url` of every active integration whose `logic` holds. A status from 200 to 299 within 15 ' +
    'seconds is success. After anything else the delivery is tried again: 12 attempts over more than three days, all ' +
    'with the same bytes. Verify a signature over the raw bytes, and compare in constant time.',
  security: [],
  parameters: [
    header(
      'X-Webhook-Signature',
      '`sha256=` and the hex HMAC-SHA256 of the body; only with a `webhook_secret`.',
    ),
    header('webhook-id', 'The same for every attempt: use it to recognise repeats.'),
    header('webhook-timestamp', 'Time of this attempt, in seconds since 1970.'),
    header('webhook-signature', 'As Standard Webhooks defines it; only with a `webhook_secret`.'),
  ],
  requestBody: { content: { 'application/json': { schema: BODY } } },
  responses: {
    '2XX': { description: 'Delivered.' },
    410: { description: 'Makes the integration inactive.' },
  },
};

/** Requests that the service sends, as OpenAPI 3.1 describes them. */
export const WEBHOOKS: Record<string, Record<string, Operation>> = { submission: { post: DELIVERY } };

function header(name: string, description: string) {
  return { name, in: 'header', description, schema: { type: 'string' } };
}
