import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DEFAULTS, embedCode } from '../../dashboard/share/embed-code.ts';
import { htmlForm } from '../../dashboard/share/html-form.ts';
import { parametersOf, prefilledLink } from '../../dashboard/share/prefill.ts';
import { quoted, sampleAnswers } from '../../dashboard/share/sample-answers.ts';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aField, type TestUser } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { expectFine, signedInPage, signInAs } from './screens.ts';

const browser = useBrowser();
const home = useHome();

const GUEST_QUESTIONS = [
  { id: 'who', type: 'text', name: 'Who', required: true },
  { id: 'meal', type: 'select', name: 'Meal', select: { options: [{ name: 'Pasta' }, { name: 'Rice' }] } },
  { id: 'likes', type: 'multi_select', name: 'Likes', options: ['Tea', 'Milk'] },
  { id: 'swims', type: 'checkbox', name: 'Swims' },
];
const QUESTIONS = [
  aField('01', 'text', 'Your <name>', { required: true }),
  aField('02', 'email', 'Your address'),
  aField('03', 'select', 'Topic', { select: { options: [{ name: 'Support' }, { name: 'Sales & "more"' }] } }),
  aField('04', 'multi_select', 'Meals', { multi_select: { options: [{ name: 'Vegan' }, { name: 'Fish' }] } }),
  aField('05', 'date', 'When'),
  aField('06', 'date', 'From and to', { date_range: true }),
  aField('07', 'matrix', 'Rooms', { rows: ['Morning', 'Evening'], columns: ['Small', 'Large'] }),
  aField('08', 'checkbox', 'Newsletter'),
  aField('09', 'scale', 'How much', { scale_min_value: 2, scale_max_value: 9 }),
  aField('10', 'text', 'Campaign', { hidden: true }),
  aField('11', 'text', 'الملاحظات', { multi_lines: true }),
  aField('12', 'phone_number', 'Phone'),
  aField('13', 'rating', 'Stars'),
  aField('14', 'repeat', 'Guests', { entry_name: 'Guest', questions: GUEST_QUESTIONS }),
];
const idOf = (digits: string) => aField(digits, 'text', '').id;

const aSharedForm = (overrides = {}) => home.form({ title: 'Shared', properties: QUESTIONS, ...overrides });

async function open(form: { id: number }, part: string, who: TestUser = home.ada): Promise<Page> {
  const context = await browser.context();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInAs(context, home.service.url, who);
  const page = await context.newPage();
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/share?part=${part}`);
  await page.getByRole('tablist', { name: 'Ways to share' }).waitFor();
  return page;
}

test.each(['link', 'embed', 'prefill', 'html', 'curl'])('%s', async (part) => {
  const page = await open(await aSharedForm(), part);
  if (part === 'embed') await page.locator('iframe').waitFor();
  await expectFine(page, part);
});

test('the link is copied, and taken along as QR code', async () => {
  const form = await aSharedForm();
  const page = await open(form, 'link');
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(form.share_url);
  // The service of the tests has no public address.
  await page.getByText('This link opens on this machine only.').waitFor();
  const download = async (name: string) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name, exact: true }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`${form.slug}.${name.toLowerCase()}`);
    return readFile(await file.path());
  };
  expect((await download('SVG')).toString()).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  const png = await download('PNG');
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(png.readUInt32BE(16)).toBeGreaterThan(300);
});

test('a link with a public address is not doubted', async () => {
  const form = await aSharedForm();
  const { service } = home;
  const context = await browser.context();
  await signInAs(context, service.url, home.ada);
  await context.route(`**/open/forms/${form.id}`, async (route) => {
    const response = await route.fetch();
    const share_url = `https://forms.example.com/forms/${form.slug}`;
    await route.fulfill({ response, json: { ...(await response.json()), share_url } });
  });
  const page = await context.newPage();
  await page.goto(`${service.url}/workspaces/${home.workspaceId}/forms/${form.id}/share`);
  const link = page.getByRole('textbox', { name: 'Public link of the form' });
  await expect.poll(() => link.inputValue()).toMatch(/^https:\/\/forms\.example\.com\//);
  expect(await page.getByText('This link opens on this machine only.').count()).toBe(0);
  await context.unrouteAll({ behavior: 'wait' });
});

