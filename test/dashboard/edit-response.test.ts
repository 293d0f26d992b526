import { expect, test } from 'vitest';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { openResponses } from './responses.ts';
import { expectFine } from './screens.ts';

const browser = useBrowser();
const home = useHome();
const OPTIONS = { options: Array.from({ length: 30 }, (_, n) => ({ id: `${n}`, name: `Option ${n}` })) };

test('what is refused is led to, wherever it stands', async () => {
  const [email, last] = [aField('e1', 'email', 'Mail'), aField('e9', 'text', 'Last')];
  const topics = aField('e2', 'multi_select', 'Topics', { multi_select: OPTIONS });
  const two = aField('e3', 'multi_select', 'Two of them', { multi_select: OPTIONS, max_selection: 2 });
  const form = await home.form({ properties: [email, topics, two, last] });
  const { body } = await home.submit(form, {
    [email.id]: 'ada@example.com',
    [two.id]: ['Option 1', 'Option 2'],
  });
  const page = await openResponses(browser, home, form, { path: `/${body.submission_id}`, device: PHONE });
  await page.getByRole('button', { name: 'Edit' }).click();
  const panel = page.getByRole('dialog');
  const save = panel.getByRole('button', { name: 'Save' });
  const isInView = (label: string) =>
    panel.getByLabel(label, { exact: true }).evaluate((input) => {
      const { top, bottom } = input.getBoundingClientRect();
      return document.activeElement === input && top > 0 && bottom < innerHeight - 80;
    });
  await panel.getByLabel('Mail').fill('nonsense');
  await panel.getByRole('group', { name: 'Two of them' }).getByLabel('Option 3', { exact: true }).check();
  await panel.getByLabel('Last').focus();
  await save.click();
  await panel.getByText('Not saved: look at 2 answers.').waitFor();
  await expect.poll(() => isInView('Mail')).toBe(true);
  await expectFine(page, 'refused answers');
  await panel.getByLabel('Mail').fill('grace@example.com');
  await panel.getByLabel('Last').focus();
  await save.click();
  await panel.getByText('Not saved: look at 1 answer.').waitFor();
  const focused = panel.getByRole('group', { name: 'Two of them' }).locator('input:focus');
  await focused.waitFor();
  await panel.getByRole('group', { name: 'Two of them' }).getByLabel('Option 3', { exact: true }).uncheck();
  await save.click();
  await page.getByText('The response was saved.').waitFor();
  expect((await home.records(form))[0].data[email.id]).toBe('grace@example.com');
});

test('what was answered to a row of a matrix that is gone is shown, and kept', async () => {
  const name = aField('m1', 'text', 'Name');
  const matrix = (...rows: string[]) =>
    aField('m2', 'matrix', 'How was it?', { rows, columns: ['Good', 'Bad'] });
  const { id } = matrix();
  const form = await home.form({ properties: [name, matrix('Food', 'Room')] });
  const { body } = await home.submit(form, { [name.id]: 'Ada', [id]: { Food: 'Good', Room: 'Bad' } });
  await home.call('PUT', `/open/forms/${form.id}`, { properties: [name, matrix('Meals', 'Room')] });
  const page = await openResponses(browser, home, form, { path: `/${body.submission_id}` });
  const panel = page.getByRole('dialog');
  await panel.getByRole('button', { name: 'Edit' }).click();
  await expect.poll(() => panel.getByLabel('Food (removed)').inputValue()).toBe('Good');
  await panel.getByLabel('Name').fill('Ada L.');
  await panel.getByLabel('Meals').selectOption('Bad');
  await expectFine(page, 'a row that is gone');
  await panel.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The response was saved.').waitFor();
  expect((await home.records(form))[0].data).toMatchObject({
    [name.id]: 'Ada L.',
    [id]: { Food: 'Good', Room: 'Bad', Meals: 'Bad' },
  });
});

