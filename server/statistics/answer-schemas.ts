import Type from 'typebox';
import { FormParams } from '../access/form-params.ts';
import { Nullable } from '../http/nullable.ts';

const Count = Type.Integer({ minimum: 0 });
const Day = Type.String({ description: '`YYYY-MM-DD`, UTC' });
const Other = Type.Integer({ minimum: 0, description: 'Answers whose value is not named.' });

/** Of one question. */
const FIGURES = {
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  answered: Type.Integer({
    minimum: 0,
    description: 'Submissions with an answer; of questions that are repeated, entries.',
  }),
  values: Type.Optional(
    Type.Array(Type.Object({ value: Type.String(), count: Count }), {
      description:
        'Of selects, checkboxes, ratings and scales: the 100 most frequent values. A submission counts with each of its values.',
    }),
  ),
  cells: Type.Optional(
    Type.Array(Type.Object({ row: Type.String(), column: Type.String(), count: Count }), {
      description: 'Of matrices: the 1,000 most frequent.',
    }),
  ),
  other: Type.Optional(Other),
  numbers: Type.Optional(
    Nullable(
      Type.Object({
        sum: Type.Number(),
        mean: Type.Number(),
        min: Type.Number({ description: 'To four digits, of scales to twelve, as is `max`.' }),
        max: Type.Number(),
        histogram: Type.Array(Type.Object({ from: Type.Number(), to: Type.Number(), count: Count }), {
          description: 'About 20 bins of one width; a number equal to `to` is in the next.',
        }),
      }),
    ),
  ),
  months: Type.Optional(
    Type.Array(Type.Object({ month: Type.String({ description: '`YYYY-MM`' }), count: Count }), {
      description: 'Of dates, a range by its first day. The 1,000 most frequent.',
    }),
  ),
  ranking: Type.Optional(
    Type.Array(
      Type.Object({
        value: Type.String(),
        mean: Type.Number({ description: 'Its average place, 1 being the first.' }),
        first: Type.Integer({ minimum: 0, description: 'How often it was first.' }),
        count: Type.Integer({ minimum: 0, description: 'Answers in which it was ranked.' }),
      }),
      { description: 'Of rankings: their options, the best first.' },
    ),
  ),
  files: Type.Optional(Type.Integer({ minimum: 0, description: 'Files in all answers.' })),
};

const AnswerStatistics = Type.Object(
  {
    from: Day,
    to: Day,
    status: Type.String({ description: '`completed`, `partial` or `all`' }),
    submissions: Type.Integer({ minimum: 0, description: 'All that were counted, answered or not.' }),
    uncounted: Type.Integer({
      minimum: 0,
      description:
        'Newest submissions of the form, of any day, that are in none of these numbers yet; they are counted in the background. 0: the numbers are exact.',
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
                  description: 'How many answers have so many entries.',
                }),
              },
              { description: 'Of repeated questions; null without an answer.' },
            ),
          ),
        ),
        questions: Type.Optional(
          Type.Array(Type.Object(FIGURES), {
            description: 'Of repeated questions: each of them, every entry counting for itself.',
          }),
        ),
      }),
      { description: 'Of the form as it is now.' },
    ),
  },
  { title: 'AnswerStatistics' },
);

export const answerStatisticsSchema = {
  tags: ['Forms'],
  summary: 'Read what was answered, field by field',
  description:
    'Submissions count on the day they were created (UTC). At most 731 days, the last 30 when none are named.',
  params: FormParams,
  querystring: Type.Object({
    from: Type.Optional(Type.String({ description: 'First day, `YYYY-MM-DD`' })),
    to: Type.Optional(Type.String({ description: 'Last day, `YYYY-MM-DD`' })),
    status: Type.Optional(
      Type.String({ description: '`completed` unless told otherwise, `partial` or `all`' }),
    ),
  }),
  response: { 200: AnswerStatistics },
};
