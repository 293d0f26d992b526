import Type from 'typebox';
import { FormParams } from '../../access/path-params.ts';
import { momentSchema } from '../../http/schemas/moments.ts';
import { Paginated, pageQuery } from '../../http/schemas/pagination.ts';
import { Success } from '../../http/schemas/success.ts';
import { TRASH_DAYS } from '../../trash-time.ts';
import { Submission, SubmissionIds } from '../schemas.ts';

const tags = ['Submissions'];

const TrashedSubmission = Type.Object({
  ...Submission.properties,
  trashed_at: Type.String(),
  trash_ends_at: Type.String({ description: 'When the submission will be deleted.' }),
});

export const trashSchema = {
  tags,
  summary: 'Put submissions into the trash',
  description:
    'Leaves them out of every list, export, figure and limit. They are kept with everything that belongs to them for ' +
    `${TRASH_DAYS} days, or as long as the form keeps its submissions, and then deleted. Waiting webhooks are still sent.`,
  params: FormParams,
  body: SubmissionIds,
  response: { 200: Success },
};

export const listTrashSchema = {
  tags,
  summary: 'List the submissions in the trash',
  description: 'Latest put into the trash first.',
  params: FormParams,
  querystring: Type.Object({
    ...pageQuery(100),
    submission_id: Type.Optional(
      Type.String({ description: 'Only this one, by its numeric id, one it had before, or its UUID.' }),
    ),
  }),
  response: { 200: Paginated(TrashedSubmission) },
};

export const restoreSchema = {
  tags,
  summary: 'Take submissions out of the trash',
  description:
    'All or none. They return as they were, with new numeric ids above all others, so a client that reads on from an ' +
    'id sees them. They count again, even beyond limits. No webhook or mail is sent again.',
  params: FormParams,
  body: SubmissionIds,
  response: {
    200: Type.Object({
      ...Success.properties,
      data: Type.Array(
        Type.Object({
          id: Type.Integer(),
          former_id: Type.Integer({ description: 'The `id` that it had before.' }),
        }),
      ),
    }),
  },
};

export const emptyTrashSchema = {
  tags,
  summary: 'Empty the trash of submissions',
  description:
    'Deletes what is in the trash at that moment, for some seconds at most. To delete the rest, repeat the request ' +
    'with the `until` of the response: what came meanwhile stays.',
  params: FormParams,
  querystring: Type.Object({
    until: Type.Optional(momentSchema('`until` of the first call, to go on with what it left.')),
  }),
  response: { 200: Type.Object({ ...Success.properties, is_empty: Type.Boolean(), until: Type.String() }) },
};