test('what is typed stays while the window becomes narrow and wide', async () => {
  const name = aField('w1', 'text', 'Name');
  const form = await home.form({ properties: [name] });
  const { body } = await home.submit(form, { [name.id]: 'Before' });
  const device = { viewport: { width: 1280, height: 800 } };
  const page = await openResponses(browser, home, form, { path: `/${body.submission_id}`, device });
  const panel = page.getByRole('dialog');
  await panel.getByRole('button', { name: 'Edit' }).click();
  const field = panel.getByLabel('Name');
  await field.fill('Half a na');
  for (const width of [700, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await field.fill(`${await field.inputValue()}!`);
  }
  expect(await field.inputValue()).toBe('Half a na!!');
});

test('numbers are written as on the page of the form', async () => {
  const price = aField('e1', 'number', 'Preis');
  const form = await home.form({ properties: [price], language: 'de' });
  const { body } = await home.submit(form, { [price.id]: 1.125 });
  const page = await openResponses(browser, home, form, { path: `/${body.submission_id}` });
  const panel = page.getByRole('dialog');
  const edit = panel.getByRole('button', { name: 'Edit' });
  const input = panel.getByLabel('Preis');
  const stored = async () => (await home.records(form))[0].data[price.id];
  await edit.click();
  await expect.poll(() => input.inputValue()).toBe('1,125');
  // Either more than a thousand, or a little more than one.
  await input.fill('1.234');
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByRole('alert').waitFor();
  expect(await stored()).toBe(1.125);
  await input.fill('4,5');
  await panel.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The response was saved.').waitFor();
  expect(await stored()).toBe(4.5);
  await edit.click();
  await input.fill('');
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect.poll(stored).toBeUndefined();
});

test('a rich text is shown and changed in its shape; an address without a scheme is a link', async () => {
  const [story, site] = [aField('e1', 'rich_text', 'Story'), aField('e2', 'url', 'Site')];
  const form = await home.form({ properties: [story, site] });
  const html =
    '<p>Hello <b>world</b></p><ul><li>one</li><li>two</li></ul><p>Look <a href="https://example.com/">there</a>, please</p>';
  const { body } = await home.submit(form, { [story.id]: html, [site.id]: 'www.example.com/a' });
  const page = await openResponses(browser, home, form, { path: `/${body.submission_id}` });
  const panel = page.getByRole('dialog');
  await expect.poll(() => panel.getByRole('listitem').allInnerTexts()).toEqual(['one', 'two']);
  expect(await panel.locator('b').innerText()).toBe('world');
  const link = panel.getByRole('link', { name: 'there' });
  expect(await link.getAttribute('target')).toBe('_blank');
  expect(await panel.getByRole('link', { name: 'www.example.com/a' }).getAttribute('href')).toBe(
    'https://www.example.com/a',
  );
  await expectFine(page, 'rich text');
  await panel.getByRole('button', { name: 'Edit' }).click();
  const editor = panel.getByRole('textbox', { name: 'Story' });
  await expect.poll(() => editor.locator('li').allInnerTexts()).toEqual(['one', 'two']);
  await editor.locator('li').last().click();
  await page.keyboard.press('End');
  await page.keyboard.type(' more');
  await expectFine(page, 'rich text, changed');
  await panel.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The response was saved.').waitFor();
  const stored = (await home.records(form))[0].data[story.id];
  expect(stored).toContain('<li>two more</li>');
  expect(stored).toContain('<b>world</b>');
});

test('what is changed during a save is not lost by it, nor what is begun after leaving', async () => {
  const [name, more] = [aField('s1', 'text', 'Name'), aField('s2', 'text', 'More')];
  const form = await home.form({ properties: [name, more] });
  const { body } = await home.submit(form, { [name.id]: 'Before' });
  const page = await openResponses(browser, home, form, { path: `/${body.submission_id}` });
  const panel = page.getByRole('dialog');
  const save = panel.getByRole('button', { name: 'Save' });
  const stored = async () => {
    const { data } = (await home.records(form))[0];
    return [data[name.id], data[more.id]];
  };
  const saved = page.getByText('The response was saved.');
  await panel.getByRole('button', { name: 'Edit' }).click();
  await panel.getByLabel('Name').fill('First');
  let gate = Promise.withResolvers<void>();
  await page.route(/\/submissions\/\d+/, async (route) => {
    if (route.request().method() === 'PUT') await gate.promise;
    await route.continue();
  });
  await save.click();
  const cancel = panel.getByRole('button', { name: 'Cancel' });
  await cancel.and(page.locator('[aria-disabled=true]')).waitFor();
  await panel.getByRole('textbox', { name: 'More' }).fill('Typed meanwhile');
  gate.resolve();
  await saved.waitFor();
  await save.and(page.locator(':not([aria-disabled=true])')).waitFor();
  expect(await panel.getByRole('textbox', { name: 'More' }).inputValue()).toBe('Typed meanwhile');
  expect(
    await panel.getByRole('textbox', { name: 'More' }).evaluate((input) => input === document.activeElement),
  ).toBe(true);
  expect(await stored()).toEqual(['First', undefined]);
  await save.click();
  await expect.poll(stored).toEqual(['First', 'Typed meanwhile']);
  await save.waitFor({ state: 'detached' });

  await page.reload();
  await panel.getByRole('button', { name: 'Edit' }).click();
  await panel.getByLabel('Name').fill('Second');
  gate = Promise.withResolvers<void>();
  await save.click();
  await cancel.and(page.locator('[aria-disabled=true]')).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Leave' }).click();
  await panel.getByRole('button', { name: 'Edit' }).click();
  await panel.getByLabel('Name').fill('Third');
  gate.resolve();
  await saved.waitFor();
  expect(await panel.getByLabel('Name').inputValue()).toBe('Third');
});

test('when the editing ends, the button that began it has the focus, beside the table and over it', async () => {
  const form = await home.form({ properties: [aField('f1', 'text', 'Name')] });
  const { body } = await home.submit(form, { f1: 'Before' });
  for (const device of [{ viewport: { width: 1440, height: 900 } }, PHONE]) {
    const page = await openResponses(browser, home, form, { path: `/${body.submission_id}`, device });
    const panel = page.getByRole('dialog');
    const edit = panel.getByRole('button', { name: 'Edit' });
    const isBack = async () => {
      await panel.getByLabel('Name').waitFor({ state: 'detached' });
      await expect.poll(() => edit.evaluate((button) => button === document.activeElement)).toBe(true);
    };
    await edit.press('Enter');
    await panel.getByRole('button', { name: 'Cancel' }).press('Enter');
    await isBack();
    await edit.press('Enter');
    await panel.getByLabel('Name').fill('After');
    await panel.getByRole('button', { name: 'Save' }).press('Enter');
    await isBack();
    await edit.press('Enter');
    await panel.getByLabel('Name').fill('Not this');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Leave' }).press('Enter');
    await isBack();
  }
});
