import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { expectFine, keepMessages, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();
const WIDE: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };

async function open(path: string, person = home.ada, device = WIDE): Promise<Page> {
  const page = await signedInPage(browser, home.service.url, person, device);
  await page.goto(home.service.url + path);
  return page;
}

const address = (form: { id: number }) => `/workspaces/${home.workspaceId}/forms/${form.id}/build`;

async function build(form: { id: number }, person = home.ada, device = WIDE): Promise<Page> {
  const page = await open(address(form), person, device);
  await page.getByRole('textbox', { name: 'Title of the form' }).waitFor();
  return page;
}

const names = (page: Page) =>
  page.locator('[data-name-of]').evaluateAll((all) => all.map((one) => (one as HTMLTextAreaElement).value));

const saved = (page: Page) => page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
const preview = (page: Page) => page.frameLocator('iframe[title="Preview of the form"]');
const draft = async (form: { id: number }) => (await home.call('GET', `/open/forms/${form.id}/draft`)).body;
const read = async (form: { id: number }) => (await home.call('GET', `/open/forms/${form.id}`)).body;
const title = (page: Page) => page.getByRole('textbox', { name: 'Title of the form' });
/** Waits until what has this name, or a longer one, has the focus. */
const focused = (page: Page, name: string) =>
  expect
    .poll(() =>
      page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
      ),
    )
    .toContain(name);

async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Publish( all the same)?$/ })
    .click();
}
const card = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: `Move ${name}`, exact: true }) });

test('from a template to an answer on the public page', async () => {
  const page = await open(`/workspaces/${home.workspaceId}/forms`);
  await page.getByRole('button', { name: 'New form' }).first().click();
  await page.getByRole('searchbox', { name: 'Search templates' }).fill('write to you');
  await page.getByRole('radio', { name: 'Contact' }).check();
  await expectFine(page, 'gallery');
  await page.getByRole('textbox', { name: 'Title' }).fill('Write to us');
  await page.getByRole('button', { name: 'Create form' }).click();
  await page.waitForURL(/\/build$/);
  await preview(page).getByRole('heading', { name: 'Write to us' }).waitFor();
  const id = Number(/forms\/(\d+)/.exec(page.url())?.[1]);

  // By click: added after the selected block, or else at the end, with its name ready to be typed.
  await page.getByRole('button', { name: 'Stars', exact: true }).click();
  await until(async () => (await names(page)).at(-1) === 'Stars');
  await focused(page, 'Name of the stars');
  await page.keyboard.type('How was it?');
  await page.getByRole('switch', { name: 'Required' }).check();

  // Dragged to its place.
  const target = card(page, 'E-mail');
  await page.getByRole('button', { name: 'Phone', exact: true }).hover();
  await page.mouse.down();
  const box = (await target.boundingBox())!;
  await page.mouse.move(box.x + 80, box.y + 10, { steps: 8 });
  await page.mouse.up();
  await until(async () => (await names(page))[1] === 'Phone');

  // By the keyboard alone.
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox', { name: 'Search fields to add' }).focus();
  await page.keyboard.type('one choice');
  await page.keyboard.press('Enter');
  await until(async () => (await names(page)).includes('One choice'));
  await focused(page, 'Name of the one choice');
  await page.keyboard.type('Size');

  // Its options: an emptied one is removed by Backspace.
  const first = page.getByRole('textbox', { name: 'Option 1' });
  await first.fill('Small');
  await page.getByRole('textbox', { name: 'Option 2' }).fill('Large');
  await page.getByRole('textbox', { name: 'Option 3' }).focus();
  await page.getByRole('textbox', { name: 'Option 3' }).fill('');
  await page.keyboard.press('Backspace');
  await page.getByRole('textbox', { name: 'Option 3' }).waitFor({ state: 'detached' });

  // Logic that reads as a sentence.
  await card(page, 'How was it?').getByRole('button', { name: 'Settings of How was it?' }).click();
  await page.getByRole('tab', { name: 'Logic' }).click();
  await page.getByRole('button', { name: 'Add logic' }).click();
  await page.getByRole('combobox', { name: 'Field' }).selectOption('Size');
  await page.getByRole('combobox', { name: 'Value' }).selectOption('Large');
  await page.getByRole('checkbox', { name: 'Hide it' }).check();
  await page.getByText('Hide when Size is Large.').waitFor();

  // When an option is renamed, the condition follows; undo restores both.
  await page.getByRole('button', { name: 'Settings of Size' }).click();
  await page.getByRole('tab', { name: 'Options' }).click();
  await page.getByRole('textbox', { name: 'Option 2' }).fill('Big');
  await page.getByText('Hide when Size is Big').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('Hide when Size is Large').waitFor();
  await page.keyboard.press('Control+Shift+Z');
  await page.getByText('Hide when Size is Big').waitFor();
  await saved(page);

  // The preview is the real page, and follows the logic.
  await preview(page).getByText('How was it?').waitFor();
  await preview(page).getByRole('radio', { name: 'Big' }).check();
  await preview(page).getByText('How was it?').waitFor({ state: 'hidden' });

  await page.getByRole('button', { name: 'Publish' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Publish/ })
    .click();
  await page.getByText('The form is published.').waitFor();
  await page.getByRole('status').getByText('published', { exact: false }).first().waitFor();

  const form = (await home.call('GET', `/open/forms/${id}`)).body;
  expect(form.visibility).toBe('public');
  const visitor = await browser.page();
  await visitor.goto(`${home.service.url}/forms/${form.slug}`);
  await visitor.getByLabel('Your name').fill('Grace');
  await visitor.getByLabel('E-mail').fill('grace@example.com');
  await visitor.getByLabel('What is it about?').selectOption('Press');
  await visitor.getByLabel('Message').fill('Hello');
  await visitor.getByRole('radio', { name: 'Big' }).check();
  await visitor.getByRole('button', { name: 'Send' }).click();
  await visitor.getByText('Thank you for your message.').waitFor();
  expect(await home.records(form)).toHaveLength(1);
});

