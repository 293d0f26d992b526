import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PNG } from '../files/upload.ts';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';

/** What Chromium gives to screen readers: names, descriptions, states, and what comes into live regions. */
const home = useHome();
const browser = useBrowser();

interface Told {
  role: string;
  name: string;
  description: string;
}

/** What is said of the focused element and of what is around it, the innermost last. */
async function focused(page: Page): Promise<Told[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const isFocused = (node: (typeof nodes)[number]) =>
    node.role?.value !== 'RootWebArea' &&
    node.properties?.some(({ name, value }) => name === 'focused' && value.value === true);
  const path: Told[] = [];
  for (let node = nodes.find(isFocused); node; node = nodes.find(({ nodeId }) => nodeId === node?.parentId))
    path.unshift({
      role: node.role?.value ?? '',
      name: node.name?.value ?? '',
      description: node.description?.value ?? '',
    });
  return path;
}

/** Notes what comes into live regions that are there already, which is what screen readers say. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        const around = target instanceof Element ? target : target.parentElement;
        const region = around?.closest('[role=status],[role=alert],[aria-live=polite]');
        if (region?.checkVisibility() && ![...addedNodes].includes(region))
          said.push(region.textContent?.trim() ?? '');
      }
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said);
}

const next = (page: Page) => page.locator('.nav .primary').click();
const STEPS = [
  { id: 'name', type: 'text', name: 'Name' },
  { id: 'break', type: 'nf-page-break', name: 'Next' },
  { id: 'why', type: 'text', name: 'Why?' },
];

test.each([true, false])('a new step says which it is, focusing its first field: %s', async (autoFocus) => {
  const form = await home.form({ properties: STEPS, auto_focus: autoFocus });
  const page = await browser.page();
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  await next(page);
  const step = { role: 'region', name: 'Step 2 of 2' };
  await expect.poll(() => focused(page)).toContainEqual(expect.objectContaining(step));
  const last = (await focused(page)).at(-1);
  expect(last).toMatchObject(autoFocus ? { role: 'textbox', name: 'Why?' } : step);
});

test('the thanks are said when they come', async () => {
  const form = await home.form({ title: 'Survey', submitted_text: '<p>Many <b>thanks</b></p><p>Bye</p>' });
  const page = await browser.page();
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  await next(page);
  await page.locator('.thank-you').waitFor();
  await expect
    .poll(async () => (await focused(page)).at(-1))
    .toEqual({ role: 'group', name: 'Survey', description: 'Many thanks Bye' });
});

test('uploads are followed, and their input names them', async () => {
  const form = await home.form({
    properties: [{ id: 'files', type: 'files', name: 'Files', multiple: true }],
  });
  const page = await browser.page();
  const said = await listen(page);
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  const input = page.locator('input[type=file]');
  const choose = (name: string) => input.setInputFiles({ name, mimeType: 'image/png', buffer: PNG });
  await choose('cat.png');
  await expect.poll(said).toContain('Uploaded: cat.png');
  await choose('dog.png');
  await expect.poll(said).toContain('Uploaded: dog.png');
  const description = async () => {
    await input.focus();
    return (await focused(page)).at(-1)?.description;
  };
  await expect.poll(description).toMatch(/ Uploaded: cat.png, dog.png$/);
  await page.getByRole('button', { name: 'Remove cat.png' }).click();
  await expect.poll(description).toMatch(/ Uploaded: dog.png$/);
  await page.getByRole('button', { name: 'Remove dog.png' }).click();
  await expect.poll(description).toMatch(/^Up to \d+ MB$/);
});

test('restored answers are said once their region is there', async () => {
  const form = await home.form({ properties: STEPS });
  const page = await browser.page();
  const said = await listen(page);
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  await page.getByLabel('Name').fill('Ada');
  await expect.poll(() => page.evaluate(() => Object.values(localStorage).join())).toContain('Ada');
  await page.reload();
  await expect.poll(said).toContainEqual(expect.stringMatching(/^Your earlier answers have been restored/));
});

test('a search for options is no answer: it is neither required nor wrong', async () => {
  const options = Array.from({ length: 20 }, (_, index) => ({ name: `Choice ${index}` }));
  const form = await home.form({
    properties: [
      { id: 'many', type: 'multi_select', name: 'Many', required: true, multi_select: { options } },
    ],
  });
  const page = await browser.page();
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  const search = page.getByRole('searchbox');
  await search.waitFor();
  await next(page);
  await page.locator('#summary:not([hidden])').waitFor();
  expect(await page.getByRole('checkbox').first().getAttribute('aria-invalid')).toBe('true');
  expect(await search.getAttribute('aria-invalid')).toBeNull();
});
