import Type from 'typebox';
import { SubmissionParams } from '../../access/path-params.ts';
import { Nullable } from '../../http/schemas/nullable.ts';
import { Success } from '../../http/schemas/success.ts';

const Change = Type.Object({
  id: Type.Integer(),
  changed_at: Type.String({ format: 'date-time' }),
  by: Type.Enum(['respondent', 'member']),
  author: Nullable(
    Type.Object(
      { id: Type.Integer(), name: Type.String() },
      { description: 'The member; null for a respondent, and when the account is gone.' },
    ),
  ),
  answers: Type.Record(Type.String(), Type.Object({ before: Type.Unknown(), after: Type.Unknown() }), {
    description: 'Former answers to the changed fields, by field id; null where there was none.',
  }),
});

export const listChangesSchema = {
  tags: ['Submissions'],
  summary: 'List the former answers of a submission',
  description:
    'One entry for each change of a complete submission, and for the completion of a partial one by a member; latest ' +
    'first. Files keep only their names. The latest 100 are kept, fewer when they are large.',
  params: SubmissionParams,
  response: { 200: Type.Object({ changes: Type.Array(Change) }) },
};

export const deleteChangesSchema = {
  tags: ['Submissions'],
  summary: 'Delete the former answers of a submission',
  description: 'The submission itself stays as it is.',
  params: SubmissionParams,
  response: { 200: Success },
};