test('countries are typed as one likes, and taken back with everything else', async () => {
  const page = await build(await home.form({ properties: [aField('a1', 'phone_number', 'Phone')] }));
  await page.getByRole('button', { name: 'Settings of Phone' }).click();
  const countries = page.getByLabel('Countries that cannot be chosen');
  await countries.focus();
  await page.keyboard.type('us, ca, ');
  await expect.poll(() => countries.inputValue()).toBe('us, ca, ');
  await page.getByText('United States, Canada').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(() => countries.inputValue()).toBe('');
  await page.getByRole('button', { name: 'Redo', exact: true }).click();
  await expect.poll(() => countries.inputValue()).toBe('us, ca, ');
});

test('a copy has what was typed at the last moment', async () => {
  const form = await home.form({ title: 'Original' });
  const page = await build(form);
  let choose = () => {};
  const chosen = new Promise<void>((resolve) => {
    choose = resolve;
  });
  await page.route('**/draft?*', async (route) => {
    await chosen;
    await route.continue();
  });
  await page.locator('[data-name-of]').first().fill('Typed at last');
  await page.getByRole('button', { name: 'More for Original' }).click();
  const copying = page.waitForResponse(/duplicate\?/);
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  choose();
  const { new_form: copy } = await (await copying).json();
  expect(copy.visibility).toBe('draft');
  expect((await draft(copy)).definition?.properties?.[0].name).toBe('Typed at last');
  await page.getByRole('heading', { name: 'Copy of Original' }).waitFor();
});

/** Lets the next save be stored, but loses its answer. */
async function loseAnswer(page: Page): Promise<void> {
  const once = { times: 1 };
  await page.route('**/draft?*', (route) => route.fetch().then(() => route.abort()), once);
}

describe('blocks', () => {
  const three = () =>
    home.form({
      properties: ['One', 'Two', 'Three'].map((name) => ({ id: name, type: 'text', name })),
    });

  test('are moved by keys, the focus with them', async () => {
    const page = await build(await three());
    await page.getByRole('button', { name: 'Move One' }).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await until(async () => (await names(page)).join() === 'Two,One,Three');
    await until(
      async () =>
        (await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) === 'Move One',
    );
    await page.keyboard.press('Alt+ArrowDown');
    await until(async () => (await names(page)).join() === 'Two,Three,One');
    await page.getByText('One is now 3 of 3.').waitFor();
  });

  test('are lifted with Space, and say where they are', async () => {
    const page = await build(await three());
    await page.getByRole('button', { name: 'Move Three' }).focus();
    await page.keyboard.press('Space');
    await page.getByText('Three is over place 3 of 3.').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.getByText('Three is over place 2 of 3.').waitFor();
    await page.keyboard.press('Space');
    await until(async () => (await names(page)).join() === 'One,Three,Two');
  });

  test('are drawn by the mouse', async () => {
    const page = await build(await three());
    await page.getByRole('button', { name: 'Move One' }).hover();
    await page.mouse.down();
    const box = (await card(page, 'Three').boundingBox())!;
    await page.mouse.move(box.x + 20, box.y + box.height - 4, { steps: 10 });
    await page.mouse.up();
    await until(async () => (await names(page)).join() === 'Two,Three,One');
  });

  test('that an edit was undone or redone is said, each time', async () => {
    const page = await build(await three());
    const said = page.locator('p[aria-live=polite].sr-only');
    for (const key of ['Control+d', 'Control+d']) {
      await page.getByRole('button', { name: 'Move Two' }).first().focus();
      await page.keyboard.press(key);
    }
    await until(async () => (await names(page)).length === 5);
    const texts: (string | null)[] = [];
    for (const key of ['Control+z', 'Control+z', 'Control+Shift+z']) {
      await page.keyboard.press(key);
      texts.push(await said.textContent());
    }
    expect(texts).toEqual(['Undone.', 'Undone.\u00a0', 'Redone.']);
    await until(async () => (await names(page)).length === 4);
  });

  test('are duplicated and deleted, which can be undone', async () => {
    const form = await three();
    const page = await build(form);
    await page.getByRole('button', { name: 'Move Two' }).focus();
    await page.keyboard.press('Control+d');
    await until(async () => (await names(page)).join() === 'One,Two,Two,Three');
    await keepMessages(page);
    await page.getByRole('button', { name: 'Move One' }).focus();
    await page.keyboard.press('Delete');
    await until(async () => (await names(page)).join() === 'Two,Two,Three');
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await names(page)).join() === 'One,Two,Two,Three');
    await until(async () => (await draft(form)).definition?.properties?.length === 4);
  });

  test('nothing is offered to be undone where that could not be done any more', async () => {
    const form = await three();
    const page = await build(form);
    await keepMessages(page);
    await page.getByRole('button', { name: 'Move One' }).focus();
    await page.keyboard.press('Delete');
    const undo = page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await saved(page);
    await page.getByRole('navigation', { name: 'Form' }).getByRole('link', { name: 'Responses' }).click();
    await page.getByText('No responses yet').waitFor();
    expect(await undo.count()).toBe(0);
  });
});

