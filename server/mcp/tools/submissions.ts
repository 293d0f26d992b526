import Type from 'typebox';
import { cut } from '../../../fields/texts/cut.ts';
import { reviewSchema, State } from '../../submissions/reviews/schemas.ts';
import { Moment } from '../../submissions/schemas.ts';
import type { Api } from '../api.ts';
import { entryNames, type FormAnswer, questionId, questionNames, renameEntries } from '../form-view.ts';
import { FormName, limitUpTo, type Tool, tool } from '../tool.ts';
import { pathOf, readForm, texts } from './forms.ts';

/** Characters of one text in a list; get_submission returns it whole. */
const MAX_TEXT_IN_LIST = 500;
/** Members that the API puts beside the answers. */
const NO_ANSWERS = new Set(['status', 'created_at', 'id', 'submission_id']);

const Question = Type.String({ description: 'The id of a question, or its name.' });
const SubmissionName = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  // Excludes other routes at this place of the path: a stream of events would not end.
  pattern: '^(?:[0-9]{1,16}|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$',
  description: 'Numeric id or UUID of the submission.',
});
const Status = Type.Enum(['completed', 'partial', 'all'], { default: 'completed' });

interface Submission {
  id: number;
  submission_id: string;
  status: string;
  data: Record<string, unknown>;
  completion_time: number | null;
  created_at: string;
  updated_at: string;
  ending: object | null;
  review?: object;
  meta?: { attribution: unknown };
}

interface SubmissionChange {
  changed_at: string;
  by: string;
  author: { name: string } | null;
  answers: Record<string, { before: unknown; after: unknown }>;
}

