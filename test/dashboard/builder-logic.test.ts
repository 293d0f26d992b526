import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { expectFine, signedInPage } from './screens.ts';

const browser = useBrowser();
const home = useHome();

async function build(properties: object[]): Promise<{ page: Page; id: number; slug: string }> {
  const form = await home.form({ properties });
  const page = await signedInPage(browser, home.service.url, home.ada, {
    viewport: { width: 1440, height: 900 },
  });
  await page.goto(`${home.service.url}/workspaces/${home.workspaceId}/forms/${form.id}/build`);
  await page.getByRole('textbox', { name: 'Title of the form' }).waitFor();
  return { page, id: form.id, slug: form.slug };
}

const focused = (page: Page, label: string) =>
  until(async () =>
    (
      await page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
      )
    )?.includes(label),
  );

/** Publishes a form without any problem. */
async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('No problems found.').waitFor();
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('The form is published.').waitFor();
}

const ARRIVAL = {
  id: 'arrival',
  type: 'select',
  name: 'How do you arrive?',
  without_dropdown: true,
  select: {
    options: [
      { id: '1', name: 'By train' },
      { id: '2', name: 'With the club bus' },
    ],
  },
};

test('what is to be shown is hidden until the answer fits, required or not', async () => {
  const { page, id, slug } = await build([
    ARRIVAL,
    { id: 'stop', type: 'text', name: 'Where do you get on?', required: true },
    { id: 'note', type: 'nf-text', name: 'About the bus', content: '<p>The bus leaves at nine.</p>' },
  ]);
  for (const name of ['Where do you get on?', 'About the bus']) {
    await page.getByRole('button', { name: `Settings of ${name}`, exact: true }).click();
    await page.getByRole('tab', { name: 'Logic' }).click();
    await page.getByRole('button', { name: 'Add logic' }).click();
    await page.getByRole('combobox', { name: 'Field' }).selectOption('How do you arrive?');
    await page.getByRole('combobox', { name: 'Value' }).selectOption('With the club bus');
    await page
      .getByRole('tabpanel')
      .getByText('Show only when “How do you arrive?” is With the club')
      .waitFor();
    await expect.poll(() => page.getByRole('checkbox', { name: 'Show it' }).isChecked()).toBe(true);
  }
  await expectFine(page, 'logic');
  await publish(page);

  const visitor = await browser.page();
  await visitor.goto(`${home.service.url}/forms/${slug}`);
  const stop = visitor.getByLabel('Where do you get on?');
  const note = visitor.getByText('The bus leaves at nine.');
  await visitor.getByRole('radio', { name: 'By train' }).check();
  expect([await stop.isVisible(), await note.isVisible()]).toEqual([false, false]);
  await visitor.getByRole('radio', { name: 'With the club bus' }).check();
  await stop.waitFor();
  await note.waitFor();
  // While shown, it is required.
  await visitor.getByRole('button', { name: 'Submit' }).click();
  await until(async () => (await stop.getAttribute('aria-invalid')) === 'true');
  await visitor.getByRole('radio', { name: 'By train' }).check();
  await stop.waitFor({ state: 'hidden' });
  await visitor.getByRole('button', { name: 'Submit' }).click();
  await until(async () => (await home.records({ id })).length === 1);
});

test('a whole page is shown or skipped by the logic of its break', async () => {
  const { page, slug } = await build([
    ARRIVAL,
    { id: 'bus', type: 'nf-page-break', name: 'The bus' },
    { id: 'stop', type: 'text', name: 'Where do you get on?', required: true },
    { id: 'last', type: 'nf-page-break', name: 'The end' },
    { id: 'wish', type: 'text', name: 'Any wish?' },
  ]);
  await page.getByRole('button', { name: 'Settings of The bus' }).click();
  await page.getByRole('tab', { name: 'Logic' }).click();
  await page.getByText('Show or skip this page depending on other answers.').waitFor();
  await page.getByRole('button', { name: 'Add logic' }).click();
  await expect.poll(() => page.getByRole('checkbox', { name: 'Show it' }).isChecked()).toBe(true);
  // A question on the page itself could never show that page.
  await page.getByRole('combobox', { name: 'Field' }).selectOption('Where do you get on?');
  await page.getByText('It can never be shown: “Where do you get on?” is asked on a later page.').waitFor();
  await page.getByRole('combobox', { name: 'Field' }).selectOption('How do you arrive?');
  await page.getByRole('combobox', { name: 'Value' }).selectOption('With the club bus');
  await expectFine(page, 'logic of a page');
  await publish(page);

  const visitor = await browser.page();
  await visitor.goto(`${home.service.url}/forms/${slug}`);
  for (const [way, question] of [
    ['By train', 'Any wish?'],
    ['With the club bus', 'Where do you get on?'],
  ] as const) {
    await visitor.getByRole('radio', { name: way }).check();
    await visitor.getByRole('button', { name: 'Next' }).click();
    await visitor.getByLabel(question).waitFor();
    await visitor.locator('[data-back]').click();
  }
});

test('the focus goes to the first condition, and back where it began', async () => {
  const { page } = await build([ARRIVAL, { id: 'stop', type: 'text', name: 'Stop' }]);
  await page.getByRole('button', { name: 'Settings of Stop' }).click();
  for (const [tab, add, remove] of [
    ['Logic', 'Add logic', 'Remove the logic'],
    ['Validation', 'Add a rule', 'Remove the rule'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    await page.getByRole('button', { name: add }).press('Enter');
    await focused(page, 'Field');
    await page.getByRole('button', { name: remove }).press('Enter');
    await focused(page, add);
  }
});

test('a new condition is no mistake before its value was left empty', async () => {
  const { page } = await build([
    { id: 'name', type: 'text', name: 'Your name' },
    { id: 'stop', type: 'text', name: 'Where do you get on?' },
  ]);
  await page.getByRole('button', { name: 'Settings of Where do you get on?', exact: true }).click();
  await page.getByRole('tab', { name: 'Logic' }).click();
  await page.getByRole('button', { name: 'Add logic' }).click();
  const value = page.getByRole('textbox', { name: 'Value' });
  await value.waitFor();
  await page.getByText('Saved').waitFor();
  expect(await value.getAttribute('aria-invalid')).toBeNull();
  // It is one as soon as the form was to be published.
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('button', { name: 'Not yet' }).click();
  await expect.poll(() => value.getAttribute('aria-invalid')).toBe('true');
  await page.getByRole('button', { name: 'Remove the logic' }).click();
  await page.getByRole('button', { name: 'Add logic' }).click();
  await value.waitFor();
  expect(await value.getAttribute('aria-invalid')).toBeNull();
  await value.focus();
  await page.keyboard.press('Tab');
  await expect.poll(() => value.getAttribute('aria-invalid')).toBe('true');
  await value.fill('Ada');
  await expect.poll(() => value.getAttribute('aria-invalid')).toBeNull();
  // One that was stored without a value is marked at once.
  await value.fill('');
  await page.getByText('Saved').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Settings of Where do you get on?', exact: true }).click();
  await page.getByRole('tab', { name: 'Logic' }).click();
  await expect.poll(() => value.getAttribute('aria-invalid')).toBe('true');
});