describe('drafts', () => {
  test('are not asked for where there are none', async () => {
    const form = await home.form();
    const page = await signedInPage(browser, home.service.url, home.ada);
    const failed: string[] = [];
    page.on('response', (answer) => answer.status() >= 400 && failed.push(answer.url()));
    for (const screen of ['', '/build', '/settings']) {
      await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}${screen}`);
      await page.waitForLoadState('networkidle');
    }
    expect(failed).toEqual([]);
  });

  test('are kept as one goes, found again, and thrown away', async () => {
    const form = await home.form();
    const page = await build(form);
    await page.getByRole('textbox', { name: 'Title of the form' }).fill('Another title');
    await until(async () => (await draft(form)).definition?.title === 'Another title');
    await page.reload();
    await until(
      async () =>
        (await page.getByRole('textbox', { name: 'Title of the form' }).inputValue()) === 'Another title',
    );
    expect((await home.call('GET', `/open/forms/${form.id}`)).body.title).toBe('Feedback');
    await keepMessages(page);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await until(
      async () =>
        (await page.getByRole('textbox', { name: 'Title of the form' }).inputValue()) === 'Feedback',
    );
    expect((await home.call('GET', `/open/forms/${form.id}/draft`)).status).toBe(404);
    await page.getByText('The changes were discarded.').waitFor();
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await draft(form)).definition?.title === 'Another title');
  });

  test('of two people: one of the two goes on', async () => {
    const form = await home.form();
    const grace = await home.member('user');
    const page = await build(form);
    const hers = await build(form, grace);
    await title(hers).fill('Of Grace');
    await until(async () => (await draft(form)).definition?.title === 'Of Grace');
    await title(page).fill('Of Ada');
    await page.getByText('saved changes to this form').waitFor();
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await until(async () => (await draft(form)).definition?.title === 'Of Ada');
    await title(hers).fill('Of Grace again');
    await hers.getByRole('button', { name: 'Take theirs' }).click();
    await until(async () => (await title(hers).inputValue()) === 'Of Ada');
  });

  test('of two tabs of one person: it is said that the other changes are their own', async () => {
    const form = await home.form();
    const page = await build(form);
    await home.call('PUT', `/open/forms/${form.id}/draft`, { title: 'Elsewhere' });
    await title(page).fill('Here');
    await page.getByText('You saved changes to this form in another tab or browser').waitFor();
    await page.getByRole('button', { name: 'Take those' }).click();
    await until(async () => (await title(page).inputValue()) === 'Elsewhere');
  });

  test('publishing takes no draft away that somebody else saved meanwhile', async () => {
    const form = await home.form();
    const page = await build(form);
    await title(page).fill('Of Ada');
    await until(async () => (await draft(form)).definition?.title === 'Of Ada');
    const { token } = await home.member('user');
    await home.call('PUT', `/open/forms/${form.id}/draft`, { title: 'Of Grace' }, token);
    await publish(page);
    await page.getByText('Grace saved changes to this form').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectFine(page, 'conflict');
    // Discarding does not delete the other's draft unseen either.
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect((await draft(form)).definition.title).toBe('Of Grace');
    expect((await read(form)).title).toBe('Feedback');
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await until(async () => (await title(page).inputValue()) === 'Of Grace');
    await publish(page);
    await page.getByText('The form is published.').waitFor();
    expect((await read(form)).title).toBe('Of Grace');
  });

  test('what somebody else published meanwhile is asked about, and can be taken', async () => {
    const form = await home.form({ visibility: 'draft' });
    const { token } = await home.member('user');
    const publishOfGrace = async (name: string) => {
      await home.call('PUT', `/open/forms/${form.id}/draft`, { title: name, visibility: 'public' }, token);
      expect((await home.call('POST', `/open/forms/${form.id}/draft/publish`, {}, token)).status).toBe(200);
    };
    const page = await build(form);
    const asked = page.getByText('Somebody else published changes to this form');
    const take = page.getByRole('button', { name: 'Take theirs' });
    // Nothing is typed yet.
    await publishOfGrace('First');
    await publish(page);
    await asked.waitFor();
    expect((await read(form)).title).toBe('First');
    await take.click();
    await until(async () => (await title(page).inputValue()) === 'First');
    // Something is typed, but there is no draft yet.
    await publishOfGrace('Second');
    await title(page).fill('Of Ada');
    await asked.waitFor();
    expect((await home.call('GET', `/open/forms/${form.id}/draft`)).status).toBe(404);
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await until(async () => (await draft(form)).definition?.title === 'Of Ada');
    // The comparison is with what is published now, not with what was before.
    await title(page).fill('First');
    await until(async () => (await draft(form)).definition?.title === 'First');
    await page.getByRole('button', { name: 'Discard' }).waitFor();
    await title(page).fill('Second');
    await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' });
    await until(async () => (await draft(form)).definition?.title !== 'First');
    // The draft that both work on is published.
    await publishOfGrace('Third');
    await title(page).fill('Of Ada again');
    await asked.waitFor();
    await take.click();
    await until(async () => (await title(page).inputValue()) === 'Third');
    await title(page).fill('At last');
    await publish(page);
    await page.getByText('The form is published.').waitFor();
    expect((await read(form)).title).toBe('At last');
  });

  test('saves come one after the other, and are no conflict with each other', async () => {
    const form = await home.form();
    const page = await build(form);
    await page.clock.install();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let isFirst = true;
    const answers: number[] = [];
    await page.route('**/draft?*', async (route) => {
      const isHeld = isFirst;
      isFirst = false;
      const response = await route.fetch();
      if (isHeld) await held;
      answers.push(response.status());
      await route.fulfill({ response });
    });
    await title(page).fill('One');
    await until(async () => (await draft(form)).definition?.title === 'One');
    // A second save waits for the first; so does the save before publishing.
    await title(page).fill('Two');
    await page.clock.runFor(1_000);
    await publish(page);
    letGo();
    await page.getByText('The form is published.').waitFor();
    expect((await read(form)).title).toBe('Two');
    expect(new Set(answers)).toEqual(new Set([200]));
  });

  test('a save whose answer was lost is no conflict with the next', async () => {
    const form = await home.form();
    const page = await build(form);
    await loseAnswer(page);
    await title(page).fill('One');
    await page.getByText('Not saved').waitFor();
    await title(page).fill('Two');
    await until(async () => (await draft(form)).definition?.title === 'Two');
    await saved(page);
  });

  test('what is refused is sent again with the next edit, what failed after a while', async () => {
    const form = await home.form();
    const page = await build(form);
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const sent: string[] = [];
    const refusals = [403, 503];
    await page.route('**/draft?*', (route) => {
      const status = refusals[sent.length];
      sent.push(route.request().postDataJSON().title);
      return status ? route.fulfill({ status, json: { message: `Status ${status}.` } }) : route.continue();
    });
    await title(page).fill('One');
    await page.clock.runFor(1_000);
    await page.getByText('Status 403.').waitFor();
    await page.clock.runFor(60_000);
    await title(page).fill('Two');
    await page.clock.runFor(1_000);
    await page.getByText('Status 503.').waitFor();
    await page.clock.runFor(4_000);
    expect(sent).toEqual(['One', 'Two']);
    await page.clock.runFor(1_000);
    await saved(page);
    expect(sent).toEqual(['One', 'Two', 'Two']);
  });

  test('what could not be saved and is taken back is as it was, also where its answer was lost', async () => {
    const form = await home.form();
    const page = await build(form);
    await page.clock.install();
    await page.route('**/draft?*', (route) => route.fulfill({ status: 403, json: { message: 'No.' } }), {
      times: 1,
    });
    await title(page).fill('One');
    await page.getByText('Not saved').waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await saved(page);
    await loseAnswer(page);
    await title(page).fill('Two');
    await page.getByText('Not saved').waitFor();
    expect((await draft(form)).definition.title).toBe('Two');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.clock.runFor(5_000);
    await saved(page);
    expect((await draft(form)).definition).toEqual({});
  });

  test('settings saved meanwhile stay; fields saved meanwhile are asked about', async () => {
    const form = await home.form();
    const page = await build(form);
    await page.getByRole('textbox', { name: 'Title of the form' }).fill('Mine');
    await until(async () => (await draft(form)).definition?.title === 'Mine');
    await home.call('PUT', `/open/forms/${form.id}`, { submitted_text: 'Thanks' });
    await publish(page);
    await page.getByText('The form is published.').waitFor();
    expect(await read(form)).toMatchObject({ title: 'Mine', submitted_text: 'Thanks' });

    // Also before anything is typed, and with blocks whose members the service stores in another order.
    await keepMessages(page);
    await page.getByRole('button', { name: 'Stars', exact: true }).click();
    await publish(page);
    await until(async () => (await read(form)).properties.length === 2);
    // Only then the page knows what is published.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await home.call('PUT', `/open/forms/${form.id}`, { submitted_text: 'Thanks again' });
    await title(page).fill('Mine, too');
    await until(async () => (await draft(form)).definition?.title === 'Mine, too');
    await home.call('PUT', `/open/forms/${form.id}`, { submitted_text: 'Thanks' });
    await publish(page);
    await until(async () => (await read(form)).title === 'Mine, too');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.getByRole('textbox', { name: 'Title of the form' }).fill('Mine again');
    await until(async () => (await draft(form)).definition?.title === 'Mine again');
    await home.call('PUT', `/open/forms/${form.id}`, { title: 'By another way' });
    const gate = Promise.withResolvers<void>();
    await page.route(/draft\/publish$/, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Settings' }).last().click();
    await page.waitForURL(/\/settings/);
    await page.getByRole('link', { name: 'Build' }).click();
    await publish(page);
    // The dialog stays open, or the form could be edited while changes of others are merged into it.
    const dialog = page.getByRole('dialog');
    const notYet = dialog.getByRole('button', { name: 'Not yet' });
    await notYet.and(page.locator('[aria-disabled=true]')).waitFor();
    await page.keyboard.press('Escape');
    await notYet.click({ force: true });
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    gate.resolve();
    await page.getByText('Not published: the same was changed by another way.').waitFor();
    await page.getByRole('link', { name: 'Build' }).click();
    await publish(page);
    await page.getByText('The form was changed by another way').waitFor();
    // A change after the question leads to another question.
    await home.call('PUT', `/open/forms/${form.id}`, { title: 'Once more' });
    await page.getByRole('button', { name: 'Publish mine over it' }).click();
    await page.getByText('was changed once more by another way').waitFor();
    expect((await read(form)).title).toBe('Once more');
    await page.getByRole('button', { name: 'Publish mine over it' }).click();
    await until(async () => (await home.call('GET', `/open/forms/${form.id}`)).body.title === 'Mine again');
  });

  test('what the service refuses to publish is told to whoever pressed Escape while it was asked', async () => {
    const form = await home.form();
    const page = await build(form);
    const gate = Promise.withResolvers<void>();
    await page.route(/draft\/publish$/, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await title(page).fill('Refused');
    await publish(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Close' }).and(page.locator('[aria-disabled=true]')).waitFor();
    await page.keyboard.press('Escape');
    // The state that a builder open elsewhere may save for a moment.
    await until(async () => (await draft(form)).definition?.title === 'Refused');
    await home.call('PUT', `/open/forms/${form.id}/draft`, { properties: [aField('a1', 'email', '')] });
    gate.resolve();
    await dialog.getByText('is missing a name').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('what only others change stays, and both are asked about, before the builder is opened, too', async () => {
    const form = await home.form();
    const page = await build(form);
    const online = () => read(form).then(({ title, properties }) => [title, properties.length]);
    await page.getByRole('button', { name: 'Stars', exact: true }).click();
    await until(async () => Object.keys((await draft(form)).definition ?? {}).join() === 'properties');
    await page.getByRole('link', { name: 'Settings' }).last().click();
    await page.getByRole('link', { name: 'Texts' }).click();
    await page.getByLabel('Title', { exact: true }).fill('From the settings');
    await page.getByRole('button', { name: 'Save' }).click();
    // Until the answer arrives, leaving the screen asks for confirmation.
    await page.getByRole('region', { name: 'Changes' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Build' }).click();
    await until(async () => (await title(page).inputValue()) === 'From the settings');
    // Also while the builder is open.
    await home.call('PUT', `/open/forms/${form.id}`, { title: 'Once more' });
    await publish(page);
    await page.getByText('The form is published.').waitFor();
    expect(await online()).toEqual(['Once more', 2]);
    await expect.poll(() => title(page).inputValue()).toBe('Once more');

    await page.getByRole('button', { name: 'Stars', exact: true }).click();
    await until(async () => (await draft(form)).definition?.properties.length === 3);
    const { properties } = await read(form);
    const added = [...properties, aField('a1', 'email', 'Address'), aField('a2', 'email', 'Another')];
    await home.call('PUT', `/open/forms/${form.id}`, { properties: added });
    await page.reload();
    await publish(page);
    await page.getByText('Both changed its fields').waitFor();
    await expectFine(page, 'collision');
    expect(await online()).toEqual(['Once more', 4]);
    await page.getByRole('button', { name: 'Publish mine over it' }).click();
    await until(async () => String(await online()) === 'Once more,3');
  });

  test('a blank form goes online with its questions, wherever it is published from', async () => {
    const form = await home.form({ title: 'Blank', visibility: 'draft', properties: [] });
    const page = await build(form);
    await page.getByRole('button', { name: 'Stars', exact: true }).click();
    await until(async () => (await draft(form)).definition?.properties.length === 1);
    const dialog = page.getByRole('dialog', { name: /^Publish (this form|the changes)\?$/ });
    const goTo = (screen: string) => page.goto(home.service.url + address(form).replace(/build$/, screen));
    const fromMenu = async (item: string) => {
      await page.getByRole('button', { name: 'More for Blank' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    const notYet = async () => {
      await dialog.waitFor();
      await page.waitForURL(/\/build$/);
      await dialog.getByRole('button', { name: 'Not yet' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await fromMenu('Publish');
    await notYet();
    await goTo('settings?part=danger');
    await page.getByRole('button', { name: 'Publish …' }).click();
    await notYet();
    await goTo('settings?part=access');
    await page.getByRole('link', { name: 'in the builder' }).click();
    await notYet();
    await goTo('settings?part=access');
    const states = page.getByLabel('State').getByRole('option');
    await expect
      .poll(() => states.allInnerTexts())
      .toEqual([expect.stringMatching(/^Draft/), expect.stringMatching(/^Closed/)]);
    await page.getByLabel('State').selectOption('closed');
    await expectFine(page, 'state of a draft');
    await page.getByRole('button', { name: 'Save' }).click();
    await until(async () => (await read(form)).visibility === 'closed');
    await expect.poll(() => states.count()).toBe(2);
    await fromMenu('Open again');
    await notYet();
    expect((await read(form)).visibility).toBe('closed');
    await home.call('PUT', `/open/forms/${form.id}`, { visibility: 'draft' });
    await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms?search=Blank`);
    await fromMenu('Publish');
    await dialog.getByRole('button', { name: /^Publish/ }).click();
    await page.getByText('The form is published.').waitFor();
    expect(await read(form)).toMatchObject({ visibility: 'public', properties: [{ type: 'rating' }] });

    await page.getByRole('button', { name: 'Stars', exact: true }).click();
    await page
      .getByRole('navigation', { name: 'Form', exact: true })
      .getByRole('link', { name: 'Overview' })
      .click();
    await page.getByText('Unpublished changes').waitFor();
    await expectFine(page, 'unpublished changes');
    await page.getByRole('link', { name: 'Build' }).click();
    await publish(page);
    await until(async () => (await read(form)).properties.length === 2);
    await page
      .getByRole('navigation', { name: 'Form', exact: true })
      .getByRole('link', { name: 'Overview' })
      .click();
    await page.getByRole('button', { name: 'Copy' }).waitFor();
    await page.getByText('Unpublished changes').waitFor({ state: 'detached' });
  });

  test('what is wrong is told before it is published, and leads to where it is', async () => {
    const form = await home.form({ properties: [{ id: 'a', type: 'text', name: 'Fine' }] });
    const page = await build(form);
    await page.getByRole('button', { name: 'Dropdown' }).click();
    await page.getByRole('textbox', { name: 'Option 1' }).fill('');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('An option has no name.').waitFor();
    await expectFine(page, 'publish');
    await expect
      .poll(() => dialog.getByRole('button', { name: 'Publish' }).getAttribute('aria-disabled'))
      .toBe('true');
    await dialog.getByRole('button', { name: /An option has no name/ }).click();
    await page.getByRole('textbox', { name: 'Option 1' }).fill('Named');
    await page.getByText('An option has no name.').waitFor({ state: 'detached' });
  });
});

