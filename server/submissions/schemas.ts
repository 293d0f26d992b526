import Type from 'typebox';
import { FormParams, SubmissionParams } from '../access/path-params.ts';
import { momentSchema } from '../http/schemas/moments.ts';
import { Nullable } from '../http/schemas/nullable.ts';
import { Paginated, pageQuery } from '../http/schemas/pagination.ts';
import { Problem } from '../http/schemas/problem.ts';
import { Success } from '../http/schemas/success.ts';
import { Payment } from '../payments/schemas.ts';
import { ReachedEnding } from './endings/schemas.ts';
import { Review, State } from './reviews/schemas.ts';

/** A submission as members read it. `data` holds the answers by field id, and some members about the submission. */
export const Submission = Type.Object(
  {
    id: Type.Integer(),
    submission_id: Nullable(
      Type.String({
        description:
          'Public id, a UUID. Null for `readonly` members where the form has `editable_submissions`, because whoever knows it can change the answers.',
      }),
    ),
    form_id: Type.Integer(),
    status: Type.String({ description: '`completed` or `partial`' }),
    data: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'Answers by field id; null where the retention of the field has removed one.',
      },
    ),
    files: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Array(
          Type.Object({
            file_url: Type.String({ description: 'Needs no credentials and is valid for ten minutes.' }),
            file_name: Type.String(),
          }),
        ),
        { description: 'Files that `data` names, by field id; absent without files.' },
      ),
    ),
    completion_time: Nullable(Type.Number({ description: 'Seconds.' })),
    created_at: Type.String(),
    updated_at: Type.String(),
    ending: Nullable(
      Type.Object(ReachedEnding.properties, {
        description:
          'The ending that the answers led to when they were last accepted; null for the text or address of the form itself.',
      }),
    ),
    review: Type.Optional(
      Type.Object(Review.properties, {
        description:
          'Only after members have decided or noted something; in lists by cursor, and where one submission is read or replaced.',
      }),
    ),
    confirmed_email: Type.Optional(
      Type.Object(
        { email: Type.String(), confirmed_at: Type.String() },
        { description: 'Only while the submission has an address that its sender has confirmed.' },
      ),
    ),
    payment: Type.Optional(Payment),
    meta: Type.Optional(Type.Object({ attribution: Type.Object({}, { additionalProperties: true }) })),
  },
  { title: 'Submission' },
);

const { id, submission_id, form_id, status, created_at, updated_at, ...ofReaders } = Submission.properties;
const ChangedSubmission = Type.Object({
  ...{ id, submission_id, form_id, status, created_at, updated_at },
  ...Type.Partial(Type.Object(ofReaders)).properties,
});

const Link = Nullable(Type.String());

const { links: PageLinks, meta: PageMeta } = Paginated(Submission).properties;

/** A list by page, as every list; or one by cursor, whose `meta` knows no page numbers. */
const SubmissionList = Type.Object({
  data: Type.Array(Submission),
  links: Type.Union([PageLinks, Type.Object({ prev: Link, next: Link })]),
  meta: Type.Union([
    PageMeta,
    Type.Object({
      path: Type.String(),
      per_page: Type.Integer(),
      total: Type.Optional(Type.Integer({ description: 'Present when it was asked for.' })),
      total_is_capped: Type.Optional(Type.Boolean({ description: 'There are more than `total`.' })),
      next_cursor: Link,
      prev_cursor: Link,
    }),
  ]),
});

export const Moment = Type.String({
  maxLength: 64,
  description: 'ISO 8601 time, or a day; without an offset it is UTC.',
});

/** Characters of `search`, and of `sort`. */
export const MAX_SEARCH = 200;
export const MAX_SORT = 64;

/** What narrows a list of submissions. */
const narrowing = {
  status: Type.Optional(Type.String({ description: '`completed`, `partial` or `all`' })),
  search: Type.Optional(
    Type.String({ maxLength: MAX_SEARCH, description: 'Part of any answer; letter case is ignored.' }),
  ),
  from: Type.Optional(Moment),
  to: Type.Optional(Moment),
  // Only describes them: they are read from keys of the form `filter[…]`.
  filter: Type.Optional(
    Type.Object(
      {},
      { additionalProperties: true, description: 'By field id: a value, or values by operator.' },
    ),
  ),
  review: Type.Optional(State),
  ending: Type.Optional(
    Type.String({
      pattern: '^[!-~]{1,64}$',
      description: 'Id of an ending; `none`: complete submissions that reached none.',
    }),
  ),
};
export const NarrowingQuery = Type.Object(narrowing);

