import Type from 'typebox';
import { FormParams } from '../../access/form-params.ts';
import { momentSchema } from '../../http/moments.ts';
import { Paginated, pageQuery } from '../../http/pagination.ts';
import { Success } from '../../http/success.ts';
import { TRASH_DAYS } from '../../trash-time.ts';
import { Submission, SubmissionIds } from '../schemas.ts';

const tags = ['Submissions'];

const TrashedSubmission = Type.Object({
  ...Submission.properties,
  trashed_at: Type.String(),
  trash_ends_at: Type.String({ description: 'When it is deleted.' }),
});

export const trashSchema = {
  tags,
  summary: 'Put submissions into the trash',
  description:
    'In no list, export, figure or limit from then on, with everything that belongs to them kept, for ' +
    `${TRASH_DAYS} days or as long as the form keeps its submissions; then they are deleted. Webhooks that wait are still sent.`,
  params: FormParams,
  body: SubmissionIds,
  response: { 200: Success },
};

export const listTrashSchema = {
  tags,
  summary: 'List the submissions in the trash',
  description: 'What came last first.',
  params: FormParams,
  querystring: Type.Object(pageQuery(100)),
  response: { 200: Paginated(TrashedSubmission) },
};

export const restoreSchema = {
  tags,
  summary: 'Take submissions out of the trash',
  description:
    'All of them or none. They are what they were, under numeric ids of their own, above all others: whoever reads on from an id ' +
    'hears of them. They count again, also beyond limits. Nobody is told of them once more.',
  params: FormParams,
  body: SubmissionIds,
  response: {
    200: Type.Object({
      ...Success.properties,
      data: Type.Array(
        Type.Object({
          id: Type.Integer(),
          former_id: Type.Integer({ description: 'The `id` it had in the trash and before.' }),
        }),
      ),
    }),
  },
};

export const emptyTrashSchema = {
  tags,
  summary: 'Empty the trash of submissions',
  description:
    'Of what is in it at that moment, for some seconds at most. What is left then waits for the same request with the `until` of the answer: ' +
    'what came meanwhile stays.',
  params: FormParams,
  querystring: Type.Object({
    until: Type.Optional(momentSchema('Of the first call, where this one goes on.')),
  }),
  response: { 200: Type.Object({ ...Success.properties, is_empty: Type.Boolean(), until: Type.String() }) },
};
