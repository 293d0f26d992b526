import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Camera } from './camera.ts';
import type { Museum } from './museum.ts';

const FOLDER = join(import.meta.dirname, '../../docs/screenshots');
const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
const TALL: BrowserContextOptions = { viewport: { width: 1280, height: 1120 } };
const DARK: BrowserContextOptions = { ...DESKTOP, colorScheme: 'dark' };
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
};

/** Takes the main screens of the dashboard for docs/screenshots, and the form pages shown in them. */
export async function takeDashboard(camera: Camera, museum: Museum): Promise<void> {
  const { cookie, workspaceId, surveyId, schoolsId, concertId, integrationId } = museum;
  const workspace = `/workspaces/${workspaceId}`;
  const form = `${workspace}/forms/${surveyId}`;
  const take = (
    name: string,
    path: string,
    act: (page: Page) => Promise<void>,
    options: BrowserContextOptions = DESKTOP,
  ) => camera.take(FOLDER, { name, path, options, cookie, act });

  await take('forms', `${workspace}/forms`, seeForms);
  await take('forms-dark', `${workspace}/forms`, seeForms, DARK);
  await take('forms-phone', `${workspace}/forms`, seeForms, PHONE);
  await take('overview', `${workspace}/overview`, seeOverview, TALL);
  await take('overview-phone', `${workspace}/overview`, scrollTo('Needs attention'), PHONE);
  await take('templates', `${workspace}/forms`, chooseTemplate);
  await take('another-product', `${workspace}/forms`, readForm);
  await take('palette', `${workspace}/forms`, searchPalette);
  await take('builder', `${form}/build`, build);
  await take('builder-logic', `${form}/build`, buildLogic);
  const past = `${workspace}/forms/${concertId}/build/history?version=2`;
  await take('versions', past, seeVersion);
  await take('settings', `${form}/settings?part=appearance`, waitForText('Theme'));
  await take('endings', `${form}/settings?part=after`, scrollTo('Endings for some answers'));
  const languages = `${workspace}/forms/${schoolsId}/settings?part=languages&language=de`;
  await take('languages', languages, scrollTo('Other languages'));
  await take('share', `${form}/share`, waitForText('QR code'));
  const links = `${workspace}/forms/${schoolsId}/share?part=personal`;
  await take('share-personal', links, waitForText('2 of 5 answered'));
  await take('share-embed', `${form}/share?part=embed`, waitForText('Preview'));
  await take('responses', `${form}/responses`, seeResponses);
  await take('response', `${form}/responses`, openResponse);
  await take('review', `${workspace}/forms/${schoolsId}/responses`, openReview);
  await take('responses-phone', `${form}/responses`, seeResponses, PHONE);
  await take('export', `${form}/responses`, openExport);
  await take('analytics', `${form}/analytics`, waitForText('Completion rate'));
  await take('analytics-dark', `${form}/analytics`, waitForText('Completion rate'), DARK);
  await take('analytics-ends', `${form}/analytics`, scrollTo('Answered, by question'));
  await take('integrations', `${form}/integrations`, waitForText('crm.example.org'));
  await take('deliveries', `${form}/integrations/${integrationId}`, waitForText('Last attempt'));
  await take('delivery', `${form}/integrations/${integrationId}`, openDelivery);
  await take('members', `${workspace}/members`, waitForText('katherine@example.com'));
  await take('audit-log', `${workspace}/audit-log`, waitForText('Created a form'));
  await take('personal-data', `${workspace}/personal-data`, findPerson);
  await take('account', '/account/security', waitForText('This one'));
  await take('tokens', '/account/tokens', waitForText('Monthly report'));
  await take('form-phone', '/forms/visitor-survey', async () => {}, PHONE);
  await take('scenarios', `${form}/build/scenarios`, (page) => seeScenarios(page, surveyId));
  // Last, because all later pictures of responses would show the views too.
  await take('saved-views', `${form}/responses`, (page) => openSavedView(page, surveyId));
}

function waitForText(text: string): (page: Page) => Promise<void> {
  return (page) => page.getByText(text).first().waitFor();
}

function scrollTo(text: string): (page: Page) => Promise<void> {
  return async (page) => {
    const place = page.getByRole('heading', { name: text }).first();
    await place.waitFor();
    await place.evaluate((element) => window.scrollBy(0, element.getBoundingClientRect().top - 130));
  };
}

const seeForms = (page: Page) => page.getByRole('link', { name: 'Visitor survey' }).first().waitFor();

async function seeOverview(page: Page): Promise<void> {
  await page.getByText('Needs attention').waitFor();
  await page.locator('svg.recharts-surface').first().waitFor();
}

async function chooseTemplate(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New form' }).click();
  await page.getByRole('radio', { name: 'Event registration' }).check();
}

