import { describe, expect, test } from 'vitest';
import { useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';

const home = useHome();
const browser = useBrowser();

const AGE = {
  id: 'age',
  type: 'number',
  name: 'Age',
  number_min_value: 0,
  number_max_value: 120,
  whole_number: true,
};

describe.each([true, false])('scripts %s', (scripts) => {
  test('a number past its limits or with a fraction is refused where it is typed', async () => {
    const form = await home.form({ auto_save: false, properties: [AGE] });
    const page = await browser.page({ javaScriptEnabled: scripts });
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    const age = page.getByLabel('Age');
    expect(await age.getAttribute('inputmode')).toBe('numeric');
    for (const [typed, message] of [
      ['-1', '“Age” must be at least 0.'],
      ['121', '“Age” must be at most 120.'],
      ['1.5', '“Age” must be a whole number.'],
    ] as const) {
      await age.fill(typed);
      await age.press('Enter');
      await page.locator('.error', { hasText: message }).first().waitFor();
      expect(await age.inputValue()).toBe(typed);
    }
    expect(await home.records(form)).toEqual([]);
    await age.fill('120');
    await age.press('Enter');
    await page.locator('.thank-you').waitFor();
    const [record] = await home.records(form);
    expect(record.data.age).toBe(120);
  });
});

test('the same holds for every entry of repeated questions, and for the API', async () => {
  const people = { id: 'people', type: 'repeat', name: 'People', questions: [AGE] };
  const form = await home.form({ properties: [people] });
  const answer = (age: unknown) =>
    home.call('POST', `/forms/${form.slug}/answer`, { people: [{ age: 7 }, { age }] });
  const { status, body } = await answer(121);
  expect(status).toBe(422);
  expect(JSON.stringify(body.errors)).toContain('The Age may not be greater than 120.');
  expect((await answer('120')).status).toBe(200);
});
