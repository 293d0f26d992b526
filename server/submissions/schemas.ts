import Type from 'typebox';
import { Nullable } from '../http/nullable.ts';
import { Paginated, pageQuery } from '../http/pagination.ts';
import { Success } from '../http/success.ts';

/** A submission as its owner reads it. `data` holds the answers by field id, and some members about the submission. */
export const Submission = Type.Object(
  {
    id: Type.Integer(),
    submission_id: Type.String({ description: 'The public id, a UUID.' }),
    form_id: Type.Integer(),
    status: Type.String({ description: '`completed` or `partial`' }),
    data: Type.Object({}, { additionalProperties: true }),
    files: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Array(
          Type.Object({
            file_url: Type.String({ description: 'Needs no credentials and is good for ten minutes.' }),
            file_name: Type.String(),
          }),
        ),
        { description: 'The files that `data` names, by field id; absent where there are none.' },
      ),
    ),
    completion_time: Nullable(Type.Number({ description: 'Seconds.' })),
    created_at: Type.String(),
    updated_at: Type.String(),
    meta: Type.Optional(Type.Object({ attribution: Type.Object({}, { additionalProperties: true }) })),
  },
  { title: 'Submission' },
);

const formParams = Type.Object({ form: Type.String() });
const submissionParams = Type.Object({ form: Type.String(), submissionId: Type.String() });

export const listSchema = {
  tags: ['Submissions'],
  summary: 'List submissions',
  description:
    'Newest first. For lists of any depth, pass the `id` of the last one as `before` instead of `page`.',
  params: formParams,
  querystring: Type.Object({
    ...pageQuery(100),
    before: Type.Optional(Type.Integer({ minimum: 1 })),
    status: Type.Optional(Type.String({ description: '`completed`, `partial` or `all`' })),
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'Part of any answer, whatever its case.' }),
    ),
  }),
  response: { 200: Paginated(Submission) },
};

export const readSchema = {
  tags: ['Submissions'],
  summary: 'Read a submission',
  params: submissionParams,
  response: { 200: Submission },
};

export const updateSchema = {
  tags: ['Submissions'],
  summary: 'Replace the answers of a submission',
  description: 'Answers by field id, checked like new ones. What is left out is removed; attribution stays.',
  params: submissionParams,
  body: Type.Object(
    { completion_time: Type.Optional(Nullable(Type.Number({ minimum: 0 }))) },
    { additionalProperties: true },
  ),
  response: { 200: Type.Intersect([Success, Type.Object({ data: Submission })]) },
};

export const deleteSchema = {
  tags: ['Submissions'],
  summary: 'Delete a submission',
  params: submissionParams,
  response: { 200: Success },
};

export const deleteManySchema = {
  tags: ['Submissions'],
  summary: 'Delete several submissions',
  params: formParams,
  body: Type.Object({
    submissionIds: Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      minItems: 1,
      maxItems: 1000,
      description: 'Numeric ids.',
    }),
  }),
  response: { 200: Success },
};
