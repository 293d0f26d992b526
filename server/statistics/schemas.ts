import Type from 'typebox';
import { FormParams, WorkspaceParams } from '../access/path-params.ts';
import { Nullable } from '../http/schemas/nullable.ts';
import { Refusal } from '../http/schemas/problem.ts';

/** The most fields that a form may have, and the longest ids. */
const MAX_FIELDS = 500;
const MAX_ID_LENGTH = 64;
/** One day. */
const MAX_TIME_MS = 86_400_000;

const Index = Type.Integer({ minimum: 0 });
const Count = Type.Integer({ minimum: 0 });
const Starts = Type.Integer({ minimum: 0, description: 'Visits in which something was answered.' });
const CompletionRate = Nullable(
  Type.Number({ description: 'Completed submissions per start, at most 1; null without starts.' }),
);
const Day = Type.String({ description: '`YYYY-MM-DD`, UTC' });
const DAYS = Type.Array(
  Type.Object({ date: Day, views: Count, starts: Count, completed: Count, partial: Count }),
  { description: 'One entry for every day of the range.' },
);
const RangeQuery = Type.Object({
  from: Type.Optional(Type.String({ description: 'First day, `YYYY-MM-DD`' })),
  to: Type.Optional(Type.String({ description: 'Last day, `YYYY-MM-DD`' })),
});

export const progressSchema = {
  tags: ['Public'],
  summary: 'Report the progress of a visit',
  description:
    'The page of a form sends what is new since its last call. The service only counts: it stores no answers and ' +
    'nothing that identifies the visit. Steps and fields that the form does not have are ignored.',
  params: Type.Object({ form: Type.String({ description: 'Slug or UUID' }) }),
  body: Type.Object({
    started: Type.Optional(Type.Boolean({ description: 'Whether the first answer was given.' })),
    steps: Type.Optional(
      Type.Array(Index, {
        maxItems: MAX_FIELDS,
        description: 'Steps shown for the first time, without the first step.',
      }),
    ),
    fields: Type.Optional(
      Type.Array(Type.String({ maxLength: MAX_ID_LENGTH }), {
        maxItems: MAX_FIELDS,
        description: 'Ids of fields answered for the first time.',
      }),
    ),
    left: Type.Optional(Nullable(Index)),
    times: Type.Optional(
      Type.Record(
        Type.String({ maxLength: MAX_ID_LENGTH }),
        Type.Integer({ minimum: 0, maximum: MAX_TIME_MS }),
        {
          maxProperties: MAX_FIELDS,
          description: 'Milliseconds spent on each field, by field id. Sent once, with the form.',
        },
      ),
    ),
  }),
  consumes: ['application/json', 'text/plain'],
  response: { 204: Type.Null(), 404: Refusal('`form_not_found`') },
};

const Sources = Type.Object({
  none: Type.Integer({ description: 'Completed submissions without this key.' }),
  values: Type.Array(Type.Object({ value: Type.String(), completed: Count })),
  other: Count,
});

const Statistics = Type.Object(
  {
    from: Day,
    to: Day,
    totals: Type.Object({
      views: Count,
      starts: Starts,
      completed: Count,
      partial: Count,
      completion_rate: CompletionRate,
      median_completion_time: Nullable(
        Type.Number({ description: 'Seconds; exact below 1,000, then to three digits.' }),
      ),
      average_completion_time: Nullable(Type.Number({ description: 'Seconds.' })),
    }),
    days: DAYS,
    devices: Type.Array(Type.Object({ device: Type.String(), views: Count })),
    referrers: Type.Object(
      {
        direct: Count,
        hosts: Type.Array(Type.Object({ host: Type.String(), views: Count })),
        other: Count,
      },
      { description: 'Views by the site that led to the form or embeds it; the 50 most frequent by name.' },
    ),
    sources: Type.Object(
      { utm_source: Sources, utm_medium: Sources, utm_campaign: Sources },
      { description: 'Completed submissions by attribution; the 50 most frequent values of each key.' },
    ),
    endings: Type.Object({
      none: Type.Integer({ description: 'Completed submissions that reached none.' }),
      values: Type.Array(
        Type.Object({
          id: Type.String(),
          name: Nullable(Type.String({ description: 'Null when the form has it no more.' })),
          completed: Count,
        }),
        { description: 'The endings of the form, in their order, then those it had that were reached.' },
      ),
    }),
    steps: Type.Array(
      Type.Object({
        index: Index,
        reached: Type.Integer({ minimum: 0, description: 'Visits that were shown the step.' }),
        left: Type.Integer({
          minimum: 0,
          description: 'Visits that ended at the step, as far as pages could tell.',
        }),
      }),
      { description: 'The steps or fields that the form has now.' },
    ),
    fields: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        type: Type.String(),
        step: Index,
        reached: Count,
        answered: Count,
        typical_time: Nullable(
          Type.Number({
            description:
              'Seconds that the field took in visits that sent the form, to a tenth, at least one: the geometric mean, near the median. Null without data.',
          }),
        ),
      }),
      { description: 'The steps or fields that the form has now.' },
    ),
  },
  { title: 'Statistics' },
);

export const statisticsSchema = {
  tags: ['Forms'],
  summary: 'Read the statistics of a form',
  description:
    'Days are in UTC. Submissions count on the day they were created. At most 731 days; the last 30 when none are named.',
  params: FormParams,
  querystring: RangeQuery,
  response: { 200: Statistics },
};

/** The most forms that the statistics of a workspace list. */
export const MAX_LISTED_FORMS = 1_000;

const Figures = Type.Object({
  views: Count,
  starts: Starts,
  completed: Count,
  partial: Count,
  completion_rate: CompletionRate,
});
const Compared = {
  ...Figures.properties,
  last_day_completed: Type.Integer({
    minimum: 0,
    description: 'Completed submissions of the last day, which is today unless `to` names another.',
  }),
  before: Type.Object(Figures.properties, { description: 'The same over as many days before the range.' }),
};

const WorkspaceStatistics = Type.Object(
  {
    from: Day,
    to: Day,
    totals: Type.Object(Compared),
    days: DAYS,
    forms_count: Type.Integer({ minimum: 0, description: 'Listed forms, and those beyond the limit.' }),
    forms: Type.Array(
      Type.Object({
        id: Type.Integer(),
        slug: Type.String(),
        title: Type.String(),
        visibility: Type.String(),
        is_closed: Type.Boolean(),
        opens_at: Nullable(Type.String({ format: 'date-time' })),
        max_number_of_submissions_reached: Type.Boolean(),
        ...Compared,
      }),
      {
        description: `Forms with the most completed submissions first, ${MAX_LISTED_FORMS.toLocaleString('en')} at most. Drafts only if something was counted; none from the trash.`,
      },
    ),
  },
  { title: 'WorkspaceStatistics' },
);

export const workspaceStatisticsSchema = {
  tags: ['Workspaces'],
  summary: 'Read the statistics of all forms of a workspace',
  description:
    'Forms in the trash do not count. Days are in UTC. Submissions count on the day they were created. At most 366 days; the last 30 when none are named.',
  params: WorkspaceParams,
  querystring: RangeQuery,
  response: { 200: WorkspaceStatistics },
};
