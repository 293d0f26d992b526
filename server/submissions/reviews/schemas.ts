import Type from 'typebox';
import { FormParam, FormParams, SubmissionParam, SubmissionParams } from '../../access/path-params.ts';
import { Nullable } from '../../http/schemas/nullable.ts';
import { Success } from '../../http/schemas/success.ts';
import { REVIEW_STATES } from './states.ts';

/** Characters of a note. */
const MAX_NOTE = 5_000;
/** Submissions per call. A call is one transaction, and new submissions to the form wait for it. */
const MAX_SUBMISSIONS = 1_000;

export const State = Type.Enum([...REVIEW_STATES]);

/** How a review is shown with its submission. */
export const Review = Type.Object({
  state: State,
  notes: Type.Integer({ description: 'Number of notes.' }),
});

const Entry = Type.Object({
  id: Type.Integer(),
  created_at: Type.String({ format: 'date-time' }),
  author: Nullable(
    Type.Object(
      { id: Type.Integer(), name: Type.String() },
      { description: 'Null when the account is gone.' },
    ),
  ),
  state: Nullable(
    Type.Enum([...REVIEW_STATES], { description: 'State that was set; null for a note alone.' }),
  ),
  note: Nullable(Type.String()),
});

export const readReviewSchema = {
  tags: ['Reviews'],
  summary: 'Read the review of a submission',
  description: 'Decisions and notes, earliest first.',
  params: SubmissionParams,
  response: { 200: Type.Object({ ...Review.properties, history: Type.Array(Entry) }) },
};

export const reviewSchema = {
  tags: ['Reviews'],
  summary: 'Set the review state of a submission, or add a note',
  description:
    'Adds a `state`, a `note` or both to the history. Setting the state that the submission has already changes ' +
    'nothing. The submission and its `updated_at` stay as they are, and nobody outside the workspace is told.',
  params: SubmissionParams,
  body: Type.Object({
    state: Type.Optional(State),
    note: Type.Optional(
      Nullable(
        Type.String({ maxLength: MAX_NOTE, description: 'Plain text. Blanks around it are cut off.' }),
      ),
    ),
  }),
  response: { 200: Type.Object({ ...Success.properties, review: Review }) },
};

export const deleteNoteSchema = {
  tags: ['Reviews'],
  summary: 'Delete a note',
  description:
    'Members delete their own notes, admins any. A state set together with the note stays in the history.',
  params: Type.Object({ form: FormParam, submissionId: SubmissionParam, noteId: Type.String() }),
  response: { 200: Success },
};

export const reviewManySchema = {
  tags: ['Reviews'],
  summary: 'Set the review state of several submissions',
  description:
    'All or none. Submissions that have the state already are left as they are, as are, with `only_from`, those with any other state than that: somebody has decided meanwhile.',
  params: FormParams,
  body: Type.Object({
    submissionIds: Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      minItems: 1,
      maxItems: MAX_SUBMISSIONS,
      description: 'Numeric ids.',
    }),
    state: State,
    only_from: Type.Optional(State),
  }),
  response: { 200: Type.Object({ ...Success.properties, changed: Type.Integer() }) },
};

export const countReviewsSchema = {
  tags: ['Reviews'],
  summary: 'Count the submissions of a form by state of review',
  description: 'Counts complete and partial submissions.',
  params: FormParams,
  response: {
    200: Type.Object({
      received: Type.Integer(),
      has_issues: Type.Integer(),
      approved: Type.Integer(),
      rejected: Type.Integer(),
      noted: Type.Integer({ description: 'Submissions with notes, in any state.' }),
    }),
  },
};
