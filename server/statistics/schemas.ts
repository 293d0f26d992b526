import Type from 'typebox';
import { FormParams } from '../access/form-params.ts';
import { Nullable } from '../http/nullable.ts';
import { Refusal } from '../http/problem.ts';

/** As many as a form may have, and as long as their ids may be. */
const MAX_FIELDS = 500;
const MAX_ID_LENGTH = 64;
/** A day. */
const MAX_TIME_MS = 86_400_000;

const Index = Type.Integer({ minimum: 0 });
const Count = Type.Integer({ minimum: 0 });
const Day = Type.String({ description: '`YYYY-MM-DD`, UTC' });

export const progressSchema = {
  tags: ['Public'],
  summary: 'Tell how far a visit has come',
  description:
    'Sent by the page of a form, with what is new since its last call. Only counted: no answers, nothing that names ' +
    'the visit. What the form does not have is passed over.',
  params: Type.Object({ form: Type.String({ description: 'Slug or UUID' }) }),
  body: Type.Object({
    started: Type.Optional(Type.Boolean({ description: 'The first answer was given.' })),
    steps: Type.Optional(
      Type.Array(Index, {
        maxItems: MAX_FIELDS,
        description: 'Steps shown for the first time, but for the first.',
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
          description: 'Milliseconds that fields took, by their ids. Told once, when the form was sent.',
        },
      ),
    ),
  }),
  consumes: ['application/json', 'text/plain'],
  response: { 204: Type.Null(), 404: Refusal('`form_not_found`') },
};

const Sources = Type.Object({
  none: Type.Integer({ description: 'Completed submissions without the key.' }),
  values: Type.Array(Type.Object({ value: Type.String(), completed: Count })),
  other: Count,
});

export const Statistics = Type.Object(
  {
    from: Day,
    to: Day,
    totals: Type.Object({
      views: Count,
      starts: Type.Integer({ minimum: 0, description: 'Visits in which something was answered.' }),
      completed: Count,
      partial: Count,
      completion_rate: Nullable(
        Type.Number({ description: 'Completed submissions per start, at most 1; null without starts.' }),
      ),
      median_completion_time: Nullable(
        Type.Number({ description: 'Seconds; exact below 1,000, then to three digits.' }),
      ),
      average_completion_time: Nullable(Type.Number({ description: 'Seconds.' })),
    }),
    days: Type.Array(
      Type.Object({ date: Day, views: Count, starts: Count, completed: Count, partial: Count }),
      { description: 'Every day of the range.' },
    ),
    devices: Type.Array(Type.Object({ device: Type.String(), views: Count })),
    referrers: Type.Object(
      {
        direct: Count,
        hosts: Type.Array(Type.Object({ host: Type.String(), views: Count })),
        other: Count,
      },
      { description: 'Views by the site that led to the form or shows it; the 50 most frequent by name.' },
    ),
    sources: Type.Object(
      { utm_source: Sources, utm_medium: Sources, utm_campaign: Sources },
      { description: 'Completed submissions by attribution; the 50 most frequent values of each key.' },
    ),
    steps: Type.Array(
      Type.Object({
        index: Index,
        reached: Type.Integer({ minimum: 0, description: 'Visits that were shown the step.' }),
        left: Type.Integer({
          minimum: 0,
          description: 'Visits that ended there, as far as pages could tell.',
        }),
      }),
      { description: 'Of the form as it is now.' },
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
              'Seconds, to a tenth and one at least, that it took visits which sent the form: the geometric mean, near the median. Null where none told.',
          }),
        ),
      }),
      { description: 'Of the form as it is now.' },
    ),
  },
  { title: 'Statistics' },
);

export const statisticsSchema = {
  tags: ['Forms'],
  summary: 'Read what was counted of a form',
  description:
    'Days are days in UTC; submissions count on the day they were created. At most 731 days, the last 30 when none are named.',
  params: FormParams,
  querystring: Type.Object({
    from: Type.Optional(Type.String({ description: 'First day, `YYYY-MM-DD`' })),
    to: Type.Optional(Type.String({ description: 'Last day, `YYYY-MM-DD`' })),
  }),
  response: { 200: Statistics },
};