test('tabs are reached by the keyboard, and stand in the address', async () => {
  const page = await open(await aSharedForm(), 'link');
  await page.getByRole('tab', { name: 'Link', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(/part=personal/);
  await page.reload();
  await expect
    .poll(() => page.getByRole('tab', { name: 'Personal links' }).getAttribute('aria-selected'))
    .toBe('true');
});

test('the embedded form is seen as it will be, in each mode', async () => {
  const form = await aSharedForm();
  const page = await open(form, 'embed');
  const preview = page.frameLocator('iframe[title="Preview of the embedded form"]');
  const inside = preview.frameLocator('iframe.formstead-frame');
  await inside.getByLabel('Your address').waitFor();
  for (const mode of ['popup', 'slider']) {
    await page.getByLabel('Place').selectOption(mode);
    await page.getByLabel('Words of the link that opens it').fill(`Open the ${mode}`);
    // Until the script of the embedding has run, it is a link that leads away.
    await preview.locator('a[aria-haspopup=dialog]', { hasText: `Open the ${mode}` }).click();
    await preview.locator(`dialog.${mode}[open]`).waitFor();
    await inside.getByLabel('Your address').waitFor();
  }
  await page.getByText('Fill in from the address of the page').click();
  await page.getByRole('checkbox', { name: 'Your address' }).check();
  const code = await page.getByRole('region', { name: 'Embed code' }).innerText();
  expect(code).toContain(`data-formstead="${form.share_url}"`);
  expect(code).toContain('data-mode="slider"');
  expect(code).toContain(`data-prefill="${idOf('02')}"`);
  expect(code).toContain(`<script src="${home.service.url}/embed.js" async></script>`);
  // A preview does not count as a view.
  expect((await home.call('GET', `/open/forms/${form.id}`)).body.views_count).toBe(0);
});

test('a form that opens by itself is seen at once, and its code says when and how often', async () => {
  const form = await aSharedForm();
  const page = await open(form, 'embed');
  const preview = page.frameLocator('iframe[title="Preview of the embedded form"]');
  const inside = preview.frameLocator('iframe.formstead-frame');
  const code = () => page.getByRole('region', { name: 'Embed code' }).innerText();
  await page.getByLabel('Place').selectOption('corner');
  await page.getByLabel('Opened').focus();
  await page.getByLabel('Opened').selectOption('By itself, after 15 seconds');
  await inside.getByLabel('Your address').waitFor();
  // The preview does not take the focus, not even from the person who sets it up.
  expect(await page.evaluate(() => (document.activeElement as HTMLSelectElement).name)).toBe('cues');
  await expectFine(page, 'share-embed-by-itself');
  await expect.poll(code).toContain('data-open="15s"');
  expect(await code()).not.toMatch(/data-again|data-visitors|<a /);
  await page.getByLabel('Opened').selectOption('By itself, when the pointer leaves the page');
  await page.getByText('Phones have no pointer').waitFor();
  await page.getByLabel('Visitors for whom it opens').selectOption('A quarter of them');
  await page.getByLabel('Again after it was closed').selectOption('Never');
  await page.getByLabel('Again after it was sent').selectOption('After 90 days');
  await page.getByLabel('Words of a link that opens it as well').fill('Tell us');
  await expect.poll(code).toContain('data-again="never"\n  data-again-sent="90"\n  data-visitors="25%"');
  expect(await code()).toContain('data-mode="corner"');
  expect(await code()).toContain('data-open="leave"');
  expect(await code()).toContain(`<a href="${form.share_url}">Tell us</a>`);
  // A dialog would take the focus, so the preview opens it by a link.
  await page.getByLabel('Place').selectOption('popup');
  await preview.locator('a[aria-haspopup=dialog]', { hasText: 'Tell us' }).click();
  await inside.getByLabel('Your address').waitFor();
  await page.getByLabel('Opened').selectOption('By a link');
  await expect.poll(code).toContain(`>${form.title}</a>`);
  expect(await code()).not.toContain('data-open');
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('formstead:'))),
  ).toEqual([]);
});

