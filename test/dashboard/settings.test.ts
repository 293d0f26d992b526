import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { PARTS, type SettingsPart } from '../../dashboard/settings/parts.ts';
import { FORM_FIELDS } from '../../server/forms/schemas.ts';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aField, type TestUser } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { expectFine, keepMessages, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();
/** A service that uses domains and code of forms. */
const generous = useHome({ env: { FORM_DOMAINS: '*.forms.localhost', CUSTOM_CODE: 'on' } });

async function open(form: { id: number }, part: string, who: TestUser = home.ada): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, who);
  await page.goto(
    `${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/settings${part && `?part=${part}`}`,
  );
  await page.getByRole('navigation', { name: 'Settings' }).waitFor();
  return page;
}

const stored = async (form: { id: number }) => (await home.call('GET', `/open/forms/${form.id}`)).body;

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('region', { name: 'Changes' }).waitFor({ state: 'detached' });
}

test('every field of a form but its questions can be set', () => {
  const parts: readonly SettingsPart[] = PARTS;
  const keys = parts.flatMap(({ groups }) =>
    groups.flatMap(({ settings }) => settings.map(({ key }) => String(key))),
  );
  // The unit is set beside its value.
  const all = [...keys, 'submission_retention_unit', 'properties'];
  expect([...new Set(all)].sort()).toEqual(Object.keys(FORM_FIELDS).sort());
});

test('a domain and code that the service does not use say so when they are saved', async () => {
  const form = await home.form({});
  const page = await open(form, 'advanced');
  const domain = page.getByText('Saved, but without effect: links to the form still begin with');
  const code = page.getByText('Saved, but without effect: this service runs no code of forms.');
  await page.getByLabel('Own domain').fill('forms.example.org');
  await page.getByLabel('Own HTML and scripts').fill('<b>Hello</b>');
  expect([await domain.count(), await code.count()]).toEqual([0, 0]);
  await save(page);
  await domain.waitFor();
  expect(await domain.innerText()).toContain('list forms.example.org in FORM_DOMAINS');
  await code.waitFor();
  await expectFine(page, 'settings without effect');
});

test('a domain and code that the service uses need no word', async () => {
  const form = await generous.form({ custom_domain: 'tea.forms.localhost', custom_code: '<b>Hello</b>' });
  const page = await signedInPage(browser, generous.service.url, generous.ada);
  await page.goto(
    `${generous.service.url}/workspaces/${generous.workspaceId}/forms/${form.id}/settings?part=advanced`,
  );
  await page.getByLabel('Own domain').waitFor();
  expect(await page.getByText('without effect').count()).toBe(0);
  // Programs are told the service's address, not that of a form.
  await page.goto(`${generous.service.url}/workspaces/${generous.workspaceId}/api`);
  await expect.poll(() => page.getByLabel('Address of the API').inputValue()).toBe(generous.service.url);
});

test('what somebody else set meanwhile stays, also beside what is set here', async () => {
  const form = await home.form({ presentation_style: 'focused', settings: { sets_spam_aside: true } });
  const page = await open(form, 'appearance');
  await page.getByText('Arrows to go back and forth').click();
  const path = `/open/forms/${form.id}`;
  await home.call('PUT', path, { settings: { gives_receipts: true } });
  await save(page);
  expect((await stored(form)).settings).toMatchObject({ gives_receipts: true, navigation_arrows: true });
  expect((await stored(form)).settings.sets_spam_aside).toBeFalsy();
});

test('an address with the slug of a form leads to the one with its number', async () => {
  const form = await home.form();
  const page = await signedInPage(browser, home.service.url, home.ada);
  const forms = `${home.service.url}/workspaces/${home.workspaceId}/forms`;
  await page.goto(`${forms}/${form.slug}/settings?part=texts`);
  await page.waitForURL(`${forms}/${form.id}/settings?part=texts`);
  await page.getByLabel('Title', { exact: true }).fill('Another title');
  await save(page);
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Another title');
});

test('tags that somebody else changed meanwhile are not replaced', async () => {
  const form = await home.form({ tags: ['one'] });
  const page = await open(form, 'advanced');
  await page.getByLabel('Tags').fill('one, mine');
  await home.call('PUT', `/open/forms/${form.id}`, { tags: ['one', 'theirs'] });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Somebody else changed the tags meanwhile.').first().waitFor();
  expect((await stored(form)).tags).toEqual(['one', 'theirs']);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => page.getByLabel('Tags').inputValue()).toBe('one, theirs');
});

