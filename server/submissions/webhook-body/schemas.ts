import Type from 'typebox';
import { SubmissionParams } from '../../access/path-params.ts';
import { ARRIVALS } from './queries.ts';

export const webhookBodySchema = {
  tags: ['Submissions'],
  summary: 'Read what a webhook gets for a submission',
  description:
    'The body that an integration `webhook` is sent, with the answers as they are now, or as they were after a change. ' +
    'Nothing is sent or recorded. `edit_link` is missing for `readonly` members, because whoever knows it can change the ' +
    'answers; `ending` for changes before the last one, because only the last ending is kept.',
  params: SubmissionParams,
  querystring: Type.Object({
    change: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          '`id` of a change, as `GET …/changes` lists it: the body that webhooks with `sends_edits` are sent for it.',
      }),
    ),
  }),
  response: {
    200: Type.Object({
      body: Type.String({ description: 'JSON, byte for byte as it is sent and signed.' }),
      status: Type.String({
        description: '`completed` or `partial`. Webhooks hear of a partial one when it becomes complete.',
      }),
      arrival: Type.Enum([...ARRIVALS], {
        description:
          'Webhooks hear only of submissions that were answered; not of those `imported` under a `source_id`, and not again of ' +
          'those `restored` from the trash.',
      }),
    }),
  },
};