describe('the preview', () => {
  test('lies on whole pixels, and its note goes with the direction of the form', async () => {
    const form = await home.form({ language: 'ar', layout_rtl: true });
    const page = await open(`/workspaces/${home.workspaceId}/forms/${form.id}/build`);
    const note = preview(page).getByRole('note');
    await note.waitFor();
    expect(await note.evaluate((box) => getComputedStyle(box).direction)).toBe('rtl');
    const text = note.getByText('Nothing that is entered here is stored.');
    expect(await text.evaluate((words) => getComputedStyle(words).direction)).toBe('ltr');
    const left = await page.getByTitle('Preview of the form').evaluate((frame) => {
      const area = frame.closest('section')?.getBoundingClientRect();
      return frame.getBoundingClientRect().left - (area?.left ?? 0);
    });
    expect(left % 1).toBe(0);
  });

  test('keeps what was typed and the page one is on', async () => {
    const form = await home.form({
      properties: [
        { id: 'one', type: 'text', name: 'First' },
        { id: 'pb', type: 'nf-page-break', name: 'Page' },
        { id: 'two', type: 'text', name: 'Second' },
      ],
    });
    const page = await build(form);
    await preview(page).getByLabel('First').fill('Typed before');
    await preview(page).getByRole('button', { name: 'Next' }).click();
    await preview(page).getByLabel('Second').fill('And this');
    await page.locator('[data-name-of="two"]').fill('Second, renamed');
    await preview(page).getByLabel('Second, renamed').waitFor();
    await expect.poll(() => preview(page).getByLabel('Second, renamed').inputValue()).toBe('And this');
    await preview(page).getByRole('button', { name: 'Previous' }).click();
    await expect.poll(() => preview(page).getByLabel('First').inputValue()).toBe('Typed before');
  });

  test('shows the block that is selected', async () => {
    const form = await home.form({
      properties: [
        { id: 'one', type: 'text', name: 'First' },
        { id: 'pb', type: 'nf-page-break', name: 'Page' },
        { id: 'two', type: 'text', name: 'Second' },
      ],
    });
    const page = await build(form);
    await preview(page).getByLabel('First').waitFor();
    await page.getByRole('button', { name: 'Settings of Second' }).click();
    await preview(page).getByLabel('Second').waitFor();
  });
});