test.each(PARTS.map(({ id, name }) => [id, name]))('%s', async (id) => {
  const form = await home.form({ title: 'طلب طويل جدا', cover_picture: 'https://example.com/cover.png' });
  const page = await open(form, id);
  await page.getByRole('link', { name: 'Close or delete' }).waitFor();
  if (id === 'appearance') await page.locator('iframe[title="Sample of the form"]').waitFor();
  await expectFine(page, id);
});

describe('changes', () => {
  test('are collected over parts, and only they are sent', async () => {
    const form = await home.form({ title: 'Before' });
    const page = await open(form, 'texts');
    await page.getByLabel('Title', { exact: true }).fill('After');
    await page.getByRole('link', { name: /^Access and closing/ }).click();
    await page.getByLabel('Limit on responses').fill('12');
    await page.getByRole('link', { name: /^Search engines/ }).click();
    await page.getByLabel('Title', { exact: true }).fill('For searchers');
    await page.getByRole('link', { name: /^After sending/ }).click();
    await page.getByLabel('Offer to fill it in again').check();
    await page.getByLabel('Button for it').fill('Once more');
    await page.getByText('5 changes not saved yet').waitFor();
    await expectFine(page, 'save bar');
    await keepMessages(page);
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await save(page);
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect((await sent).postDataJSON()).toEqual({
      title: 'After',
      max_submissions_count: 12,
      seo_meta: { page_title: 'For searchers' },
      re_fillable: true,
      re_fill_button_text: 'Once more',
    });
    expect(await stored(form)).toMatchObject({
      title: 'After',
      max_submissions_count: 12,
      re_fillable: true,
    });
    await page.getByRole('heading', { name: /After/ }).first().waitFor();
  });

  test('of one member of several that are taken back are none either', async () => {
    const form = await home.form({ seo_meta: { page_title: 'Title', page_description: 'Words' } });
    const page = await open(form, 'search');
    const bar = page.getByRole('region', { name: 'Changes' });
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Other');
    await bar.waitFor();
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Title');
    await bar.waitFor({ state: 'detached' });
  });

  test('that are taken back are none', async () => {
    const form = await home.form();
    const page = await open(form, 'submissions');
    const bar = page.getByRole('region', { name: 'Changes' });
    await page.getByLabel('Take unfinished answers').check();
    await bar.waitFor();
    await page.getByLabel('Take unfinished answers').uncheck();
    await bar.waitFor({ state: 'detached' });
    await page.getByLabel('Keep responses', { exact: true }).selectOption('For a time');
    await page.getByLabel('How long').fill('3');
    await bar.getByRole('button', { name: 'Discard' }).click();
    await bar.waitFor({ state: 'detached' });
    await page.getByLabel('How long').waitFor({ state: 'detached' });
  });

  test('of how long responses are kept want a number, and do not keep them for ever without one', async () => {
    const form = await home.form({ submission_retention_value: 3, submission_retention_unit: 'day' });
    const page = await open(form, 'submissions');
    const bar = page.getByRole('region', { name: 'Changes' });
    const number = page.getByLabel('How long');
    const missing = page.getByRole('alert').getByText('Say how many, or keep responses forever.');
    await number.fill('');
    expect(await missing.count()).toBe(0);
    await page.keyboard.press('Tab');
    await missing.waitFor();
    const unit = page.getByLabel('Unit', { exact: true });
    expect(await unit.evaluate((select) => select === document.activeElement)).toBe(true);
    await expectFine(page, 'a missing number');
    await bar.getByRole('button', { name: 'Save' }).click();
    await bar.getByText('Not saved').waitFor();
    await expect.poll(() => number.evaluate((input) => input === document.activeElement)).toBe(true);
    await missing.waitFor();
    await number.fill('5');
    await missing.waitFor({ state: 'detached' });
    await bar.getByRole('button', { name: 'Save' }).click();
    await bar.waitFor({ state: 'detached' });
    expect(await stored(form)).toMatchObject({
      submission_retention_value: 5,
      submission_retention_unit: 'day',
    });
  });

  test('that are wrong are told at their fields, and lead there', async () => {
    const form = await home.form();
    const page = await open(form, 'advanced');
    await page.getByLabel('Own CSS').fill('p { color: ');
    await page.getByLabel('Own CSS').fill('@import url(https://example.com/a.css);');
    await page.getByLabel('Name in the link').fill('Not A Slug');
    await page.getByRole('link', { name: /^Texts/ }).click();
    await page.keyboard.press('Control+s');
    const bar = page.getByRole('region', { name: 'Changes' });
    await bar.getByRole('link', { name: 'Advanced' }).click();
    await page.getByText('“Own CSS” may not import other style sheets.').waitFor();
    const slug = page.getByLabel('Name in the link');
    await expect.poll(() => slug.getAttribute('aria-invalid')).toBe('true');
    await expectFine(page, 'problems');
    await page.getByLabel('Own CSS').fill('p { color: red; }');
    await slug.fill('Still Not A Slug');
    await bar.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => slug.evaluate((input) => input === document.activeElement)).toBe(true);
    await slug.fill(`fine-${form.id}`);
    await bar.getByRole('button', { name: 'Save' }).click();
    await bar.waitFor({ state: 'detached' });
    expect(await stored(form)).toMatchObject({ slug: `fine-${form.id}`, custom_css: 'p { color: red; }' });
  });

  test('are asked about before they are lost', async () => {
    const form = await home.form();
    const page = await open(form, 'texts');
    await page.getByLabel('Description').fill('Something new');
    await page.getByRole('link', { name: 'Share', exact: true }).click();
    await page.getByRole('alertdialog').getByText('1 change').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('Something new');
    await page.getByRole('link', { name: 'Share', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(/\/share/);
    expect((await stored(form)).description).toBeNull();
  });

  test('of lists, objects, times and pictures arrive as they were meant', async () => {
    const form = await home.form({ cover_picture: 'https://example.com/cover.png' });
    const page = await open(form, 'advanced');
    await page.getByLabel('Tags').fill('events, 2026,, events ');
    await page.getByLabel('Visitor tracking').selectOption('Google Analytics');
    await page.getByLabel('Tracking id').fill('G-1');
    await page.getByRole('checkbox', { name: 'Name', exact: true }).check();
    await page.getByRole('link', { name: /^Appearance/ }).click();
    await page.getByLabel('From the left, in %').fill('20');
    await page.getByLabel('Brightness of the cover').fill('-30');
    await page.getByRole('link', { name: /^Access and closing/ }).click();
    await page.getByLabel('Opens at').fill('2031-04-01T09:00');
    await page.getByLabel('Closes at').fill('2031-05-01T10:30');
    await save(page);
    expect(await stored(form)).toMatchObject({
      tags: ['events', '2026'],
      analytics: { provider: 'google_analytics', tracking_id: 'G-1' },
      cover_settings: { focal_point: { x: 20, y: 50 }, brightness: -30 },
      opens_at: new Date(2031, 3, 1, 9, 0).toISOString(),
      closes_at: new Date(2031, 4, 1, 10, 30).toISOString(),
      database_fields_update: [form.properties[0].id],
    });
  });
});

test('results are shown to everybody, of the questions that were chosen', async () => {
  const properties = [
    { id: 'meal', type: 'select', name: 'Meal', options: ['Soup', 'Salad'] },
    { id: 'stars', type: 'rating', name: 'Stars' },
    { id: 'why', type: 'text', name: 'Why' },
  ];
  const form = await home.form({ properties });
  expect((await home.submit(form, { meal: 'Soup', stars: 3, why: 'Secret' })).status).toBe(200);
  const page = await open(form, 'after');
  await page.getByRole('switch', { name: 'Show results to everybody' }).check();
  expect(await page.getByRole('checkbox', { name: 'Why' }).count()).toBe(0);
  await page.getByRole('checkbox', { name: 'Stars' }).uncheck();
  await page.getByLabel('Responses together').fill('');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'The Step must be an integer.' }).waitFor();
  await page.getByLabel('Responses together').fill('1');
  await save(page);
  expect((await stored(form)).settings).toEqual({ public_results: { fields: ['meal'], step: 1 } });
  await expectFine(page, 'results');

  await page.goto(await page.getByLabel('Link to the results').inputValue());
  await page.getByRole('row', { name: 'Soup 100% 1' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Stars' }).count()).toBe(0);
});

describe('after sending', () => {
  const NAME = aField('01', 'text', 'Your name');
  const answer = async (form: { slug: string }, name: string) => {
    const visitor = await browser.page();
    await visitor.goto(`${home.service.url}/forms/${form.slug}`);
    await visitor.getByLabel('Your name').fill(name);
    await visitor.getByRole('button', { name: 'Submit' }).click();
    return visitor;
  };

  test('a text with an answer in it is shown, by the keyboard alone', async () => {
    const form = await home.form({ properties: [NAME], submitted_text: '<p>Dear</p>' });
    const page = await open(form, 'after');
    const text = page.getByRole('textbox', { name: 'Thank-you text' });
    await text.focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' ');
    await page.getByRole('button', { name: 'Insert field into Thank-you text' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Your name' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Without an answer to Your name').fill('visitor');
    await expectFine(page, 'thank-you text');
    await save(page);
    await (await answer(form, 'Grace <i>')).getByText('Dear Grace <i>').waitFor();
    await (await answer(form, '')).getByText('Dear visitor').waitFor();
  });

  test('a link in a text is given another address, and keeps its words', async () => {
    const form = await home.form({ submitted_text: '<p><a href="https://old.example.com">Our shop</a></p>' });
    const page = await open(form, 'after');
    const text = page.getByRole('textbox', { name: 'Thank-you text' });
    await text.getByRole('link', { name: 'Our shop' }).click();
    await page.keyboard.press('Control+k');
    const address = page.getByLabel('Address of the link');
    await expect.poll(() => address.inputValue()).toBe('https://old.example.com');
    // Escape leads back into the text.
    await address.press('Escape');
    await expect.poll(() => text.evaluate((box) => box === document.activeElement)).toBe(true);
    await page.keyboard.press('Control+k');
    await expect.poll(() => address.inputValue()).toBe('https://old.example.com');
    await address.fill('https://new.example.com');
    await address.press('Enter');
    const changed = text.locator('a[href="https://new.example.com"]');
    await expect.poll(() => changed.allTextContents()).toEqual(['Our shop']);
    await expect.poll(() => text.textContent()).toBe('Our shop');
    await save(page);
    expect((await stored(form)).submitted_text).toContain('https://new.example.com');
  });

  test('an address that leads nowhere is told', async () => {
    const page = await open(await home.form({ properties: [NAME] }), 'after');
    const problem = page.getByText('It does not begin with https://');
    await page.getByRole('textbox', { name: 'Go to another page instead' }).click();
    await page.keyboard.type('www.example.com/thanks');
    await problem.waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('https://www.example.com/thanks');
    await problem.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Insert field into Go to another page instead' }).click();
    await page.getByRole('menuitem', { name: 'Your name' }).click();
    await page.getByLabel('Without an answer to Your name').waitFor();
    expect(await problem.count()).toBe(0);
  });

  test('an address takes answers along', async () => {
    const form = await home.form({ properties: [NAME] });
    const page = await open(form, 'after');
    const box = page.getByRole('textbox', { name: 'Go to another page instead' });
    await box.click();
    await page.keyboard.type(`${home.service.url}/forms/${form.slug}?name=`);
    await page.getByRole('button', { name: 'Insert field into Go to another page instead' }).click();
    await page.getByRole('menuitem', { name: 'Your name' }).click();
    await page.getByLabel('Without an answer to Your name').waitFor();
    await save(page);
    await (await answer(form, 'A & B')).waitForURL('**/forms/*?name=A%20%26%20B');
    await box.press('Control+a');
    await box.press('Delete');
    await save(page);
    expect((await stored(form)).redirect_url).toBeNull();
  });
});

test('the sample is the real page with what is not saved yet', async () => {
  const form = await home.form({ title: 'Stored title' });
  const page = await open(form, '');
  const sample = page.frameLocator('iframe[title="Sample of the form"]');
  await sample.getByRole('heading', { name: 'Stored title' }).waitFor();
  await page.getByLabel('Theme').selectOption('Notion');
  await sample.locator('html.theme-notion').waitFor();
  expect((await stored(form)).theme).toBe('default');
  const views = (await stored(form)).views_count;
  expect(views).toBe(0);
});

test('a password is set, kept, and taken away', async () => {
  const form = await home.form();
  const page = await open(form, 'access');
  await page.getByRole('textbox', { name: 'Password' }).fill('open sesame');
  await save(page);
  await page.getByText('Protected').waitFor();
  expect((await home.submit(form, {})).body.error).toBe('form_protected');
  const key = { 'form-password': 'open sesame' };
  expect((await home.submit(form, { [form.properties[0].id]: 'x' }, key)).status).toBe(200);
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('button', { name: 'Keep the old one' }).click();
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByLabel('Ask visitors to prove they are people').check();
  await save(page);
  expect((await stored(form)).has_password).toBe(true);
  expect((await home.submit(form, {})).body.error).toBe('form_protected');
  await page.getByRole('button', { name: 'Keep the old one' }).click();
  await page.getByRole('button', { name: 'Remove' }).click();
  await save(page);
  expect((await stored(form)).has_password).toBe(false);
});

describe('roles', () => {
  test('a viewer reads the settings and the reason', async () => {
    const form = await home.form();
    const page = await open(form, 'texts', await home.member('readonly'));
    await page
      .getByText('As a viewer you can look at forms, responses and figures, but not change them.')
      .waitFor();
    await expect.poll(() => page.getByLabel('Title', { exact: true }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: /^Close or delete/ }).click();
    const button = page.getByRole('button', { name: 'Delete for good' });
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
    await page.goto(page.url().replace(/part=.*/, 'part=appearance'));
    await page.getByLabel('Theme').waitFor();
    await expectFine(page, 'viewer');
  });

  test('code is for admins', async () => {
    const form = await home.form();
    const page = await open(form, 'advanced', await home.member('user'));
    const code = page.getByLabel('Own HTML and scripts');
    await expect.poll(() => code.isDisabled()).toBe(true);
    await page.getByText('Only admins of the workspace may add code to a form.').waitFor();
    await expect.poll(() => page.getByLabel('Own CSS').isDisabled()).toBe(false);
  });
});

describe('what cannot be taken back', () => {
  test('closing can, with one click', async () => {
    const form = await home.form();
    const page = await open(form, 'danger');
    await keepMessages(page);
    await page.getByRole('button', { name: 'Close form' }).click();
    await page.getByRole('button', { name: 'Open form' }).waitFor();
    expect((await stored(form)).visibility).toBe('closed');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Close form' }).waitFor();
    expect((await stored(form)).visibility).toBe('public');
  });

  test('deleting wants the title, also from the keyboard alone', async () => {
    const form = await home.form({ title: 'Gone soon' });
    const page = await open(form, 'danger');
    await page.getByRole('button', { name: 'Delete for good' }).focus();
    await page.keyboard.press('Enter');
    const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Delete for good' });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    // The focus is in the field already.
    await page.getByRole('alertdialog').locator('input:focus').waitFor();
    await page.keyboard.type('Gone soon');
    await expectFine(page, 'delete');
    await expect.poll(() => confirm.isDisabled()).toBe(false);
    await page.keyboard.press('Enter');
    await page.getByText('The form was deleted.').waitFor();
    await page.waitForURL(/\/forms$/);
    expect((await home.call('GET', `/open/forms/${form.id}`)).status).toBe(404);
  });
});

test('what is refused is led to, by the name it has on the screen', async () => {
  const form = await home.form();
  const page = await open(form, 'access');
  const limit = page.getByLabel('Limit on responses');
  await limit.fill('-4');
  await page.evaluate(() => scrollTo(0, 0));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('“Limit on responses” must be at least 1.').waitFor();
  const bar = page.getByRole('region', { name: 'Changes' });
  await expect
    .poll(async () => {
      const [lower, upper] = [await bar.boundingBox(), await limit.boundingBox()];
      return upper!.y > 0 && upper!.y + upper!.height < lower!.y;
    })
    .toBe(true);
  await expect.poll(() => limit.evaluate((input) => document.activeElement === input)).toBe(true);
});

test('on a phone', async () => {
  const form = await home.form();
  const page = await signedInPage(browser, home.service.url, home.ada, PHONE);
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/settings?part=after`);
  await page.getByLabel('Confetti').check();
  await page.getByRole('button', { name: 'Save', exact: true }).tap();
  await page.getByRole('region', { name: 'Changes' }).waitFor({ state: 'detached' });
  expect((await stored(form)).confetti_on_submission).toBe(true);
});