test('a prefilled link fills in the form', async () => {
  const form = await aSharedForm();
  const page = await open(form, 'prefill');
  await page.getByLabel('Your <name>').fill('Ada & Co');
  await page.getByLabel('Topic').selectOption('Sales & "more"');
  await page.getByRole('checkbox', { name: 'Vegan' }).check();
  await page.getByRole('checkbox', { name: 'Fish' }).check();
  await page.getByLabel('When', { exact: true }).fill('2030-01-31');
  await page.getByLabel('From and to: from').fill('2030-02-01');
  await page.getByLabel('From and to: to').fill('2030-02-03');
  await page.getByLabel('Rooms: Evening').selectOption('Large');
  await page.getByRole('checkbox', { name: 'Newsletter' }).check();
  await page.getByLabel('Campaign (hidden)').fill('spring');
  await page.getByLabel('Guests: Guest 1: Who').fill('Ann');
  await page.getByLabel('Guests: Guest 1: Meal').selectOption('Rice');
  await page.getByLabel('Guests: Guest 2: Who').fill('Ben');
  const likes = page.getByRole('group', { name: 'Guests: Guest 2: Likes' });
  for (const one of ['Tea', 'Milk']) await likes.getByRole('checkbox', { name: one }).check();
  await page.getByLabel('utm_source').fill('newsletter');
  await page.getByRole('button', { name: 'Show all keys' }).click();
  await page.getByLabel('gclid').fill('abc');
  const link = await page.getByRole('textbox', { name: 'Prefilled link' }).inputValue();
  const visitor = await browser.page();
  await visitor.goto(link);
  await visitor.getByRole('button', { name: 'Submit' }).click();
  await visitor.waitForURL(/thank-you/);
  const [record] = await home.records(form);
  expect(record.data).toMatchObject({
    [idOf('01')]: 'Ada & Co',
    [idOf('03')]: 'Sales & "more"',
    [idOf('04')]: ['Vegan', 'Fish'],
    [idOf('05')]: '2030-01-31',
    [idOf('06')]: ['2030-02-01', '2030-02-03'],
    [idOf('07')]: { Evening: 'Large' },
    [idOf('08')]: true,
    [idOf('10')]: 'spring',
    [idOf('14')]: [
      { who: 'Ann', meal: 'Rice' },
      { who: 'Ben', likes: ['Tea', 'Milk'] },
    ],
  });
  expect(record.meta.attribution).toEqual({ utm_source: 'newsletter', gclid: 'abc' });
});

test('parameters without a value leave the link as it is', () => {
  expect(prefilledLink('https://x.example/forms/a', { a: '', b: [] })).toBe('https://x.example/forms/a');
  expect(parametersOf(QUESTIONS[6] as never).map(([name]) => name)).toEqual([
    `${idOf('07')}[Morning]`,
    `${idOf('07')}[Evening]`,
  ]);
});

test('hidden repeated questions are said to be hidden at each parameter, and are named once', () => {
  const [guests] = QUESTIONS.slice(-1).map((last) => ({ ...last, entry_name: undefined, hidden: true }));
  const [first] = parametersOf(guests as never);
  expect(first).toMatchObject([`${idOf('14')}[0][who]`, 'Guests 1: Who', { hidden: true }]);
});

