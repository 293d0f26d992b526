import Type from 'typebox';
import { FormParam, FormParams } from '../../access/path-params.ts';
import { Nullable } from '../../http/schemas/nullable.ts';
import { Problem } from '../../http/schemas/problem.ts';
import { Success } from '../../http/schemas/success.ts';
import { Due, PaymentState } from '../../payments/schemas.ts';
import { Submission } from '../schemas.ts';
import { CONFIRMATION_DAYS, MAX_SET_ASIDE, REASON_CODES, SET_ASIDE_DAYS } from './reasons.ts';

const tags = ['Submissions'];

const { review: _, ...members } = Submission.properties;

const SetAside = Type.Object(
  {
    ...members,
    status: Type.Literal('set_aside'),
    reasons: Type.Array(Type.Object({ code: Type.Enum(REASON_CODES), message: Type.String() }), {
      description: 'Each rule that suspects it, or what it waits for, in words.',
    }),
    unconfirmed_email: Nullable(
      Type.String({ description: 'The address that its sender has to confirm; null for others.' }),
    ),
    due: Nullable(Due),
    payment_state: Nullable(PaymentState),
    refusal: Nullable(Type.String({ description: 'Why the form could not take in what is paid.' })),
    deleted_at: Nullable(
      Type.String({
        description:
          'When it will be deleted, unless it is released before; null while somebody may be paying, and of what is paid.',
      }),
    ),
  },
  { title: 'SetAsideSubmission' },
);

const params = Type.Object({ form: FormParam, setAsideId: Type.String({ description: 'Numeric id' }) });

export const listSchema = {
  tags,
  summary:
    'List what was set aside: suspected spam, and what waits for its sender to confirm an address or to pay',
  description:
    'Latest first, by cursor. Suspected spam only of forms with `settings.sets_spam_aside`, unconfirmed addresses only of those with ' +
    `\`settings.confirms_email\`, unpaid ones only of those with a payment block. Suspected spam is deleted after ${SET_ASIDE_DAYS} days, the others after ${CONFIRMATION_DAYS}; a form ` +
    `sets at most ${MAX_SET_ASIDE.toLocaleString('en')} aside as spam, and stores what is suspected beyond that like any submission.`,
  params: FormParams,
  querystring: Type.Object({
    cursor: Type.Optional(
      Type.String({ maxLength: 40, description: '`meta.next_cursor` of the page before.' }),
    ),
    reason: Type.Optional(
      Type.String({ maxLength: 200, description: 'Only these, by codes separated by commas.' }),
    ),
    per_page: Type.Integer({ default: 50, description: 'From 1 to 100.' }),
  }),
  response: {
    200: Type.Object({
      data: Type.Array(SetAside),
      meta: Type.Object({
        per_page: Type.Integer(),
        total: Type.Integer({ description: 'Of all pages together.' }),
        next_cursor: Nullable(Type.String()),
      }),
    }),
  },
};

export const readSchema = {
  tags,
  summary: 'Read a submission that was set aside',
  params,
  response: { 200: SetAside },
};

export const releaseSchema = {
  tags,
  summary: 'Release a submission that was set aside',
  description:
    'It becomes a submission as if it arrived now: it is checked, numbered, counted, and sent to all integrations. It keeps its ' +
    '`submission_id` and `created_at`, and gets a new numeric `id`. A closed form takes it. If it is refused, it stays where it ' +
    'is. To delete it instead, use `DELETE /open/forms/{form}/submissions/{submissionId}`.',
  params,
  response: {
    200: Type.Object({
      ...Success.properties,
      data: Type.Object({ id: Type.Integer({ description: 'Its id among the submissions.' }) }),
    }),
    409: Problem(
      'The form is full (`form_full`), somebody is paying for it just now (`payment_open`), or it was moved.',
    ),
  },
};
