import Type from 'typebox';
import { Nullable } from '../http/schemas/nullable.ts';
import { Success } from '../http/schemas/success.ts';
import { Due, Payment, PaymentState } from '../payments/schemas.ts';
import { ReachedEnding } from '../submissions/endings/schemas.ts';
import { VALUE_MAX_LENGTH } from './person-value.ts';

const Value = Type.String({
  minLength: 1,
  maxLength: VALUE_MAX_LENGTH,
  description: 'An e-mail address in any letter case, or the exact text of another answer.',
});
const Cursor = Type.Optional(
  Type.String({ maxLength: 40, description: '`cursor` of the previous call, to go on where it stopped.' }),
);

export const ExportBody = Type.Object({ value: Value });
/** Body of searches and erasures, which both continue where they stopped. */
export const PersonBody = Type.Object({ value: Value, cursor: Cursor });

const Open = { additionalProperties: true };
const Time = Type.String({ format: 'date-time' });
const NextCursor = Nullable(
  Type.String({
    description: 'Not null when the time was up before everything was searched: call again with it.',
  }),
);
const Counts = Type.Object({}, { additionalProperties: Type.Integer() });

const Answers = Type.Array(
  Type.Object(
    {
      id: Type.String(),
      name: Nullable(Type.String()),
      type: Nullable(Type.String()),
      value: Type.Unknown(),
    },
    Open,
  ),
);

const FoundSubmission = Type.Object(
  {
    form: Type.Object({
      id: Type.Integer(),
      slug: Type.String(),
      title: Type.String(),
      workspace_id: Type.Integer(),
    }),
    id: Type.Integer(),
    submission_id: Type.String(),
    status: Type.String(),
    found_in: Type.Array(Type.String(), { description: 'Ids of the fields whose answer is the value.' }),
    found_earlier_in: Type.Array(Type.String(), {
      description: 'Ids of the fields whose answer was the value before a change.',
    }),
    found_by_link: Type.Boolean({
      description:
        'Whether it was found only because it came by the personal link of a recipient with this name or address.',
    }),
    answers: Answers,
    earlier_answers: Type.Array(Type.Object({ changed_at: Time, answers: Answers }), {
      description: 'Former answers of the changed submissions, latest change first.',
    }),
    files: Type.Array(Type.Object({ file_name: Type.String(), file_url: Type.String() })),
    attribution: Type.Unknown(),
    completion_time: Nullable(Type.Number()),
    created_at: Time,
    updated_at: Time,
    ending: Nullable(
      Type.Object(ReachedEnding.properties, { description: 'The ending that the answers reached.' }),
    ),
    trashed_at: Nullable(Type.String({ description: 'When the submission was put into the trash.' })),
    payment: Type.Optional(Payment),
    due: Type.Optional(Nullable(Due)),
    payment_state: Type.Optional(Nullable(PaymentState)),
    refusal: Type.Optional(
      Nullable(Type.String({ description: 'Why the form did not take in what is paid.' })),
    ),
  },
  Open,
);

export const FoundPerson = Type.Object(
  {
    value_kind: Type.Union([Type.Literal('email'), Type.Literal('other')]),
    submissions: Type.Array(FoundSubmission),
    drafts: Type.Integer({ description: 'Answers typed but not sent, kept for a day.' }),
    invites: Type.Integer({ description: 'Invites to the workspace for this address.' }),
    recipients: Type.Integer({ description: 'Places on lists of recipients that are the person’s.' }),
    erasures: Type.Array(Type.Object({ id: Type.Integer(), erased_at: Time, counts: Counts })),
    cursor: NextCursor,
  },
  Open,
);

export const ErasedPerson = Type.Object(
  {
    ...Success.properties,
    erasure_id: Nullable(Type.Integer({ description: 'Id of the record; null when nothing was found.' })),
    erased: Counts,
    cursor: NextCursor,
  },
  Open,
);
