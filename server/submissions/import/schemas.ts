import Type from 'typebox';
import { FormParams } from '../../access/path-params.ts';
import { momentSchema } from '../../http/schemas/moments.ts';
import { Nullable } from '../../http/schemas/nullable.ts';
import { Success } from '../../http/schemas/success.ts';

/** Submissions per call. A call is one transaction, and new submissions to the form wait for it. */
const MAX_SUBMISSIONS = 500;

const ImportedSubmission = Type.Object({
  answers: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'By field id, each as the public form takes it.',
    },
  ),
  created_at: Type.Optional(
    Nullable(momentSchema('When it was submitted; now when absent, never in the future.')),
  ),
  completion_time: Type.Optional(
    Type.Union([Type.Number(), Type.String(), Type.Null()], { description: 'Seconds.' }),
  ),
  source_id: Type.Optional(
    Nullable(
      Type.String({
        description: 'Its id where it comes from, up to 255 characters. A form stores one submission per id.',
      }),
    ),
  ),
});

export const importSchema = {
  tags: ['Submissions'],
  summary: 'Import submissions',
  description:
    'Stores answers collected elsewhere as complete submissions. Types and limits of the fields apply. `required`, ' +
    'rules of the author and the logic that shows fields do not, and nothing is filled in. Files are refused. The ' +
    'form may be closed, a draft or full; imported submissions count towards its limit. No webhooks and no mails are ' +
    'sent.\n\nAll are stored in one transaction. When one is invalid, none is: 422 with errors under ' +
    '`submissions.<index>.<field id>`. With `skip_invalid` the valid ones are stored, with `check_only` none is; ' +
    'both name the invalid ones in `refused`. A submission whose `source_id` is stored in the form already, or is ' +
    'the id of one of its submissions, is not stored again, so a call can be repeated.',
  params: FormParams,
  body: Type.Object({
    submissions: Type.Array(ImportedSubmission, { minItems: 1, maxItems: MAX_SUBMISSIONS }),
    check_only: Type.Optional(Type.Boolean({ default: false })),
    skip_invalid: Type.Optional(Type.Boolean({ default: false })),
    skip_alike: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether those in `alike` are taken for the submissions that they are like, and not stored.',
      }),
    ),
  }),
  response: {
    200: Type.Object({
      ...Success.properties,
      stored: Type.Integer({ description: 'How many were stored or, with `check_only`, would be.' }),
      already_there: Type.Integer(),
      submissions: Type.Array(
        Type.Object({
          index: Type.Integer({ description: 'Position in the call, from 0.' }),
          id: Type.Integer(),
          is_new: Type.Boolean({ description: 'Whether this call stored it.' }),
        }),
        { description: 'The submissions that the form has now.' },
      ),
      alike: Type.Array(Type.Object({ index: Type.Integer(), id: Type.Integer() }), {
        description:
          'Those with a `created_at` and without a `source_id` that have the same moment and answers as a submission that the form had before: the call, or its file, may have been imported already.',
      }),
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