export const listSchema = {
  tags: ['Submissions'],
  summary: 'List submissions',
  description:
    'Newest first. For long lists, pass the `id` of the last submission as `before` instead of `page`; `links.next` then ' +
    'does the same. Such pages have no numbers (`current_page` and `last_page` are 1, `from` and `to` null), and `total` ' +
    'counts the whole list.\n\n' +
    'Any of `cursor`, `from`, `to`, `filter`, `review`, `ending`, `sort`, `order` and `total` makes it a list by cursor. `meta` has ' +
    '`next_cursor` and `prev_cursor` for the pages around this one, which stay right while submissions arrive; keep the ' +
    'other parameters the same on every page. Answers are filtered by `filter[<field id>]=value` or ' +
    '`filter[<field id>][<operator>]=value`. Operators: `equals`, `contains`, `is_empty`, `is_not_empty`, and ' +
    '`does_not_equal`, `does_not_contain`, which also hold without an answer; for numbers `greater_than`, ' +
    '`less_than`, `greater_than_or_equal_to`, `less_than_or_equal_to`; for dates `after`, `before`, `on_or_after`, ' +
    '`on_or_before` with a day, in UTC. A list that would take too long is 422; the message says what to narrow.',
  params: FormParams,
  querystring: Type.Object({
    ...pageQuery(100),
    before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    ...narrowing,
    sort: Type.Optional(
      Type.String({
        maxLength: MAX_SORT,
        description: '`created_at`, `updated_at`, or the id of a field in lists of up to 50,000.',
      }),
    ),
    order: Type.Optional(Type.Enum(['asc', 'desc'])),
    cursor: Type.Optional(Type.String({ maxLength: 2_000 })),
    total: Type.Optional(
      Type.Boolean({
        description: 'Whether to count the list: exactly without a filter, up to 10,000 with one.',
      }),
    ),
  }),
  response: { 200: SubmissionList },
};

export const readSchema = {
  tags: ['Submissions'],
  summary: 'Read a submission',
  description: 'Also by a numeric id that it had before it was in the trash.',
  params: SubmissionParams,
  response: { 200: Submission },
};

export const updateSchema = {
  tags: ['Submissions'],
  summary: 'Change the answers of a submission',
  description:
    'Answers by field id, checked like new ones. Answers left out stay, null removes one; attribution stays. Where the answers are under `data`, ' +
    'as in a submission that was read, those left out are removed.\n\n' +
    'A token without `forms-read` gets no answers back: `data` has the ids, `status` and times only, and `submission_id` is null ' +
    'where the form has `editable_submissions`.',
  params: SubmissionParams,
  querystring: Type.Object({
    updated_at: Type.Optional(
      momentSchema('`updated_at` of the submission as it was read; 409 when it was changed since.'),
    ),
    present: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Ids of fields whose answers were there when it was read; 409 when the retention of one has removed its answer since.',
      }),
    ),
  }),
  body: Type.Object(
    {
      // Any text passes here: it is checked with the answers, so that all problems are reported at once.
      completion_time: Type.Optional(
        Type.Union([Type.Number(), Type.String(), Type.Null()], { description: 'Seconds.' }),
      ),
    },
    { additionalProperties: true },
  ),
  response: {
    200: Type.Intersect([Success, Type.Object({ data: ChangedSubmission })]),
    409: Problem('The submission was changed since it was read, or the form was moved a moment ago.', {
      updated_at: Type.Optional(Type.String({ description: 'Time of the change.', format: 'date-time' })),
    }),
  },
};

const BEING_PAID = Problem('Somebody may be paying for one of them just now (`payment_open`).');

export const deleteSchema = {
  tags: ['Submissions'],
  summary: 'Delete a submission',
  description: 'Deletes for good, whether in the trash or not.',
  params: SubmissionParams,
  response: { 200: Success, 409: BEING_PAID },
};

/** The submissions that an action is about. */
export const SubmissionIds = Type.Object({
  submissionIds: Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
    minItems: 1,
    maxItems: 1000,
    description: 'Numeric ids.',
  }),
});

export const deleteManySchema = {
  tags: ['Submissions'],
  summary: 'Delete several submissions',
  description: 'Deletes for good, whether in the trash or not.',
  params: FormParams,
  body: SubmissionIds,
  response: { 200: Success, 409: BEING_PAID },
};

export const placesSchema = {
  tags: ['Submissions'],
  summary: 'List the options with a limited number of places',
  params: FormParams,
  response: {
    200: Type.Object({
      data: Type.Array(
        Type.Object({
          property_id: Type.String(),
          option: Type.String({ description: 'Name of the option.' }),
          max_submissions_count: Type.Integer(),
          taken: Type.Integer({
            description:
              'Completed submissions with this option; may exceed its places, since owners may overbook.',
          }),
        }),
      ),
    }),
  },
};