test('a form is made and published by the keyboard alone', async () => {
  const form = await home.form({ visibility: 'draft', properties: [] });
  const page = await build(form);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press('/');
  await focused(page, 'Search fields');
  await page.keyboard.type('e-mail');
  await press('Enter');
  await focused(page, 'Name of the e-mail');
  await page.keyboard.type('Your address');
  // Past its menu, its arrow and its tabs to the first switch.
  const tabTo = async (isThere: () => boolean) => {
    for (let tabs = 0; tabs < 10; tabs += 1) {
      if (await page.evaluate(isThere)) return;
      await press('Tab');
    }
    throw new Error('Not in reach of the Tab key.');
  };
  await page.getByRole('switch', { name: 'Required' }).waitFor();
  await tabTo(() => document.activeElement?.getAttribute('role') === 'switch');
  await press('Space');
  await until(async () => (await draft(form)).definition?.properties?.[0]?.required === true);
  await press('Control+z');
  await until(async () => (await draft(form)).definition?.properties?.[0]?.required === false);
  await press('Control+Shift+Z');
  await until(async () => (await draft(form)).definition?.properties?.[0]?.required === true);
  await page.getByRole('button', { name: 'Publish', exact: true }).focus();
  await press('Enter');
  await page.getByRole('dialog').waitFor();
  // The focus stays in the dialog, even beside a frame.
  await press('Shift+Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true);
  await tabTo(() => document.activeElement?.textContent === 'Publish');
  await press('Enter');
  await page.getByText('The form is published.').waitFor();
  const { body } = await home.call('GET', `/open/forms/${form.id}`);
  expect(body).toMatchObject({
    visibility: 'public',
    properties: [{ name: 'Your address', required: true }],
  });
});

test('forms are made from JSON, and what is wrong with it is said', async () => {
  const page = await open(`/workspaces/${home.workspaceId}/forms`);
  await page.getByRole('button', { name: 'New form' }).first().click();
  await page.getByRole('tab', { name: 'From JSON' }).click();
  const box = page.getByRole('textbox', { name: 'Form as JSON' });
  await box.fill('{');
  await page.getByRole('button', { name: 'Create form' }).click();
  await page.getByText('This is not JSON').waitFor();
  await box.fill('{}');
  await page.getByText('This is not JSON').waitFor({ state: 'detached' });
  const questions = [{ id: 'q', type: 'text', name: 'Q', retention_days: 3 }];
  const refused = [
    { id: 'x', type: 'text', name: '' },
    { id: 'r', type: 'repeat', name: 'R', questions },
  ];
  await box.fill(JSON.stringify({ title: 'Taken over', properties: refused }));
  await page.getByRole('button', { name: 'Create form' }).click();
  await page.getByText('properties.0.name').waitFor();
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  const dialog = page.getByRole('dialog');
  expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  if (size) await page.setViewportSize(size);
  const properties = [{ id: 'x', type: 'text', name: 'Gefragt: Größe' }];
  const text = JSON.stringify({ title: 'Taken over', slug: 'no', properties });
  const file = page.getByLabel('From a file:');
  // In the encoding that Windows editors in the West may use.
  await file.setInputFiles({ name: 'a.json', mimeType: '', buffer: Buffer.from(text, 'latin1') });
  await expect.poll(() => box.inputValue()).toContain('Größe');
  await page.getByText('properties.0.name').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Create form' }).click();
  await page.waitForURL(/\/build$/);
  await until(async () => (await names(page)).join() === 'Gefragt: Größe');
});

test('those who may only read see it all and change nothing', async () => {
  const page = await build(await home.form(), await home.member('readonly'));
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Title of the form' }).getAttribute('readonly'))
    .not.toBeNull();
  await page.getByRole('button', { name: 'Settings of Name' }).click();
  await expect.poll(() => page.getByRole('switch', { name: 'Required' }).isDisabled()).toBe(true);
  await expect
    .poll(() => page.getByRole('button', { name: 'Publish', exact: true }).getAttribute('aria-disabled'))
    .toBe('true');
  await expectFine(page, 'readonly');
});

test('200 blocks stay fluent', async () => {
  const KEYS = 20;
  const properties = Array.from({ length: 200 }, (_, n) => ({
    id: `b${n}`,
    type: 'text',
    name: `Question ${n}`,
  }));
  const page = await build(await home.form({ properties }));
  await page.getByRole('button', { name: 'Settings of Question 100', exact: true }).click();
  const input = page.locator('[data-name-of="b100"]');
  await input.focus();
  const session = await page.context().newCDPSession(page);
  // Processor time of the page, independent of the machine's other load.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spentMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
  };
  const before = await spentMs();
  await input.evaluate(async (_, keys) => {
    for (let count = 0; count < keys; count += 1) {
      document.execCommand('insertText', false, 'x');
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    }
  }, KEYS);
  // About 20 ms per key; if every key redrew every block, it would be hundreds.
  expect((await spentMs()) - before).toBeLessThan(KEYS * 150);
});

