import Type from 'typebox';
import { FormParams } from '../../access/form-params.ts';
import { momentSchema } from '../../http/moments.ts';
import { Nullable } from '../../http/nullable.ts';
import { Success } from '../../http/success.ts';

/** Submissions of one call, which is one transaction: whoever submits to the form waits for it. */
const MAX_SUBMISSIONS = 500;

const ImportedSubmission = Type.Object({
  answers: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'By field id, each as the API takes it from who fills in the form.',
    },
  ),
  created_at: Type.Optional(
    Nullable(momentSchema('When it was submitted, now without one; never in the future.')),
  ),
  completion_time: Type.Optional(
    Type.Union([Type.Number(), Type.String(), Type.Null()], { description: 'Seconds.' }),
  ),
  source_id: Type.Optional(
    Nullable(
      Type.String({
        description:
          'What it is called where it comes from, up to 255 characters. Of one name a form stores one submission.',
      }),
    ),
  ),
});

export const importSchema = {
  tags: ['Submissions'],
  summary: 'Import submissions',
  description:
    'Stores what was collected elsewhere as complete submissions. Types and limits of the fields hold; `required`, rules of ' +
    'the author and whether logic shows a field do not, and nothing is filled in. Files are refused. The form may be closed, ' +
    'a draft or full; imported submissions count towards its limit. Nobody is told: no webhooks, no mails.\n\n' +
    'All are stored in one transaction, or, where one does not fit, none: 422 with errors under ' +
    '`submissions.<index>.<field id>`. With `skip_invalid` those that fit are stored, with `check_only` nothing is; both ' +
    'name the others in `refused`. What came with a `source_id` that the form has already, or that is the id of one of its ' +
    'submissions, is not stored again, so a call can be repeated.',
  params: FormParams,
  body: Type.Object({
    submissions: Type.Array(ImportedSubmission, { minItems: 1, maxItems: MAX_SUBMISSIONS }),
    check_only: Type.Optional(Type.Boolean({ default: false })),
    skip_invalid: Type.Optional(Type.Boolean({ default: false })),
  }),
  response: {
    200: Type.Object({
      ...Success.properties,
      stored: Type.Integer({ description: 'How many were stored; with `check_only`, would be.' }),
      already_there: Type.Integer(),
      submissions: Type.Array(
        Type.Object({
          index: Type.Integer({ description: 'Place in the call, from 0.' }),
          id: Type.Integer(),
          is_new: Type.Boolean({ description: 'Stored by this call.' }),
        }),
        { description: 'Those that are there now.' },
      ),
      refused: Type.Array(
        Type.Object({
          index: Type.Integer(),
          errors: Type.Record(Type.String(), Type.Array(Type.String()), {
            description: 'Messages by field id, `created_at`, `completion_time` or `source_id`.',
          }),
        }),
      ),
    }),
  },
};
