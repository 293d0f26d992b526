import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DESKTOP, PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';

/** Where the lines of a form break. */
const home = useHome();
const browser = useBrowser();

const OPINIONS = [
  'Very favorably',
  'Somewhat favorably',
  'Neither one nor the other',
  'Hardly favorably',
  'Not favorably',
  'Unfamiliar',
];

async function open(properties: object[], options = DESKTOP): Promise<Page> {
  const form = await home.form({ properties });
  const page = await browser.page(options);
  await page.goto(`${home.service.url}/forms/${form.slug}`, { waitUntil: 'networkidle' });
  return page;
}

test('the mark of a required field is never alone in its line', async () => {
  const name = 'Do you like it';
  const page = await open([{ id: 'a', type: 'text', name, required: true }]);
  // At every width, the word before the mark moves to the next line with it.
  const alone = await page.locator('.label').evaluate((label, words) => {
    const text = label.firstChild as Text;
    const last = document.createRange();
    last.setStart(text, words.lastIndexOf(' ') + 1);
    last.setEnd(text, words.length);
    const mark = label.querySelector('.mark') as HTMLElement;
    const found: number[] = [];
    for (let width = 60; width < 200; width++) {
      label.style.inlineSize = `${width}px`;
      if (mark.getBoundingClientRect().bottom > last.getBoundingClientRect().bottom + 2) found.push(width);
    }
    return found;
  }, name);
  expect(alone).toEqual([]);
});

test('words at the head of a matrix of six columns are not torn', async () => {
  const rows = ['Princess Leia Organa', 'Yoda'];
  const page = await open([{ id: 'm', type: 'matrix', name: 'Characters', rows, columns: OPINIONS }]);
  const torn = await page.locator('.matrix thead th').evaluateAll((heads) =>
    heads.flatMap((head) => {
      const text = head.firstChild as Text;
      return [...text.data.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return range.getClientRects().length > 1 ? [word] : [];
      });
    }),
  );
  expect(torn).toEqual([]);
});

test('on a phone choices of a matrix that take two lines stand apart', async () => {
  const columns = [OPINIONS[0], 'Neither favorably nor unfavorably (neutral)'];
  const page = await open([{ id: 'm', type: 'matrix', name: 'Characters', rows: ['Yoda'], columns }], PHONE);
  const [label, words] = await Promise.all(
    ['label', 'label > span'].map((part) => page.locator(`.matrix td:nth-of-type(2) ${part}`).boundingBox()),
  );
  expect(words?.height).toBeGreaterThan(40);
  expect((label?.height ?? 0) - (words?.height ?? 0)).toBeGreaterThanOrEqual(16);
});
