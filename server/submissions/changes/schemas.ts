import Type from 'typebox';
import { SubmissionParams } from '../../access/form-params.ts';
import { Nullable } from '../../http/nullable.ts';
import { Success } from '../../http/success.ts';

const Change = Type.Object({
  id: Type.Integer(),
  changed_at: Type.String({ format: 'date-time' }),
  by: Type.Enum(['respondent', 'member']),
  author: Nullable(
    Type.Object(
      { id: Type.Integer(), name: Type.String() },
      { description: 'The member; null when the account is gone, and for a respondent.' },
    ),
  ),
  answers: Type.Record(Type.String(), Type.Object({ before: Type.Unknown(), after: Type.Unknown() }), {
    description: 'Those that were changed, by the id of the field; null where there was none.',
  }),
});

export const listChangesSchema = {
  tags: ['Submissions'],
  summary: 'List what the answers of a submission said before',
  description:
    'One entry for each time that a complete submission was changed, by its respondent or by a member, and for a partial one ' +
    'that a member completed; the latest first. Of files only the names are left. The latest 100 are kept, fewer where they are large.',
  params: SubmissionParams,
  response: { 200: Type.Object({ changes: Type.Array(Change) }) },
};

export const deleteChangesSchema = {
  tags: ['Submissions'],
  summary: 'Forget what the answers of a submission said before',
  description: 'The submission stays as it is.',
  params: SubmissionParams,
  response: { 200: Success },
};
