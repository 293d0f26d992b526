import type { BrowserContext, Page } from 'playwright-core';

/** A form of two pages; one answer is a secret. */
export const PROPERTIES = [
  { id: 'name', type: 'text', name: 'Name' },
  { id: 'pin', type: 'text', name: 'Pin', secret_input: true },
  {
    id: 'topic',
    type: 'select',
    name: 'Topic',
    select: { options: ['Sales', 'Support'].map((name) => ({ name, id: name })) },
  },
  {
    id: 'seen',
    type: 'multi_select',
    name: 'Seen',
    multi_select: { options: ['A', 'B', 'C'].map((name) => ({ name, id: name })) },
  },
  { id: 'stars', type: 'rating', name: 'Stars' },
  { id: 'pb', type: 'nf-page-break', name: 'p' },
  { id: 'more', type: 'text', name: 'More', multi_lines: true },
];

/** Everything a browser keeps for all its pages, as one text. */
export const kept = (context: BrowserContext) =>
  context
    .storageState()
    .then(({ origins }) => JSON.stringify(origins.map(({ localStorage }) => localStorage)));

/** Answers every question, and stays on the last page. */
export async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Pin').fill('4711');
  await page.getByLabel('Topic').selectOption('Support');
  await page.getByLabel('A', { exact: true }).check();
  await page.getByLabel('C', { exact: true }).check();
  await page.getByLabel('4 of 5').check({ force: true });
  await page.locator('.nav .primary').click();
  await page.getByLabel('More').fill('Line one\nLine two');
}
