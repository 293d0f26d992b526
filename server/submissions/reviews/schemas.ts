import Type from 'typebox';
import { FormParam, FormParams, SubmissionParam, SubmissionParams } from '../../access/form-params.ts';
import { Nullable } from '../../http/nullable.ts';
import { Success } from '../../http/success.ts';
import { REVIEW_STATES } from './states.ts';

/** Characters of a note. */
const MAX_NOTE = 5_000;
/** Submissions of one call, which is one transaction: whoever submits to the form waits for it. */
const MAX_SUBMISSIONS = 1_000;

export const State = Type.Enum([...REVIEW_STATES]);

/** How a review is shown with its submission. */
export const Review = Type.Object({
  state: State,
  notes: Type.Integer({ description: 'How many there are.' }),
});

const Entry = Type.Object({
  id: Type.Integer(),
  created_at: Type.String({ format: 'date-time' }),
  author: Nullable(
    Type.Object(
      { id: Type.Integer(), name: Type.String() },
      { description: 'null when the account is gone.' },
    ),
  ),
  state: Nullable(Type.Enum([...REVIEW_STATES], { description: 'What was decided; null for a note alone.' })),
  note: Nullable(Type.String()),
});

export const readReviewSchema = {
  tags: ['Reviews'],
  summary: 'Read the review of a submission',
  description: 'What was decided and noted, the first entry first.',
  params: SubmissionParams,
  response: { 200: Type.Object({ ...Review.properties, history: Type.Array(Entry) }) },
};

export const reviewSchema = {
  tags: ['Reviews'],
  summary: 'Decide about a submission, or write a note',
  description:
    'Adds to the history: a `state`, a `note`, or both. A state that the submission has already is no change. Neither the ' +
    'submission nor its `updated_at` changes, and nobody is told outside of the workspace.',
  params: SubmissionParams,
  body: Type.Object({
    state: Type.Optional(State),
    note: Type.Optional(
      Nullable(Type.String({ maxLength: MAX_NOTE, description: 'Plain text. Outer blanks are cut off.' })),
    ),
  }),
  response: { 200: Type.Object({ ...Success.properties, review: Review }) },
};

export const deleteNoteSchema = {
  tags: ['Reviews'],
  summary: 'Delete a note',
  description: 'One’s own; admins any. What was decided together with it stays in the history.',
  params: Type.Object({ form: FormParam, submissionId: SubmissionParam, noteId: Type.String() }),
  response: { 200: Success },
};

export const reviewManySchema = {
  tags: ['Reviews'],
  summary: 'Decide about several submissions',
  description: 'All or none. Those that have the state already are left as they are.',
  params: FormParams,
  body: Type.Object({
    submissionIds: Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      minItems: 1,
      maxItems: MAX_SUBMISSIONS,
      description: 'Numeric ids.',
    }),
    state: State,
  }),
  response: { 200: Type.Object({ ...Success.properties, changed: Type.Integer() }) },
};

export const countReviewsSchema = {
  tags: ['Reviews'],
  summary: 'Count the submissions of a form by state of review',
  description: 'Complete and partial ones.',
  params: FormParams,
  response: {
    200: Type.Object({
      received: Type.Integer(),
      has_issues: Type.Integer(),
      approved: Type.Integer(),
      rejected: Type.Integer(),
      noted: Type.Integer({ description: 'Submissions with notes, whatever their state.' }),
    }),
  },
};