test('a plain form asks for numbers within their limits, counted from a whole one where they are whole', () => {
  const number = (options: Record<string, unknown>) =>
    htmlForm('/x', [aField('15', 'number', 'Seats', options)] as never, 'Go');
  expect(number({})).toContain(' type="number" step="any">');
  expect(number({ number_min_value: 0, number_max_value: 0.5 })).toContain(' min="0" max="0.5" step="any">');
  expect(number({ number_min_value: 0.5, whole_number: true })).toContain(' min="1" step="1">');
});

test('a plain form has inputs for as many entries as are needed, and requires their answers where one has to be given', () => {
  const guests = (options: object) =>
    htmlForm(
      '/x',
      [aField('14', 'repeat', 'Guests', { questions: GUEST_QUESTIONS, ...options })] as never,
      'Go',
    );
  const count = (code: string, part: string) => code.split(part).length - 1;
  expect(count(guests({}), '[who]"')).toBe(3);
  expect(count(guests({ max_entries: 2 }), '[who]"')).toBe(2);
  expect(guests({})).not.toContain('required');
  const needed = guests({ required: true, min_entries: 4 });
  expect([count(needed, '[who]"'), count(needed, 'required')]).toEqual([4, 4]);
});

test('the plain HTML form sends UTF-8, also from a page in another encoding, and names of options with all their spaces', async () => {
  const question = aField('01', 'text', 'Name');
  const topic = aField('02', 'select', 'Topic', { options: [' Sales  and more', 'Support'] });
  const form = await home.form({ properties: [question, topic] });
  const visitor = await browser.page();
  const body = `<!doctype html><title>Elsewhere</title>${htmlForm(form.share_url, [question, topic] as never, 'Send')}`;
  await visitor.route('http://elsewhere.test/', (route) =>
    route.fulfill({ contentType: 'text/html; charset=windows-1252', body }),
  );
  await visitor.goto('http://elsewhere.test/');
  await visitor.getByLabel('Name').fill('Zoë');
  await visitor.getByLabel('Topic').selectOption({ index: 1 });
  await visitor.getByRole('button', { name: 'Send' }).click();
  await visitor.waitForURL(/thank-you/);
  const [{ data }] = await home.records(form);
  expect(data).toMatchObject({ [question.id]: 'Zoë', [topic.id]: ' Sales  and more' });
});

test('the plain HTML form sends answers from another site', async () => {
  const form = await aSharedForm();
  const page = await open(form, 'html');
  const code = await page.getByRole('region', { name: 'HTML form' }).locator('pre').textContent();
  expect(code).toBe(htmlForm(form.share_url, QUESTIONS as never, 'Send'));
  const visitor = await browser.page();
  await visitor.setContent(`<!doctype html><html lang="en"><title>Elsewhere</title>${code}`);
  await visitor.getByLabel('Your <name>').fill('Ada');
  await visitor.getByLabel('Topic').selectOption('Sales & "more"');
  await visitor.getByLabel('Vegan').check();
  await visitor.getByLabel('When').fill('2030-01-31');
  await visitor.locator('input[type=date]').nth(1).fill('2030-02-01');
  await visitor.locator('input[type=date]').nth(2).fill('2030-02-03');
  await visitor.getByLabel('Small').first().check();
  await visitor.getByLabel('Newsletter').check();
  await visitor.getByLabel('How much').fill('7');
  await visitor.getByLabel('الملاحظات').fill('one\ntwo');
  const guest = (number: number) => visitor.getByRole('group', { name: `Guests: Guest ${number}` });
  await guest(1).getByLabel('Who').fill('Ann');
  await guest(3).getByLabel('Who').fill('Ben');
  await guest(3).getByLabel('Meal').selectOption('Pasta');
  await guest(3).getByLabel('Milk').check();
  await guest(3).getByLabel('Swims').check();
  await visitor.getByRole('button', { name: 'Send' }).click();
  await visitor.waitForURL(/thank-you/);
  const [record] = await home.records(form);
  expect(record.data).toMatchObject({
    [idOf('01')]: 'Ada',
    [idOf('03')]: 'Sales & "more"',
    [idOf('04')]: ['Vegan'],
    [idOf('05')]: '2030-01-31',
    [idOf('06')]: ['2030-02-01', '2030-02-03'],
    [idOf('07')]: { Morning: 'Small' },
    [idOf('08')]: true,
    [idOf('09')]: 7,
    [idOf('11')]: 'one\ntwo',
    [idOf('14')]: [{ who: 'Ann' }, { who: 'Ben', meal: 'Pasta', likes: ['Milk'], swims: true }],
  });
});

