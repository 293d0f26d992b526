import Type from 'typebox';
import { FormParams } from '../access/path-params.ts';
import { Nullable } from '../http/schemas/nullable.ts';

const Count = Type.Integer({ minimum: 0 });
const Day = Type.String({ description: '`YYYY-MM-DD`, UTC' });
const Other = Type.Integer({ minimum: 0, description: 'Answers with other values than those listed.' });

/** Figures of one question. */
const FIGURES = {
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  answered: Type.Integer({
    minimum: 0,
    description: 'Submissions with an answer; entries with an answer for repeated questions.',
  }),
  values: Type.Optional(
    Type.Array(Type.Object({ value: Type.String(), count: Count }), {
      description:
        'For selects, checkboxes, ratings and scales: the 100 most frequent values. A submission counts with each of its values.',
    }),
  ),
  cells: Type.Optional(
    Type.Array(Type.Object({ row: Type.String(), column: Type.String(), count: Count }), {
      description: 'For matrices: the 1,000 most frequent cells.',
    }),
  ),
  other: Type.Optional(Other),
  numbers: Type.Optional(
    Nullable(
      Type.Object({
        sum: Type.Number(),
        mean: Type.Number(),
        min: Type.Number({ description: 'Rounded to four digits, for scales to twelve; so is `max`.' }),
        max: Type.Number(),
        histogram: Type.Array(Type.Object({ from: Type.Number(), to: Type.Number(), count: Count }), {
          description: 'About 20 bins of equal width; a number equal to `to` falls into the next.',
        }),
      }),
    ),
  ),
  months: Type.Optional(
    Type.Array(Type.Object({ month: Type.String({ description: '`YYYY-MM`' }), count: Count }), {
      description: 'For dates; a range counts by its first day. The 1,000 most frequent.',
    }),
  ),
  ranking: Type.Optional(
    Type.Array(
      Type.Object({
        value: Type.String(),
        mean: Type.Number({ description: 'Average place of the option, from 1.' }),
        first: Type.Integer({ minimum: 0, description: 'How often the option was first.' }),
        count: Type.Integer({ minimum: 0, description: 'Answers that rank the option.' }),
      }),
      { description: 'For rankings: the options, best first.' },
    ),
  ),
  files: Type.Optional(Type.Integer({ minimum: 0, description: 'Files in all answers.' })),
};

const AnswerStatistics = Type.Object(
  {
    from: Day,
    to: Day,
    status: Type.String({ description: '`completed`, `partial` or `all`' }),
    submissions: Type.Integer({
      minimum: 0,
      description: 'All counted submissions, whether they answer the field or not.',
    }),
    uncounted: Type.Integer({
      minimum: 0,
      description:
        'Newest submissions of the form, of any day, not counted yet: counting runs in the background. 0: the numbers are exact.',
    }),
    fields: Type.Array(
      Type.Object({
        ...FIGURES,
        entries: Type.Optional(
          Nullable(
            Type.Object(
              {
                total: Count,
                mean: Type.Number({ description: 'Entries per answer.' }),
                min: Count,
                max: Count,
                answers: Type.Array(Type.Object({ entries: Count, count: Count }), {
                  description: 'Answers with this number of entries.',
                }),
              },
              { description: 'For repeated questions; null without an answer.' },
            ),
          ),
        ),
        payments: Type.Optional(
          Type.Array(
            Type.Object({
              amount: Type.Number({ description: 'Sum, in whole units of the currency.' }),
              currency: Type.String(),
              mode: Type.String({ description: '`live` or `test`' }),
              count: Count,
            }),
            {
              description:
                'For the block that asks for money: what was paid for these submissions, by currency and mode. Exact at once.',
            },
          ),
        ),
        questions: Type.Optional(
          Type.Array(Type.Object(FIGURES), {
            description: 'For repeated questions: each of them; every entry counts on its own.',
          }),
        ),
      }),
      { description: 'The steps or fields that the form has now.' },
    ),
  },
  { title: 'AnswerStatistics' },
);

export const answerStatisticsSchema = {
  tags: ['Forms'],
  summary: 'Read answer statistics, field by field',
  description:
    'Submissions count on the day they were created (UTC). At most 731 days; the last 30 when none are named.',
  params: FormParams,
  querystring: Type.Object({
    from: Type.Optional(Type.String({ description: 'First day, `YYYY-MM-DD`' })),
    to: Type.Optional(Type.String({ description: 'Last day, `YYYY-MM-DD`' })),
    status: Type.Optional(
      Type.Enum(['completed', 'partial', 'all'], { description: '`completed` by default.' }),
    ),
  }),
  response: { 200: AnswerStatistics },
};