export const SUBMISSION_TOOLS: Tool[] = [
  tool({
    name: 'list_submissions',
    title: 'List and search submissions',
    description:
      'Lists submissions of a form, newest first, with their answers by the name of the question. They can be ' +
      'searched by text, and filtered by time, by answers, by the ending that was reached and by the decision of the team (review). ' +
      'Texts of more than 500 characters are cut and end with …; get_submission has them whole. When there is a "next_cursor", ' +
      'call again with it as "cursor" and everything else the same. For counts and averages use ' +
      'get_answer_statistics instead of reading everything.',
    ability: 'forms-read',
    effect: 'reads',
    holdsForeignText: true,
    input: Type.Object({
      form: FormName,
      search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of any answer.' })),
      status: Status,
      review: Type.Optional(State),
      ending: Type.Optional(
        Type.String({
          maxLength: 64,
          description: 'Id of an ending that was reached; none: those that reached none.',
        }),
      ),
      from: Type.Optional(Moment),
      to: Type.Optional(Moment),
      filters: Type.Optional(
        Type.Array(
          Type.Object(
            {
              question: Question,
              operator: Type.String({
                default: 'equals',
                pattern: '^[a-z_]{1,40}$',
                description:
                  'equals, does_not_equal, contains, does_not_contain, is_empty, is_not_empty; of numbers ' +
                  'greater_than, less_than, greater_than_or_equal_to, less_than_or_equal_to; of dates after, before, ' +
                  'on_or_after, on_or_before.',
              }),
              value: Type.String({ default: '', maxLength: 1_000 }),
            },
            { additionalProperties: false },
          ),
          { maxItems: 20, description: 'All of them must hold.' },
        ),
      ),
      questions: Type.Optional(
        Type.Array(Question, { maxItems: 500, description: 'Only the answers to these; all when absent.' }),
      ),
      sort: Type.Optional(
        Type.String({ maxLength: 255, description: 'created_at, updated_at, or a question.' }),
      ),
      order: Type.Optional(Type.Enum(['asc', 'desc'])),
      cursor: Type.Optional(Type.String({ maxLength: 2_000 })),
      limit: limitUpTo(50, 20),
    }),
    async run(api, { form, filters = [], questions, sort, limit, order = 'desc', ...query }) {
      const found = await readForm(api, form);
      const names = questionNames(found);
      const compared = filters.map(({ question, operator, value }): [string, string] => [
        `filter[${questionId(names, question)}][${operator}]`,
        value,
      ]);
      const place = { order, sort: sort && questionId(names, sort), per_page: limit, total: true };
      const { data, meta } = await api('GET', `${pathOf(form)}/submissions`, {
        query: [...Object.entries(texts({ ...query, ...place })), ...compared],
      });
      const wanted = questions && new Set(questions.map((question) => questionId(names, question)));
      return {
        total: meta.total,
        ...(meta.total_is_capped && { total_is_capped: true }),
        submissions: data.map((one: Submission) => ({
          id: one.id,
          status: one.status,
          created_at: one.created_at,
          ...(one.ending && { ending: one.ending }),
          ...(one.review && { review: one.review }),
          answers: answersOf(one, found, (id) => !wanted || wanted.has(id), shortened),
        })),
        ...(meta.next_cursor !== null && { next_cursor: meta.next_cursor }),
      };
    },
  }),
  tool({
    name: 'get_submission',
    title: 'Read a submission',
    description:
      'Reads one submission with all its answers, uncut, by the name of the question, with its former answers, ' +
      'latest change first, and with the decisions and notes of the team.',
    ability: 'forms-read',
    effect: 'reads',
    holdsForeignText: true,
    input: Type.Object({
      form: FormName,
      submission: SubmissionName,
    }),
    async run(api, { form, submission }) {
      const asked = await readForm(api, form);
      const path = `${pathOf(form)}/submissions/${submission}`;
      const found: Submission = await api('GET', path);
      const { id, submission_id, status, created_at, updated_at, completion_time, ending, review, meta } =
        found;
      const answers = wholeAnswers(found, asked);
      return {
        id,
        submission_id,
        status,
        created_at,
        updated_at,
        completion_time,
        ending,
        answers,
        ...(updated_at !== created_at && { changes: await readChanges(api, path, asked) }),
        ...(review && { review: await api('GET', `${path}/review`) }),
        ...(meta && { attribution: meta.attribution }),
      };
    },
  }),
  tool({
    name: 'review_submission',
    title: 'Decide about a submission, or write a note',
    description:
      'Sets the review state of a submission for the members of the workspace, with or without a note, or adds only ' +
      'a note. The history keeps earlier decisions; nobody outside is told.',
    ability: 'forms-write',
    effect: 'adds',
    input: Type.Object({
      form: FormName,
      submission: SubmissionName,
      ...reviewSchema.body.properties,
    }),
    run: (api, { form, submission, ...body }) =>
      api('POST', `${pathOf(form)}/submissions/${submission}/review`, { body }),
  }),
  tool({
    name: 'check_answers',
    title: 'Check answers without storing them',
    description:
      'Checks whether a published form would take these answers, and lists what is wrong with them. Nothing is ' +
      'stored or sent. Good for trying out a new form.',
    ability: 'forms-read',
    effect: 'reads',
    input: Type.Object({
      form: FormName,
      answers: Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'Values by the id or the name of the question: a text, a number, true, or a list.',
        },
      ),
    }),
    async run(api, { form, answers }: { form: string | number; answers: Record<string, unknown> }) {
      const found: FormAnswer = await readForm(api, form);
      const names = questionNames(found);
      const inside = entryNames(found);
      const body = Object.fromEntries(
        Object.entries(answers).map(([question, value]) => {
          const id = questionId(names, question);
          const asked = inside.get(id);
          return [id, asked ? renameEntries(value, (member) => questionId(asked, member)) : value];
        }),
      );
      await api('POST', `/forms/${found.slug}/answer`, { body, headers: { precognition: 'true' } });
      return { accepted: true };
    },
  }),
];

/** Whole answers before and after each change, for the changed fields. */
async function readChanges(api: Api, path: string, form: FormAnswer) {
  const { changes }: { changes: SubmissionChange[] } = await api('GET', `${path}/changes`);
  return changes.map(({ changed_at, by, author, answers }) => {
    const side = (which: 'before' | 'after') => {
      const data = Object.fromEntries(Object.entries(answers).map(([id, pair]) => [id, pair[which]]));
      return wholeAnswers({ data }, form);
    };
    return {
      changed_at,
      by,
      ...(author && { author: author.name }),
      before: side('before'),
      after: side('after'),
    };
  });
}

function wholeAnswers(submission: Pick<Submission, 'data'>, form: FormAnswer) {
  return answersOf(
    submission,
    form,
    () => true,
    (value) => value,
  );
}

function answersOf(
  { data }: Pick<Submission, 'data'>,
  form: FormAnswer,
  isWanted: (id: string) => boolean,
  shown: (value: unknown) => unknown,
) {
  const names = questionNames(form);
  const inside = entryNames(form);
  const answers = Object.entries(data).filter(([id]) => isWanted(id) && !NO_ANSWERS.has(id));
  return Object.fromEntries(
    answers.map(([id, value]) => {
      const named = renameEntries(value, (member) => inside.get(id)?.get(member) ?? member);
      return [names.get(id) ?? id, shown(named)];
    }),
  );
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, MAX_TEXT_IN_LIST);
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]));
}
