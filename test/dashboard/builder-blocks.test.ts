import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { keysOfBrowser } from '../setup/keys-of-browser.ts';
import { until } from '../setup/until.ts';
import { expectFine, keepMessages, signedInPage, signInAs } from './screens.ts';

const browser = useBrowser();
const home = useHome();

async function build(properties: object[], size = { width: 1440, height: 900 }) {
  const form = await home.form({ properties });
  const page = await signedInPage(browser, home.service.url, home.ada, { viewport: size });
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/build`);
  await page.getByRole('textbox', { name: 'Title of the form' }).waitFor();
  const draft = async () => (await home.call('GET', `/open/forms/${form.id}/draft`)).body.definition;
  return { page, draft };
}

/** Pastes several lines into the focused element. */
const paste = (page: Page, text: string) =>
  page.evaluate((data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', data);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);

const optionNames = (page: Page) =>
  page.locator('input[data-name]').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));

const expectFocus = (page: Page, name: string) =>
  expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(name);

test('pasted options take the place of what was selected and of names that nobody typed', async () => {
  const { page, draft } = await build([{ id: 'a', type: 'text', name: 'A' }]);
  await page.getByRole('button', { name: 'One choice', exact: true }).click();
  await page.getByRole('textbox', { name: 'Option 1' }).click();
  await page.keyboard.press('Control+a');
  await paste(page, 'Red\nGreen\r\n\n Blue \nWhite');
  await expect.poll(() => optionNames(page)).toEqual(['Red', 'Green', 'Blue', 'White']);
  await until(async () => (await draft())?.properties?.[1]?.select.options.length === 4);
  // The cursor is in the last option.
  await expectFocus(page, 'Option 4');
  // It is at the end of the name.
  await page.keyboard.type('r');
  await expect.poll(() => optionNames(page)).toEqual(['Red', 'Green', 'Blue', 'Whiter']);

  // A selected part of a name is replaced; without a selection, the lines follow the option.
  await page.getByRole('textbox', { name: 'Option 2' }).evaluate((input: HTMLInputElement) => {
    input.focus();
    input.setSelectionRange(0, 4);
  });
  await paste(page, 'Light gre\nDark gre');
  await expect.poll(() => optionNames(page)).toEqual(['Red', 'Light gre', 'Dark gren', 'Blue', 'Whiter']);
  await page.getByRole('textbox', { name: 'Option 5' }).press('End');
  await paste(page, 'Black\nGrey');
  await expect.poll(async () => (await optionNames(page)).slice(4)).toEqual(['Whiter', 'Black', 'Grey']);

  // An empty name is replaced, and the whole paste is undone in one step.
  await page.getByRole('textbox', { name: 'Option 1' }).fill('');
  await paste(page, 'Pink\nRose');
  await expect.poll(async () => (await optionNames(page)).slice(0, 3)).toEqual(['Pink', 'Rose', 'Light gre']);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(async () => (await optionNames(page)).slice(0, 2)).toEqual(['', 'Light gre']);

  // After a removal, the cursor is in the name before: typing extends it. In a default name, typing replaces it.
  await page.getByRole('button', { name: 'Remove option 3' }).click();
  await expectFocus(page, 'Option 2');
  await page.keyboard.type('y');
  await expect.poll(async () => (await optionNames(page)).slice(0, 3)).toEqual(['', 'Light grey', 'Blue']);
  await page.keyboard.press('Enter');
  await expectFocus(page, 'Option 3');
  await page.keyboard.type('Mauve');
  await expect
    .poll(async () => (await optionNames(page)).slice(1, 4))
    .toEqual(['Light grey', 'Mauve', 'Blue']);
});

test('a name that nobody typed is typed over when it is clicked, and Enter goes on to the next', async () => {
  const { page } = await build([{ id: 'a', type: 'text', name: 'A' }]);
  await page.getByRole('button', { name: 'One choice', exact: true }).click();
  await page.getByRole('textbox', { name: 'Option 1' }).click();
  // At once, as fast as a person types.
  await page.keyboard.type('Yes');
  await page.keyboard.press('Enter');
  await page.keyboard.type('No');
  await expect.poll(() => optionNames(page)).toEqual(['Yes', 'No', 'Option 3']);
  // A typed name is extended, and Enter adds the next one after it.
  await page.getByRole('textbox', { name: 'Option 1' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type('!');
  await page.keyboard.press('Enter');
  await expectFocus(page, 'Option 2');
  await page.keyboard.type('Perhaps');
  await expect.poll(() => optionNames(page)).toEqual(['Yes!', 'Perhaps', 'No', 'Option 3']);
});

test('an option is moved without dragging, too', async () => {
  const { page, draft } = await build([
    {
      id: 'a',
      type: 'select',
      name: 'A',
      select: { options: ['One', 'Two', 'Three'].map((name) => ({ id: name, name })) },
    },
  ]);
  await page.getByRole('button', { name: 'Settings of A' }).click();
  await page.getByRole('button', { name: 'Move option 3', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Move to the top' }).click();
  await expect.poll(() => optionNames(page)).toEqual(['Three', 'One', 'Two']);
  // The handle of the moved option keeps the focus, for the next step.
  await expectFocus(page, 'Move option 1');
  await page.keyboard.press('ArrowDown');
  await page.getByRole('menuitem', { name: 'Move down' }).click();
  await expect.poll(() => optionNames(page)).toEqual(['One', 'Three', 'Two']);
  await until(async () => (await draft())?.properties?.[0]?.select.options[1]?.name === 'Three');
  await expectFine(page, 'options that can be moved');

  // A drag opens no menu.
  const handle = page.getByRole('button', { name: 'Move option 1', exact: true });
  const [from, to] = [
    await handle.boundingBox(),
    await page.getByRole('button', { name: 'Move option 3', exact: true }).boundingBox(),
  ];
  await page.mouse.move(from!.x + 5, from!.y + 5);
  await page.mouse.down();
  await page.mouse.move(from!.x + 5, from!.y + 20, { steps: 3 });
  await page.mouse.move(to!.x + 5, to!.y + 10, { steps: 8 });
  await page.mouse.up();
  await expect.poll(() => optionNames(page)).toEqual(['Three', 'Two', 'One']);
  expect(await page.getByRole('menu').count()).toBe(0);
});

test('what browsers fill in is chosen, and goes when the question becomes one they cannot fill in', async () => {
  const { page, draft } = await build([{ id: 'a', type: 'text', name: 'A' }]);
  const chosen = async () => (await draft())?.properties?.[0]?.autocomplete;
  await page.getByRole('button', { name: 'Settings of A' }).click();
  const fill = page.getByRole('combobox', { name: 'Browsers fill in' });
  await fill.selectOption('Town');
  await until(async () => (await chosen()) === 'address-level2');
  await page.getByText('Hide what is typed').click();
  await fill.waitFor({ state: 'hidden' });
  await page.getByText('Hide what is typed').click();
  await page.getByLabel('Type', { exact: true }).selectOption('Number');
  await until(async () => (await draft())?.properties?.[0]?.type === 'number');
  expect(await chosen()).toBeUndefined();
});

test('Enter adds the field whose name was typed, though others are found by the word', async () => {
  const { page, draft } = await build([{ id: 'a', type: 'text', name: 'A' }]);
  await page.getByRole('searchbox', { name: 'Search fields to add' }).fill('number');
  await page.keyboard.press('Enter');
  await page.getByRole('searchbox', { name: 'Search fields to add' }).fill('email');
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => (await draft())?.properties?.map(({ type }: { type: string }) => type))
    .toEqual(['text', 'number', 'email']);
});

test('what other products call a field and is none here is found among the settings', async () => {
  const { page } = await build([{ id: 'a', type: 'text', name: 'A' }]);
  const search = page.getByRole('searchbox', { name: 'Search fields to add' });
  const links = page.getByRole('region', { name: 'In the settings' }).getByRole('link');
  for (const [text, found] of [
    ['ending', ['Thank-you text, another page, endings']],
    ['calculated', ['Calculations']],
    ['total score', ['Calculations']],
    ['Theme', ['Colors, fonts and pictures']],
    ['translation', ['Other languages']],
    ['number', []],
    ['en', []],
  ] as const) {
    await search.fill(text);
    await expect.poll(() => links.allTextContents(), { message: text }).toEqual(found);
  }
  await search.fill('hidden field');
  await page.getByText('switch on “Hidden” in its options').waitFor();
  await search.fill('wallet');
  await page.getByText('No field with this name.').waitFor();
  await search.fill('thank');
  await links.click();
  await page.getByText('Thank-you text', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Build' }).click();
  await page.getByRole('link', { name: 'thank-you text, another page, endings' }).click();
  await page.waitForURL(/\/settings\?part=after$/);
});

test('rows and columns of a matrix are pasted likewise', async () => {
  const { page } = await build([{ id: 'a', type: 'text', name: 'A' }]);
  await page.getByRole('button', { name: 'Matrix', exact: true }).click();
  await page.getByRole('textbox', { name: 'Row 1' }).selectText();
  await paste(page, 'Food\nMusic\nPlace');
  await page.getByRole('textbox', { name: 'Column 1' }).click();
  await paste(page, 'Good\nBad');
  await expect.poll(() => optionNames(page)).toEqual(['Food', 'Music', 'Place', 'Good', 'Bad']);
});

test('a new text block is written into at once, wherever one was before', async () => {
  const { page, draft } = await build([{ id: 'a', type: 'text', name: 'A' }]);
  await page.getByRole('button', { name: 'Settings of A' }).click();
  await page.getByRole('tab', { name: 'Look' }).click();
  await page.getByRole('button', { name: 'Text block', exact: true }).click();
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  await text.waitFor();
  await page.getByText('It has no text yet, so nobody sees it.').waitFor();
  await page.getByText('The name above is for you alone').waitFor();
  await expectFine(page, 'an empty text');
  await expect.poll(() => text.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.type('Bring a warm coat.');
  await until(async () => /^(<p>)?Bring a warm coat\./.test((await draft())?.properties?.[1]?.content));
  await page.getByText('It has no text yet, so nobody sees it.').waitFor({ state: 'detached' });
});

test('Ctrl B, I and U format a text in every browser: in Firefox they are left to no bookmarks', async () => {
  const { page, draft } = await build([{ id: 'a', type: 'nf-text', name: 'A' }]);
  await page.getByRole('button', { name: 'Settings of A' }).click();
  await page.getByRole('textbox', { name: 'Text', exact: true }).click();
  const left = await keysOfBrowser(page);
  for (const key of ['b', 'i', 'u']) {
    await page.keyboard.press(`Control+${key}`);
    await page.keyboard.type(key);
    await page.keyboard.press(`Control+${key}`);
  }
  await expect.poll(async () => (await draft())?.properties?.[0]?.content).toBe('<b>b</b><i>i</i><u>u</u>');
  expect(await left()).toEqual([]);
});

test('what cannot be saved is not left without a question, and saved on the way where it can be', async () => {
  const { page, draft } = await build([{ id: 'a', type: 'text', name: 'A' }]);
  const title = page.getByRole('textbox', { name: 'Title of the form' });
  await page.route('**/draft?*', (route) => route.abort());
  await title.fill('Kept');
  await page.getByText('Not saved').waitFor();
  await page
    .getByRole('navigation', { name: 'Form', exact: true })
    .getByRole('link', { name: 'Overview' })
    .click();
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await question.waitFor();
  await expectFine(page, 'leaving what is not saved');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => title.inputValue()).toBe('Kept');
  await page.unroute('**/draft?*');
  await page
    .getByRole('navigation', { name: 'Form', exact: true })
    .getByRole('link', { name: 'Overview' })
    .click();
  await title.waitFor({ state: 'detached' });
  expect((await draft()).title).toBe('Kept');
});

test('whoever was signed out signs in beside it, and saves', async () => {
  const { page, draft } = await build([{ id: 'a', type: 'text', name: 'A' }]);
  await page.clock.install();
  await page.context().clearCookies();
  await page.getByRole('textbox', { name: 'Title of the form' }).fill('Kept');
  await page.getByText('You are signed out.').waitFor();
  await expectFine(page, 'signed out');
  await expect.poll(() => page.getByRole('link', { name: 'Sign in' }).getAttribute('target')).toBe('_blank');
  // Requests meanwhile, such as on return to the tab, do not lead to the sign-in screen.
  const asked = page.waitForResponse(
    (answer) => answer.status() === 401 && answer.request().method() === 'GET',
  );
  await page.clock.fastForward(60_000);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await asked;
  await signInAs(page.context(), home.service.url, home.ada);
  await page.getByRole('status').getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
  expect((await draft()).title).toBe('Kept');
});

test('what stands at the sides stays whole at the end of the page', async () => {
  const properties = Array.from({ length: 30 }, (_, n) => ({
    id: `b${n}`,
    type: 'text',
    name: `Field ${n}`,
  }));
  const { page } = await build(properties, { width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Move Field 29' }).scrollIntoViewIfNeeded();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const bottom = (await page.getByRole('button', { name: 'Undo', exact: true }).boundingBox())!;
  const search = (await page.getByRole('searchbox', { name: 'Search fields to add' }).boundingBox())!;
  expect(search.y).toBeGreaterThan(bottom.y + bottom.height);
  const column = page.getByRole('complementary', { name: 'Fields to add' }).locator('> div');
  expect(Math.round((await column.boundingBox())!.y)).toBe(112);
});

test('the ring around a tab is not cut off', async () => {
  const { page } = await build([{ id: 'a', type: 'text', name: 'A' }]);
  await page.getByRole('button', { name: 'Settings of A' }).click();
  await page.getByRole('tab', { name: 'Options' }).focus();
  await page.keyboard.press('ArrowRight');
  const tab = page.getByRole('tab', { name: 'Logic' });
  await expect
    .poll(() =>
      tab.evaluate((one) => [getComputedStyle(one).outlineStyle, getComputedStyle(one).outlineOffset]),
    )
    .toEqual(['solid', '-2px']);
});

test('a question becomes one of another type; what gets lost by that is said, and comes back', async () => {
  const options = [{ name: 'Red' }, { name: 'Blue' }];
  const conditions = {
    operatorIdentifier: 'and',
    children: [
      {
        identifier: 'color',
        value: { operator: 'equals', property_meta: { id: 'color', type: 'select' }, value: 'Red' },
      },
    ],
  };
  const { page, draft } = await build([
    { id: 'color', type: 'select', name: 'Color', required: true, help: '<p>One</p>', select: { options } },
    { id: 'why', type: 'text', name: 'Why', hidden: true, logic: { conditions, actions: ['show-block'] } },
    { id: 'papers', type: 'files', name: 'Papers' },
  ]);
  await keepMessages(page);
  const type = page.getByLabel('Type', { exact: true });
  await page.getByRole('button', { name: 'Settings of Color' }).click();
  await page.getByText('Answers that were given stay as they are.').waitFor();
  await type.selectOption('Several choices');
  await page.getByText('Show only when Color includes Red').waitFor();
  await expect.poll(() => optionNames(page)).toEqual(['Red', 'Blue']);
  await expectFine(page, 'another type');

  await type.selectOption('Number');
  await page.getByText('It is now of the type Number. What does not fit is gone: Options.').waitFor();
  await page.getByText('A condition of its logic is not complete.').waitFor();
  await page.getByLabel('Messages').getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Show only when Color includes Red').waitFor();
  await expect.poll(() => type.locator('option:checked').innerText()).toBe('Several choices');
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await page.getByRole('button', { name: 'Redo', exact: true }).click();
  await until(async () => (await draft())?.properties?.[0]?.type === 'multi_select');
  expect((await draft()).properties[0]).toMatchObject({
    id: 'color',
    name: 'Color',
    required: true,
    help: '<p>One</p>',
    multi_select: { options },
  });

  await page.getByRole('button', { name: 'Settings of Papers' }).click();
  await page.getByText('Another type would have no place for files.').waitFor();
  await expect.poll(() => type.isDisabled()).toBe(true);
});

test('an answer is put into a text and into help, with what is said without one', async () => {
  const { page, draft } = await build([
    { id: 'name', type: 'text', name: 'Your name' },
    { id: 'text', type: 'nf-text', name: 'Greeting', content: '<p>Nice to meet you, </p>' },
    { id: 'age', type: 'number', name: 'Your age' },
  ]);
  const open = (name: string) => page.getByRole('button', { name: `Settings of ${name}` }).click();
  const insert = async (into: string, field: string) => {
    await page.getByRole('button', { name: `Insert field into ${into}` }).click();
    const items = page.getByRole('menuitem');
    await items.first().waitFor();
    // Only questions have an answer.
    await expect.poll(() => items.allTextContents()).toEqual(['Your name', 'Your age']);
    await page.getByRole('menuitem', { name: field }).click();
  };
  await open('Greeting');
  await insert('Text', 'Your name');
  await page.getByLabel('Without an answer to Your name').fill('friend');
  await expectFine(page, 'a text with an answer');
  await open('Your age');
  await page.getByRole('textbox', { name: 'Help' }).click();
  await page.keyboard.type('How old are you, ');
  await insert('Help', 'Your name');
  await until(async () => String((await draft())?.properties?.[2]?.help).includes('mention-field-id'));
  const { properties } = await draft();
  expect(properties[1].content).toContain('mention-field-id="name" mention-fallback="friend"');
  expect(properties[2].help).toContain('How old are you,');
  expect(properties[2].help).toContain('<span mention="true" mention-field-id="name"');
});
