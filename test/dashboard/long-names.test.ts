import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();
const LONG = 'W'.repeat(120);
let formPath: string;
let responseId: string;

beforeAll(async () => {
  const options = [{ id: 'a', name: LONG }];
  const seen = aField('02', 'multi_select', LONG, { multi_select: { options } });
  const grid = aField('03', 'matrix', LONG, { rows: [LONG], columns: [LONG] });
  const order = aField('04', 'ranking', LONG, { ranking: { options } });
  const form = await home.form({ title: LONG, properties: [aField('01', 'text', LONG), seen, grid, order] });
  const answers = { [seen.id]: [LONG], [grid.id]: { [LONG]: LONG } };
  responseId = (await home.submit(form, answers)).body.submission_id;
  formPath = `/workspaces/${home.workspaceId}/forms/${form.id}`;
  const token = { name: LONG, abilities: ['forms-read'] };
  await home.service.request('POST', '/settings/tokens', { cookie: home.ada.cookie, body: token });
});

const SCREENS: [string, () => string, (page: Page) => Promise<void>][] = [
  ['access tokens', () => '/account/tokens', (page: Page) => page.getByText(LONG).waitFor()],
  [
    'settings',
    () => `${formPath}/settings?part=advanced`,
    (page: Page) => page.getByRole('checkbox', { name: LONG }).first().waitFor(),
  ],
  [
    'a condition',
    () => `${formPath}/integrations/new?provider=webhook`,
    (page: Page) => page.getByRole('button', { name: 'Add a condition' }).click(),
  ],
  [
    'code to embed',
    () => `${formPath}/share?part=embed`,
    (page: Page) => page.getByText('Fill in from the address').click(),
  ],
  [
    'people to add',
    () => `${formPath}/share?part=personal`,
    async (page: Page) => {
      await page.getByRole('button', { name: 'Add people' }).first().click();
      await page.getByRole('dialog').getByRole('textbox').fill(`name,${LONG}W\nAda,x`);
      await page.getByText('Columns that fill in no question').waitFor();
    },
  ],
  [
    'a prefilled link',
    () => `${formPath}/share?part=prefill`,
    (page: Page) => page.getByText('Visitors can change them').waitFor(),
  ],
  [
    'a response',
    () => `${formPath}/responses/${responseId}`,
    (page: Page) => page.getByRole('dialog').getByText('About this response').waitFor(),
  ],
  [
    'a response while it is changed',
    () => `${formPath}/responses/${responseId}`,
    (page: Page) => page.getByRole('button', { name: 'Edit' }).click(),
  ],
];

test.each(SCREENS)('names of one endless word fit a phone: %s', async (_, path, act) => {
  const page = await signedInPage(browser, home.service.url, home.ada, PHONE);
  await page.goto(home.service.url + path());
  await act(page);
  const excess = await page.evaluate(() => {
    const parts = [
      document.documentElement,
      ...document.querySelectorAll('[role=dialog], [role=dialog] .overflow-y-auto'),
    ];
    return parts.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  });
  expect(Math.max(...excess)).toBeLessThanOrEqual(0);
});

test('a title as long as a title may be leaves the screen to what it names', async () => {
  const title = 'What our members think of us '.repeat(8).trim();
  const form = await home.form({ title });
  const page = await signedInPage(browser, home.service.url, home.ada, PHONE);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/responses`);
  const tabs = page.getByRole('navigation', { name: 'Form' });
  await tabs.waitFor();
  const { y, height } = (await tabs.boundingBox())!;
  expect(y + height).toBeLessThan(300);
  // The full name is still available.
  await page.getByTitle(title).waitFor();
  expect(await page.title()).toContain(title);
});

test('on a phone a response tells its whole time', async () => {
  const page = await signedInPage(browser, home.service.url, home.ada, PHONE);
  await page.goto(`${home.service.url}${formPath}/responses/${responseId}`);
  const time = page.getByRole('dialog').getByRole('heading', { level: 2 }).first();
  await time
    .getByText(/\d (AM|PM)/)
    .first()
    .waitFor();
  const { scrollWidth, clientWidth } = await time.evaluate(({ scrollWidth, clientWidth }) => ({
    scrollWidth,
    clientWidth,
  }));
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
});

test('forms whose titles begin alike are told apart in the list on a small laptop', async () => {
  const titles = [1, 2].map((part) => `What our members think of us, part ${part}`);
  const ordinary = 'Feedback on the spring exhibition';
  for (const title of [...titles, ordinary]) await home.form({ title });
  const page = await signedInPage(browser, home.service.url, home.ada, {
    viewport: { width: 1024, height: 700 },
  });
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms`);
  for (const title of titles) {
    const link = page.getByRole('link', { name: title });
    await link.waitFor();
    const cut = await link.evaluate((box) => [
      box.scrollHeight - box.clientHeight,
      box.scrollWidth - box.clientWidth,
    ]);
    expect(Math.max(...cut), title).toBeLessThanOrEqual(0);
  }
  const lines = await page
    .getByRole('link', { name: ordinary })
    .evaluate((box) => box.clientHeight / Number.parseFloat(getComputedStyle(box).lineHeight));
  expect(lines).toBe(1);
});