test.each([
  ['wide', WIDE],
  ['phone', PHONE],
])('every tab of settings, %s', async (_, device) => {
  const form = await home.form({
    title: 'نموذج with a long title to see what becomes of it',
    properties: [
      {
        id: 'a',
        type: 'select',
        name: 'موضوع الرسالة',
        select: { options: [{ name: 'نعم' }, { name: 'لا' }] },
      },
      { id: 'p', type: 'nf-page-break', name: 'Page' },
      {
        id: 'b',
        type: 'text',
        name: 'A question that is so long that it needs several lines, in the list as well as on the page of the form',
        hidden: true,
        logic: {
          conditions: {
            operatorIdentifier: 'and',
            children: [
              {
                identifier: 'a',
                value: { operator: 'equals', property_meta: { id: 'a', type: 'select' }, value: 'نعم' },
              },
              {
                operatorIdentifier: 'or',
                children: [
                  {
                    identifier: 'a',
                    value: {
                      operator: 'is_empty',
                      property_meta: { id: 'a', type: 'select' },
                      value: true,
                    },
                  },
                ],
              },
            ],
          },
          actions: ['show-block'],
        },
        validation: {
          error_conditions: {
            conditions: {
              operatorIdentifier: 'and',
              children: [
                {
                  identifier: 'b',
                  value: {
                    operator: 'matches_regex',
                    property_meta: { id: 'b', type: 'text' },
                    value: '^a',
                  },
                },
              ],
            },
          },
          error_message: 'No',
        },
      },
    ],
  });
  const page = await build(form, home.ada, device);
  await page.getByRole('button', { name: /^Settings of A question/ }).click();
  for (const tab of ['Options', 'Logic', 'Validation', 'Look']) {
    await page.getByRole('tab', { name: tab }).click();
    const panel = page.getByRole('tabpanel', { name: tab });
    await panel.waitFor();
    // Nothing is half below the bar, which would count as too small to be hit.
    await panel.evaluate((box) => box.scrollIntoView({ block: 'end', behavior: 'instant' }));
    await expectFine(page, `builder ${tab}`);
  }
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  if (device !== PHONE) return;
  await page.getByRole('button', { name: 'Add a field' }).click();
  await page.getByRole('dialog', { name: 'Add a field' }).getByRole('button', { name: 'E-mail' }).click();
  await until(async () => (await names(page)).includes('E-mail'));
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await preview(page)
    .getByRole('heading', { name: /long title/ })
    .waitFor();
  await expectFine(page, 'builder preview');
});

