import Type from 'typebox';
import { ATTRIBUTION_KEYS } from '../../fields/attribution-keys.ts';
import { Problem, Refusal } from '../http/schemas/problem.ts';
import { Due } from '../payments/schemas.ts';
import { MAX_ATTRIBUTION_LENGTH } from './acceptance/attribution.ts';

const attributionValue = Type.Optional(Type.String({ minLength: 1, maxLength: MAX_ATTRIBUTION_LENGTH }));

const trackingParameters = Type.Object(
  Object.fromEntries(ATTRIBUTION_KEYS.map((key) => [key, attributionValue])),
  { additionalProperties: false, description: 'Where the visitor came from. Stored at creation only.' },
);

export const answerSchema = {
  tags: ['Public'],
  summary: 'Submit an answer',
  description:
    'Answers are keyed by field id, next to the members below. 200 means that the submission is stored durably. ' +
    '`completion_time` may also be a number as text, `is_partial` 0, 1 or text; null and an empty text count as absent.',
  params: Type.Object({ form: Type.String({ description: 'Slug or UUID of the form.' }) }),
  querystring: Type.Object({
    personal: Type.Optional(Type.String({ description: 'Code in the address of a personal link.' })),
  }),
  headers: Type.Object({
    'form-password': Type.Optional(
      Type.String({ description: 'Password of a protected form, or its SHA-256 in hex.' }),
    ),
    'idempotency-key': Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Makes repeating the request safe for 72 hours.',
      }),
    ),
    precognition: Type.Optional(
      Type.String({ description: '`true`: the answers are only checked, and nothing is stored.' }),
    ),
    'precognition-validate-only': Type.Optional(
      Type.String({
        description: 'Ids of the fields to check, separated by commas; all when absent.',
      }),
    ),
  }),
  body: Type.Object(
    {
      completion_time: Type.Optional(
        Type.Union([Type.Number({ minimum: 0 }), Type.Null()], { description: 'Seconds.' }),
      ),
      is_partial: Type.Optional(Type.Boolean({ default: false })),
      submission_hash: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      submission_id: Type.Optional(
        Type.Union([Type.String(), Type.Null()], {
          description: 'The submission to edit, where the form allows it.',
        }),
      ),
      tracking_parameters: Type.Optional(trackingParameters),
      captcha: Type.Optional(Type.String({ description: 'Solved captcha, where the form asks for one.' })),
    },
    { additionalProperties: true },
  ),
  response: {
    200: Type.Object({
      type: Type.String(),
      message: Type.String(),
      submission_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      is_first_submission: Type.Optional(Type.Boolean()),
      redirect: Type.Optional(Type.Boolean()),
      submission_hash: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      confirmation: Type.Optional(
        Type.Object(
          {
            email: Type.String({ description: 'Where a link was sent.' }),
            expires_at: Type.String({
              description: 'Until when it can be opened; the answers are deleted then.',
            }),
          },
          {
            description:
              'Present while the submission waits: it counts once the link is opened. Only of forms with `settings.confirms_email`.',
          },
        ),
      ),
      payment: Type.Optional(
        Type.Object(
          {
            url: Type.String({ description: 'The page where the sender pays, by way of Stripe.' }),
            ...Due.properties,
          },
          { description: 'Present while the submission waits: it counts once it is paid.' },
        ),
      ),
    }),
    204: Type.Null({ description: 'With `Precognition: true`: nothing is wrong.' }),
    403: Refusal(
      '`form_closed`, `form_full`, `form_protected`, `personal_link_needed` or `already_answered`',
    ),
    404: Refusal('`form_not_found` or `submission_not_found`'),
    422: Type.Object({
      message: Type.String(),
      errors: Type.Record(Type.String(), Type.Array(Type.String())),
    }),
    429: Problem(
      'Too many requests; or with `error`, where an address has to be confirmed: `too_many_confirmations`, `too_many_unconfirmed`; or `too_many_unpaid`',
      { error: Type.Optional(Type.String()) },
    ),
    503: Problem('Busy, or with `error` `payments_disconnected`: nobody could pay at the moment', {
      error: Type.Optional(Type.String()),
    }),
  },
};

export const captchaSchema = {
  tags: ['Public'],
  summary: 'Get a captcha challenge',
  description: 'Valid for ten minutes and one submission of this form.',
  params: Type.Object({ form: Type.String() }),
  response: {
    200: Type.Object({
      provider: Type.String(),
      site_key: Type.Union([Type.String(), Type.Null()]),
      challenge: Type.Unknown(),
    }),
    404: Refusal('`form_not_found`'),
  },
};
