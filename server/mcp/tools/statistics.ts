import Type from 'typebox';
import { FormName, type Tool, tool } from '../tool.ts';
import { pathOf, texts } from './forms.ts';

const Day = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'YYYY-MM-DD in UTC. The last 30 days when none is named; at most 731 days.',
});
const RANGE = { from: Type.Optional(Day), to: Type.Optional(Day) };

export const STATISTICS_TOOLS: Tool[] = [
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
