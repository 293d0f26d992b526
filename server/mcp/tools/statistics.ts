import Type from 'typebox';
import { FormName, limitUpTo, PositiveId, type Tool, tool } from '../tool.ts';
import { pathOf, texts } from './forms.ts';

const Day = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'YYYY-MM-DD in UTC. The last 30 days when none is named; at most 731 days.',
});
const RANGE = { from: Type.Optional(Day), to: Type.Optional(Day) };

export const STATISTICS_TOOLS: Tool[] = [
  tool({
    name: 'get_workspace_overview',
    title: 'Read what came in to all forms of a workspace',
    description:
      'Reads views, starts, completed and partial submissions of all forms of a workspace together, per day and per form, ' +
      'each compared with as many days before; and what needs attention: integrations that stopped or fail, forms that are ' +
      'full or close soon, submissions to review, suspected spam. At most 366 days.',
    ability: 'forms-read',
    effect: 'reads',
    input: Type.Object({
      workspace_id: PositiveId,
      ...RANGE,
      limit: { ...limitUpTo(50, 20), description: 'Forms, those with the most submissions first.' },
    }),
    async run(api, { workspace_id, limit, ...range }) {
      const path = `/open/workspaces/${workspace_id}`;
      const [{ forms, ...statistics }, { data }] = await Promise.all([
        api('GET', `${path}/statistics`, { query: texts(range) }),
        api('GET', `${path}/attention`),
      ]);
      return { ...statistics, forms: forms.slice(0, limit), needs_attention: data };
    },
  }),
  tool({
    name: 'get_statistics',
    title: 'Read what was counted of a form',
    description:
      'Reads views, starts, completed and partial submissions of a form, in all and per day, completion rate and ' +
      'time, where visits came from, on which devices, and at which step and question they left.',
    ability: 'forms-read',
    effect: 'reads',
    // Referrers and sources come from visitors.
    holdsForeignText: true,
    input: Type.Object({ form: FormName, ...RANGE }),
    run: (api, { form, ...range }) => api('GET', `${pathOf(form)}/statistics`, { query: texts(range) }),
  }),
  tool({
    name: 'get_answer_statistics',
    title: 'Read what was answered, question by question',
    description:
      'Reads for each question how often it was answered and, by its type, how often each option was chosen, the ' +
      'average, least and most of numbers, dates by month, the average place in rankings, and for repeated questions ' +
      'how many entries there are and what they say. The service counts all submissions of the days: right where a ' +
      'sample of list_submissions is not.',
    ability: 'forms-read',
    effect: 'reads',
    holdsForeignText: true,
    input: Type.Object({
      form: FormName,
      ...RANGE,
      status: Type.Enum(['completed', 'partial', 'all'], { default: 'completed' }),
    }),
    run: (api, { form, ...query }) =>
      api('GET', `${pathOf(form)}/statistics/fields`, { query: texts(query) }),
  }),
];