test('a form that went to the trash meanwhile is not published, and nobody is asked whose changes go on', async () => {
  const form = await home.form({ properties: [aField('name', 'text', 'Your name')] });
  const page = await build(form);
  await title(page).fill('Another title');
  await saved(page);
  await home.call('POST', `/open/forms/${form.id}/trash`);
  await publish(page);
  await page.getByText('The form is in the trash. Take it out first.').waitFor();
  expect(await page.getByRole('button', { name: 'Publish mine over it' }).count()).toBe(0);
  await page.reload();
  await page.getByText(/it is deleted with its answers/).waitFor();
  await expect
    .poll(() => page.getByRole('button', { name: 'Publish', exact: true }).getAttribute('aria-disabled'))
    .toBe('true');
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect
    .poll(() => page.getByRole('button', { name: 'Publish', exact: true }).getAttribute('aria-disabled'))
    .not.toBe('true');
  expect(await title(page).inputValue()).toBe('Another title');
  // Text typed just before the form goes to the trash is kept.
  await title(page).fill('A third title');
  await page.getByRole('button', { name: 'More for Feedback' }).click();
  await page.getByRole('menuitem', { name: 'Move to trash' }).click();
  await page.waitForURL(/\/forms$/);
  await until(async () => (await draft(form)).definition?.title === 'A third title');
});
