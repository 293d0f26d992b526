import { connect } from '../../examples/star-wars-survey/client.ts';
import type { Visit } from './visits.ts';

export interface MadeForm {
  id: number;
  slug: string;
}

export const BROWSERS = {
  desktop: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  phone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  tablet:
    'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/604.1',
};
const FIRST_PAGE = ['name', 'mail', 'found', 'seen', 'party'];
const LAST_PAGE = ['stars', 'recommend', 'best'];
/** Fields that take longer than others, with the factor. */
const SLOWER: Record<string, number> = { mail: 2, best: 4, better: 7 };

/** Makes visits one after another, as browsers would. */
export async function play(service: URL, { slug }: MadeForm, visits: Visit[]): Promise<void> {
  const visitor = connect(service.href);
  for (const visit of visits) {
    const headers = { 'user-agent': BROWSERS[visit.device] };
    await visitor.send('GET', `/forms/${slug}`, undefined, {
      ...headers,
      accept: 'text/html',
      ...(visit.referrer !== null && { referer: visit.referrer }),
    });
    const { isStarted, reachesLastPage, end, answers, completionTime, source } = visit;
    const fields = Object.keys(answers).filter((id) => answers[id] !== null);
    const isAnswered = (id: string) => fields.includes(id) && (FIRST_PAGE.includes(id) || reachesLastPage);
    const left =
      end === 'sent' ? { times: timesOf(fields, completionTime) } : { left: reachesLastPage ? 1 : 0 };
    const progress = isStarted
      ? {
          started: true,
          steps: reachesLastPage ? [1] : [],
          fields: [...FIRST_PAGE, ...LAST_PAGE, 'better', 'write'].filter(isAnswered),
        }
      : {};
    await visitor.send('POST', `/forms/${slug}/progress`, { ...progress, ...left }, headers);
    const told = source === null ? {} : { tracking_parameters: source };
    if (end === 'sent')
      await visitor.send('POST', `/forms/${slug}/answer`, {
        ...answers,
        ...told,
        completion_time: completionTime,
      });
    else if (end === 'partial')
      await visitor.send('POST', `/forms/${slug}/answer`, { ...answers, ...told, is_partial: true });
  }
}

/**
 * Milliseconds spent on each field.
 * @param completionTime in seconds
 */
function timesOf(fields: string[], completionTime: number): Record<string, number> {
  const parts = fields.map((id) => SLOWER[id] ?? 1);
  const part = (completionTime * 1_000) / parts.reduce((sum, one) => sum + one, 0);
  return Object.fromEntries(fields.map((id, at) => [id, Math.ceil(part * (parts[at] ?? 1))]));
}

const SCHOOLS = [
  ['Linden School', 'linden'],
  ['Harbour Primary', 'harbour'],
  ['School at the Mill', 'mill'],
  ['Marie Curie School', 'curie'],
  ['Hillside College', 'hillside'],
];
const TOURS = ['The river and the town', 'Painting with light', 'From stone to statue'];

/** Submits answers to the other forms. */
export async function answerOthers(service: URL, forms: Record<string, MadeForm>): Promise<void> {
  const answers: [string, number, object | ((place: number) => object)][] = [
    ['concert', 74, { name: 'Mira Keller', seats: 2 }],
    ['volunteers', 19, { name: 'Noah Fischer', area: 'Garden' }],
    ['arabic', 28, { name: 'ليلى حداد', stars: 5 }],
    [
      'schools',
      41,
      (place) => {
        const [school, mail] = SCHOOLS[place % SCHOOLS.length] as [string, string];
        const tour = TOURS[place % TOURS.length];
        return { school, mail: `office@${mail}.example`, pupils: 17 + ((place * 5) % 14), tour };
      },
    ],
  ];
  for (const [key, count, answer] of answers) {
    const { slug } = forms[key] as MadeForm;
    const visitor = connect(service.href);
    for (let visit = 0; visit < count * 2; visit++)
      await visitor.send('GET', `/forms/${slug}`, undefined, {
        accept: 'text/html',
        'user-agent': BROWSERS.phone,
      });
    for (let sent = 0; sent < count; sent++)
      await visitor.send(
        'POST',
        `/forms/${slug}/answer`,
        typeof answer === 'function' ? answer(sent) : answer,
      );
  }
}