test('the answers of the curl command are taken', async () => {
  const form = await aSharedForm();
  const page = await open(form, 'curl');
  const code = await page.getByRole('region', { name: 'curl command' }).locator('pre').textContent();
  expect(code).toContain(`curl '${form.share_url}/answer'`);
  const answers = sampleAnswers(QUESTIONS as never);
  expect(code).toContain(quoted(JSON.stringify(answers, null, 2)));
  expect((await home.submit(form, answers)).status).toBe(200);
  const [record] = await home.records(form);
  expect(record.data).toMatchObject(answers);
});

test('quotes end neither an attribute nor a shell word', () => {
  const options = {
    mode: 'popup',
    cues: '',
    ...DEFAULTS,
    button: '"><b>',
    extraButton: '',
    title: 'A & "B"',
    prefill: [],
    allowed: ['camera', 'geolocation'],
  } as const;
  const code = embedCode('https://x.example/forms/a', 'https://x.example/embed.js', options);
  expect(code).toContain('data-title="A &#38; &#34;B&#34;"');
  expect(code).toContain('>&#34;&#62;&#60;b&#62;</a>');
  expect(code).toContain('data-allow="camera; geolocation"');
  expect(quoted("it's")).toBe("'it'\\''s'");
});

test('a draft says that nobody can open it, and leads to where it is published', async () => {
  const form = await aSharedForm({ visibility: 'draft' });
  const page = await open(form, 'embed');
  // The preview shows the form nevertheless.
  const preview = page.frameLocator('iframe[title="Preview of the embedded form"]');
  await preview.frameLocator('iframe.formstead-frame').getByLabel('Your address').waitFor();
  await page.getByRole('link', { name: 'Publish it' }).click();
  await page.getByRole('dialog', { name: 'Publish this form?' }).waitFor();
});

test('a viewer shares like everybody', async () => {
  const form = await aSharedForm();
  const page = await open(form, 'link', await home.member('readonly'));
  await expect.poll(() => page.getByLabel('Public link of the form').inputValue()).toBe(form.share_url);
  await page.getByRole('tab', { name: 'Embed' }).click();
  await page.getByText('As a viewer you can look at').waitFor();
});

test('the guide to the API has commands of this workspace that work', async () => {
  const form = await aSharedForm({ title: 'Latest of all' });
  const page = await signedInPage(browser, home.service.url, home.ada, PHONE);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/api`);
  const code = page.getByRole('region', { name: 'Read forms and answers' });
  await code.getByText(form.slug).waitFor();
  await expectFine(page, 'api');
  const paths = [...(await code.innerText()).matchAll(/'(http\S+)'/g)].map(([, url = '']) =>
    url.replace(home.service.url, ''),
  );
  expect(paths).toHaveLength(2);
  for (const path of paths) expect((await home.call('GET', path)).status).toBe(200);
  const make = (await page.getByRole('region', { name: 'Make a form' }).locator('pre').textContent()) ?? '';
  const body = JSON.parse(/-d '([^']*)'/.exec(make)?.[1] ?? '');
  expect((await home.call('POST', '/open/forms', body)).status).toBe(201);
  const hook = (await page.getByRole('region', { name: 'Add a webhook' }).locator('pre').textContent()) ?? '';
  const integration = JSON.parse(/-d '([^']*)'/.exec(hook)?.[1] ?? '');
  expect((await home.call('POST', `/open/forms/${form.slug}/integrations`, integration)).status).toBe(200);
});