/** A form in the format of Typeform's API. */
async function readForm(page: Page): Promise<void> {
  const choice = (name: string) => ({ ref: name, label: name });
  const is = (value: string) => ({
    op: 'is',
    vars: [
      { type: 'field', value: 'kind' },
      { type: 'choice', value },
    ],
  });
  const jump = (to: string, value: string) => ({
    action: 'jump',
    details: { to: { type: 'field', value: to } },
    condition: is(value),
  });
  const form = {
    title: 'Call for papers',
    fields: [
      { ref: 'name', type: 'short_text', title: 'What is your name?', validations: { required: true } },
      {
        ref: 'kind',
        type: 'multiple_choice',
        title: 'What do you bring?',
        validations: { required: true },
        properties: { choices: ['A talk', 'A poster', 'Nothing'].map(choice) },
      },
      { ref: 'talk', type: 'long_text', title: 'What is your talk about?', validations: { required: true } },
      { ref: 'stars', type: 'rating', title: 'How was it last year?', properties: { steps: 5 } },
      { ref: 'fee', type: 'payment', title: 'The fee' },
    ],
    thankyou_screens: [],
    logic: [{ ref: 'kind', actions: [jump('stars', 'A poster'), jump('stars', 'Nothing')] }],
  };
  await page.getByRole('button', { name: 'New form' }).click();
  await page.getByRole('tab', { name: 'From another product' }).click();
  await page.getByLabel('Or its JSON, pasted').fill(JSON.stringify(form));
  await page.getByRole('button', { name: 'Check form' }).click();
  await page.getByText('What is not as it was').waitFor();
}

async function searchPalette(page: Page): Promise<void> {
  await seeForms(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search places and forms' }).fill('survey');
  await page
    .getByRole('option', { name: /Visitor survey/ })
    .first()
    .waitFor();
}

async function build(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Title of the form' }).waitFor();
  await preview(page).getByText('Your name').first().waitFor();
}

async function seeVersion(page: Page): Promise<void> {
  const frame = page.frameLocator('iframe[title="Preview of the form"]');
  await frame.getByText('How many seats?').waitFor();
}

async function buildLogic(page: Page): Promise<void> {
  await build(page);
  await page.getByRole('button', { name: 'Settings of What should we do better?' }).click();
  await page.getByRole('tab', { name: 'Logic' }).click();
  const sentence = page.getByText('Show only when').first();
  await sentence.waitFor();
  await sentence.evaluate((element) => element.scrollIntoView({ block: 'center' }));
}

const preview = (page: Page) => page.frameLocator('iframe[title="Preview of the form"]');

async function seeResponses(page: Page): Promise<void> {
  await page.getByRole('table', { name: 'Responses' }).getByRole('row').nth(5).waitFor();
}

async function openResponse(page: Page): Promise<void> {
  await seeResponses(page);
  await page.getByRole('table', { name: 'Responses' }).getByRole('link').nth(2).click();
  await page.getByRole('dialog').getByText('How did you like it?').waitFor();
}

async function openReview(page: Page): Promise<void> {
  await page
    .getByRole('row', { name: /Has issues/ })
    .getByRole('link')
    .click();
  const panel = page.getByRole('dialog');
  await panel.getByRole('button', { name: '2 notes' }).click();
  await panel.getByText('Write a note').scrollIntoViewIfNeeded();
}

async function openExport(page: Page): Promise<void> {
  await seeResponses(page);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('dialog').getByText('What did you see?').first().waitFor();
}

async function openSavedView(page: Page, formId: number): Promise<void> {
  await seeResponses(page);
  const filter = (id: string, operator: string, value: string) => ({ filters: [{ id, operator, value }] });
  const views = [
    { name: 'Unhappy visitors', definition: filter('stars', 'less_than_or_equal_to', '2') },
    { name: 'Large groups', definition: { ...filter('party', 'greater_than', '4'), sort: 'party' } },
    { name: 'Ideas', definition: filter('better', 'is_not_empty', '') },
  ];
  await postAll(page, `/open/forms/${formId}/saved-views`, views);
  await page.reload();
  await page.getByRole('link', { name: 'Unhappy visitors' }).click();
  await page.getByText('found').waitFor();
  await page.getByLabel('Status').selectOption('All');
  await page.getByRole('button', { name: 'Save changes' }).waitFor();
  await seeResponses(page);
}

async function seeScenarios(page: Page, formId: number): Promise<void> {
  const answers = { name: 'Ada', found: 'Friends', stars: 5 };
  const accepted = { outcome: 'accepted' };
  const scenarios = [
    { name: 'Happy visitor', answers, expected: { ...accepted, hidden: ['better'], ending: 'none' } },
    {
      name: 'Lukewarm visitor',
      answers: { ...answers, stars: 4 },
      expected: { ...accepted, shown: ['better'] },
    },
    {
      name: 'Nothing filled in',
      answers: {},
      expected: { outcome: 'refused', errors: ['name', 'found', 'stars'] },
      blocks_publishing: true,
    },
  ];
  await page.getByText('No scenarios yet').waitFor();
  await postAll(page, `/open/forms/${formId}/scenarios`, scenarios);
  await page.reload();
  await page.getByText('1 of 3 fail.').waitFor();
  await page.getByText('Answers', { exact: true }).first().click();
}

/** Makes things by the API, as whoever is signed in. */
function postAll(page: Page, path: string, all: object[]): Promise<void> {
  return page.evaluate(
    async ([to, bodies]) => {
      const headers = { 'content-type': 'application/json' };
      for (const body of bodies) await fetch(to, { method: 'POST', headers, body: JSON.stringify(body) });
    },
    [path, all] as const,
  );
}

async function findPerson(page: Page): Promise<void> {
  await page.getByRole('searchbox').fill('noah.lopez@example.com');
  await page.keyboard.press('Enter');
  await page.getByText(/^Found: /).waitFor();
}

async function openDelivery(page: Page): Promise<void> {
  const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: '2', exact: true }) });
  await row.getByRole('link').first().click();
  await page.getByText('503').first().waitFor();
}
