import type { BrowserContextOptions, Page } from 'playwright-core';
import type { TestBrowser } from '../setup/browser.ts';
import type { TestUser } from '../setup/factories.ts';
import type { Home } from '../setup/home.ts';
import { prepareRows } from '../setup/prepare-rows.ts';
import { signedInPage } from './screens.ts';

export const ID = {
  name: 'f0000000-0000-4000-8000-000000000001',
  email: 'f0000000-0000-4000-8000-000000000002',
  stars: 'f0000000-0000-4000-8000-000000000003',
  topics: 'f0000000-0000-4000-8000-000000000004',
  story: 'f0000000-0000-4000-8000-000000000005',
  agreed: 'f0000000-0000-4000-8000-000000000006',
  day: 'f0000000-0000-4000-8000-000000000007',
  grid: 'f0000000-0000-4000-8000-000000000008',
  count: 'f0000000-0000-4000-8000-000000000009',
};

export interface Opening {
  /** The address after the list: an open response, or a filter. */
  path?: string;
  /** By default Ada. */
  person?: TestUser;
  device?: BrowserContextOptions;
}

export async function openResponses(
  browser: TestBrowser,
  home: Home,
  form: { id: number },
  { path = '', person = home.ada, device }: Opening = {},
): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, person, device);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/responses${path}`);
  return page;
}

/** A form with fields of many types. */
export function aSurvey(home: Home, overrides: Record<string, unknown> = {}) {
  const field = (id: string, type: string, name: string, options = {}) => ({
    id,
    type,
    name,
    hidden: false,
    required: false,
    ...options,
  });
  return home.form({
    title: 'Visitor survey',
    properties: [
      field(ID.name, 'text', 'Your name', { required: true }),
      field(ID.email, 'email', 'E-mail address'),
      field(ID.stars, 'rating', 'How was it?'),
      field(ID.topics, 'multi_select', 'What did you see?', {
        multi_select: { options: ['Paintings', 'Sculptures', 'Garden'].map((name) => ({ id: name, name })) },
      }),
      field(ID.story, 'rich_text', 'Tell us more'),
      field(ID.agreed, 'checkbox', 'May we write to you?'),
      field(ID.day, 'date', 'Day of the visit'),
      field(ID.grid, 'matrix', 'Staff', { rows: ['Desk', 'Café'], columns: ['Good', 'Bad'] }),
      field(ID.count, 'number', 'Party size'),
    ],
    ...overrides,
  });
}

/** Adds `count` completed responses of the last thirty days to the survey; `Visitor 1` is the oldest. */
export async function seed(home: Home, formId: number, count: number): Promise<void> {
  await prepareRows(
    home.service,
    [
      `insert into submissions (form_id, public_id, status, data, completion_time, created_at, updated_at)
       select $1, gen_random_uuid(), 'completed',
         jsonb_build_object(
           '${ID.name}', case when n % 50 = 0 then 'زائر رقم ' || n else 'Visitor ' || n end,
           '${ID.email}', 'visitor' || n || '@example.com',
           '${ID.stars}', n % 5 + 1,
           '${ID.topics}', case when n % 2 = 0 then '["Paintings","Garden"]'::jsonb else '["Sculptures"]'::jsonb end,
           '${ID.story}', '<p>It was <strong>fine</strong>. ' || repeat('A long story. ', n % 30) || '</p>',
           '${ID.agreed}', n % 3 = 0,
           '${ID.day}', '2026-05-' || lpad((n % 28 + 1)::text, 2, '0'),
           '${ID.grid}', '{"Desk":"Good","Café":"Bad"}'::jsonb,
           '${ID.count}', n),
         n % 300 + 20, at, at
       from generate_series(1, $2::int) n,
         lateral (select now() - interval '1 hour' - (($2::int - n) * interval '29 days' / $2::int) as at) t`,
      [formId, count],
    ],
    [
      `insert into form_counters (form_id, completed_count) values ($1, $2)
       on conflict (form_id) do update set completed_count = form_counters.completed_count + $2`,
      [formId, count],
    ],
  );
}
