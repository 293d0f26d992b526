import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { violationsOf } from '../setup/axe.ts';
import { DESKTOP, PHONE, useBrowser } from '../setup/browser.ts';
import { expectInvalid, useHome } from '../setup/home.ts';

/** Putting items in order: without the script, and with it by pointer, finger and keyboard, and what is read out. */
const home = useHome();
const browser = useBrowser();

const RANKING = { id: 'fruit', type: 'ranking', name: 'Fruit', options: ['Apple', 'Pear', 'Plum'] };
const REQUIRED = { ...RANKING, required: true };

interface Options {
  members?: Record<string, unknown>;
  device?: typeof DESKTOP;
  scripts?: boolean;
  query?: string;
}

async function opened(
  properties: Record<string, unknown>[],
  { members = {}, device = DESKTOP, scripts = true, query = '' }: Options = {},
): Promise<{ form: any; page: Page }> {
  const form = await home.form({ properties, ...members });
  const page = await browser.page({ ...device, javaScriptEnabled: scripts });
  await page.goto(`${home.service.url}/forms/${form.slug}${query}`);
  if (scripts) await page.locator('.ranking.movable').first().waitFor();
  return { form, page };
}

const order = (page: Page) => page.locator('.ranking li label').allInnerTexts();
const focus = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
const send = (page: Page) => page.locator('.nav .primary').click();

async function stored(page: Page, form: any): Promise<any> {
  await send(page);
  await page.locator('.thank-you').waitFor();
  const [record] = await home.records(form);
  return record.data.fruit;
}

describe('without the script', () => {
  const plain = (properties: Record<string, unknown>[], options: Options = {}) =>
    opened(properties, { ...options, scripts: false });

  test('each option is given a place; which was given twice or is missing is told, and what was chosen stays', async () => {
    const { form, page } = await plain([REQUIRED]);
    await expect
      .poll(() => page.getByLabel('Pear').locator('option').allInnerTexts())
      .toEqual(['–', '1', '2', '3']);
    await send(page);
    await expect
      .poll(() => page.locator('#summary li').allInnerTexts())
      .toEqual(['“Fruit” needs an answer.']);
    await page.getByLabel('Apple').selectOption('2');
    await page.getByLabel('Plum').selectOption('2');
    await send(page);
    await expect
      .poll(() => page.locator('#summary li').allInnerTexts())
      .toEqual(['Place 2 is given more than once.', 'No place yet: Pear']);
    expect(
      await page.locator('.ranking select').evaluateAll((all: any[]) => all.map(({ value }) => value)),
    ).toEqual(['2', '', '2']);
    await page.getByLabel('Pear').selectOption('1');
    await page.getByLabel('Plum').selectOption('3');
    expect(await violationsOfPlain(form)).toEqual([]);
    expect(await stored(page, form)).toEqual(['Pear', 'Apple', 'Plum']);
  });

  test('only what is wrong is marked so', async () => {
    const { page } = await plain([RANKING]);
    await page.getByLabel('Apple').selectOption('2');
    await send(page);
    await page.locator('#summary').waitFor();
    expect(await page.locator('[aria-invalid]').evaluateAll((all) => all.map(({ id }) => id))).toEqual([
      'f0-1',
      'f0-2',
    ]);
  });

  test('an optional one may be left alone', async () => {
    const { form, page } = await plain([RANKING]);
    expect(await stored(page, form)).toBeUndefined();
  });

  test('the address and the form may bring an order, which is kept over the steps', async () => {
    const properties = [
      { ...RANKING, prefill: ['Plum', 'Apple', 'Pear'] },
      { id: 'break', type: 'nf-page-break', name: 'Break' },
      { id: 'text', type: 'text', name: 'Text' },
    ];
    for (const [query, wanted] of [
      ['', ['Plum', 'Apple', 'Pear']],
      ['?fruit=Pear&fruit=Plum&fruit=Apple', ['Pear', 'Plum', 'Apple']],
      ['?fruit[0]=3&fruit[1]=2&fruit[2]=1', ['Plum', 'Pear', 'Apple']],
    ] as const) {
      const { form, page } = await plain(properties, { query });
      await send(page);
      await page.getByLabel('Text').fill('x');
      expect(await stored(page, form)).toEqual(wanted);
    }
  });

  /** Violations on the page without our script; axe-core itself needs scripts to run. */
  async function violationsOfPlain(form: any): Promise<string[]> {
    const context = await browser.context();
    await context.route('**/assets/**', (route) => route.abort());
    const page = await context.newPage();
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    return violationsOf(page);
  }
});

describe('with the script', () => {
  test('the buttons move, the focus stays with what is moved, and each move is read out', async () => {
    const { form, page } = await opened([REQUIRED]);
    expect(await page.locator('.ranking select:visible').count()).toBe(0);
    await page.getByRole('button', { name: 'Move “Plum” up' }).press('Enter');
    expect(await order(page)).toEqual(['Apple', 'Plum', 'Pear']);
    expect(await focus(page)).toBe('Move “Plum” up');
    await expect
      .poll(() => page.locator('.ranking ~ [role=status]').innerText())
      .toBe('“Plum”: place 2 of 3');
    await page.keyboard.press('Space');
    expect(await order(page)).toEqual(['Plum', 'Apple', 'Pear']);
    // Nothing is above it, so it does not move; its place is read out again.
    await expect
      .poll(() => page.getByRole('button', { name: 'Move “Plum” up' }).getAttribute('aria-disabled'))
      .toBe('true');
    await page.keyboard.press('Enter');
    expect(await order(page)).toEqual(['Plum', 'Apple', 'Pear']);
    expect(await focus(page)).toBe('Move “Plum” up');
    await page.getByRole('button', { name: 'Move “Apple” down' }).click();
    expect(await violationsOf(page)).toEqual([]);
    expect(await stored(page, form)).toEqual(['Plum', 'Pear', 'Apple']);
  });

  test('so do the arrow keys, Home and End, on whichever button of a row', async () => {
    const { form, page } = await opened([RANKING]);
    await page.getByRole('button', { name: 'Move “Apple” up' }).focus();
    await page.keyboard.press('ArrowDown');
    expect(await order(page)).toEqual(['Pear', 'Apple', 'Plum']);
    await page.keyboard.press('End');
    expect(await order(page)).toEqual(['Pear', 'Plum', 'Apple']);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Home');
    expect(await order(page)).toEqual(['Apple', 'Pear', 'Plum']);
    expect(await focus(page)).toBe('Move “Apple” up');
    await expect
      .poll(() => page.locator('.ranking ~ [role=status]').innerText())
      .toBe('“Apple”: place 1 of 3');
    expect(await stored(page, form)).toEqual(['Apple', 'Pear', 'Plum']);
  });

  test('untouched is no answer; that the order is right can be said, and taken back', async () => {
    const { form, page } = await opened([REQUIRED]);
    const isRight = page.getByRole('checkbox', { name: 'This order is right' });
    await send(page);
    const link = page.locator('#summary a');
    await expect.poll(() => link.innerText()).toBe('“Fruit” needs an answer.');
    await link.press('Enter');
    expect(await isRight.evaluate((box) => box === document.activeElement)).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Space');
    await page.locator('#summary').waitFor({ state: 'hidden' });
    await page.keyboard.press('Space');
    await send(page);
    await expect.poll(() => page.locator('.error[id]').innerText()).toBe('“Fruit” needs an answer.');
    await isRight.check();
    expect(await stored(page, form)).toEqual(['Apple', 'Pear', 'Plum']);
    const optional = await opened([RANKING]);
    expect(await stored(optional.page, optional.form)).toBeUndefined();
  });

  test.each([
    ['a mouse', DESKTOP, 'label'],
    ['a finger', PHONE, '.place'],
  ])('%s draws a row to its place', async (_, device, handle) => {
    const { form, page } = await opened([RANKING], { device });
    const from = await middle(page, `li:nth-child(1) ${handle}`);
    const to = await middle(page, 'li:nth-child(3)');
    const pointer = await (device === PHONE ? finger(page) : mouse(page));
    await pointer.down(from.x, from.y);
    await pointer.move(from.x, (from.y + to.y) / 2);
    await pointer.move(from.x, to.y + 8);
    await expect.poll(() => page.locator('.lifted label').innerText()).toBe('Apple');
    await expect.poll(() => order(page)).toEqual(['Pear', 'Plum', 'Apple']);
    await pointer.up();
    await expect.poll(() => page.locator('.lifted').count()).toBe(0);
    await expect
      .poll(() => page.locator('.ranking ~ [role=status]').innerText())
      .toBe('“Apple”: place 3 of 3');
    expect(await stored(page, form)).toEqual(['Pear', 'Plum', 'Apple']);
  });

  test('Escape takes a row back, and what was only touched is no answer', async () => {
    const { form, page } = await opened([RANKING]);
    const from = await middle(page, 'li:nth-child(3) label');
    const to = await middle(page, 'li:nth-child(1)');
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x, to.y - 8, { steps: 4 });
    await expect.poll(() => order(page)).toEqual(['Plum', 'Apple', 'Pear']);
    await page.keyboard.press('Escape');
    await expect.poll(() => order(page)).toEqual(['Apple', 'Pear', 'Plum']);
    await page.mouse.up();
    await page.locator('.ranking label', { hasText: 'Pear' }).click();
    await expect.poll(() => page.getByRole('checkbox').isChecked()).toBe(false);
    expect(await stored(page, form)).toBeUndefined();
  });

  test('a finger beside the handle scrolls the page', async () => {
    const many = { ...RANKING, options: Array.from({ length: 20 }, (_, index) => `Option ${index}`) };
    const { page } = await opened([many], { device: PHONE });
    const { x, y } = await middle(page, 'li:nth-child(6) label');
    const pointer = await finger(page);
    await pointer.down(x, y);
    for (let step = 1; step <= 10; step++) await pointer.move(x, y - step * 15);
    await pointer.up();
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(50);
    await expect.poll(() => page.getByRole('checkbox').isChecked()).toBe(false);
  });

  test('an order is kept on the device, and in a partial submission', async () => {
    const form = await home.form({ properties: [RANKING], enable_partial_submissions: true });
    const context = await browser.context();
    const page = await context.newPage();
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    await page.getByRole('button', { name: 'Move “Plum” up' }).click();
    await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(1);
    await page.reload();
    await page.locator('.restored').waitFor();
    await expect.poll(() => order(page)).toEqual(['Apple', 'Plum', 'Pear']);
    await expect
      .poll(() => page.getByRole('checkbox', { name: 'This order is right' }).isChecked())
      .toBe(true);
    await expect
      .poll(async () => (await home.records(form)).map(({ status, data }: any) => [status, data.fruit]))
      .toEqual([['partial', ['Apple', 'Plum', 'Pear']]]);
    expect(await stored(page, form)).toEqual(['Apple', 'Plum', 'Pear']);
  });

  test('a question is shown for who put something first, and locks what must stay', async () => {
    const condition = {
      identifier: 'fruit',
      value: { operator: 'starts_with', property_meta: { id: 'fruit', type: 'ranking' }, value: 'Plum' },
    };
    const conditions = { operatorIdentifier: 'and', children: [condition] };
    const { form, page } = await opened([
      RANKING,
      {
        id: 'why',
        type: 'text',
        name: 'Why plums?',
        hidden: true,
        logic: { conditions, actions: ['show-block'] },
      },
      { ...RANKING, id: 'locked', name: 'Locked', prefill: ['Pear', 'Plum', 'Apple'], disabled: true },
    ]);
    const why = page.getByLabel('Why plums?');
    expect(await why.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Move “Plum” up' }).first().focus();
    await page.keyboard.press('Home');
    await why.fill('Because');
    const locked = page.locator('[data-block=locked]');
    expect(await locked.locator('button:enabled, input[type=checkbox]:enabled').count()).toBe(0);
    expect(await stored(page, form)).toEqual(['Plum', 'Apple', 'Pear']);
    const [{ data }] = await home.records(form);
    expect(data).toMatchObject({ why: 'Because', locked: ['Pear', 'Plum', 'Apple'] });
  });

  test('options are called as the visitor reads them, and stored as the form calls them', async () => {
    const { form, page } = await opened([RANKING], {
      query: '?lang=de',
      members: {
        translations: { de: { properties: { fruit: { name: 'Obst', labels: { Pear: 'Birne' } } } } },
      },
    });
    await page.getByRole('button', { name: '„Birne“ nach oben' }).click();
    await expect
      .poll(() => page.locator('.ranking ~ [role=status]').innerText())
      .toBe('„Birne“: Platz 1 von 3');
    expect(await stored(page, form)).toEqual(['Pear', 'Apple', 'Plum']);
  });

  test('nothing moves when the part for it arrives', async () => {
    for (const device of [DESKTOP, PHONE]) {
      const form = await home.form({
        properties: [
          {
            ...RANKING,
            options: ['Short', 'A name of an option that is so long that it needs a second line'],
          },
          { id: 'text', type: 'text', name: 'Below' },
        ],
      });
      const page = await browser.page(device);
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(/ranking-.*js/, async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(`${home.service.url}/forms/${form.slug}`, { waitUntil: 'commit' });
      const boxes = () =>
        page
          .locator('.ranking li, .ranking li label, [data-block=text] input')
          .evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())));
      await expect.poll(boxes).toHaveLength(5);
      const before = await boxes();
      release();
      await page.locator('.movable').waitFor();
      expect(await boxes()).toEqual(before);
    }
  });

  test('where the part does not arrive the places can be given all the same', async () => {
    const form = await home.form({ properties: [REQUIRED] });
    const page = await browser.page();
    await page.route(/ranking-.*js/, () => {});
    await page.goto(`${home.service.url}/forms/${form.slug}`);
    await page.getByLabel('Apple').selectOption('3');
    await page.getByLabel('Plum').selectOption('3');
    await send(page);
    await expect
      .poll(() => page.locator('#summary li').allInnerTexts())
      .toEqual(['Place 3 is given more than once.', 'No place yet: Pear']);
    await page.getByLabel('Pear').selectOption('1');
    await page.getByLabel('Plum').selectOption('2');
    expect(await stored(page, form)).toEqual(['Pear', 'Plum', 'Apple']);
  });

  test('what is to be pressed is large enough', async () => {
    const { page } = await opened([RANKING], { device: PHONE });
    const sizes = await page
      .locator('.ranking button, .ranking .place, .ranking + label')
      .evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect()).map(({ width, height }) => [width, height]),
      );
    expect(Math.min(...sizes.flat())).toBeGreaterThanOrEqual(44);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
});

test('a correction shows the order that was given, and leaves one of other options as it is', async () => {
  const form = await home.form({ properties: [RANKING], editable_submissions: true });
  const { body } = await home.submit(form, { fruit: ['Plum', 'Pear', 'Apple'] });
  const address = `${home.service.url}/forms/${form.slug}?submission_id=${body.submission_id}`;
  const page = await browser.page();
  await page.goto(address);
  await expect.poll(() => order(page)).toEqual(['Plum', 'Pear', 'Apple']);
  const properties = [{ ...RANKING, options: ['Apple', 'Pear', 'Quince'] }];
  expect((await home.call('PUT', `/open/forms/${form.id}`, { properties })).status).toBe(200);
  await page.goto(address);
  await expect.poll(() => order(page)).toEqual(['Apple', 'Pear', 'Quince']);
  await expect.poll(() => page.getByRole('checkbox').isChecked()).toBe(false);
  expect(await stored(page, form)).toEqual(['Plum', 'Pear', 'Apple']);
});

test('the API tells what an order lacks', async () => {
  const form = await home.form({ properties: [REQUIRED], enable_partial_submissions: true });
  for (const [answer, message] of [
    [undefined, 'The Fruit field is required.'],
    [['Plum', 'Pear'], 'Not ranked: Apple'],
    [['Plum', 'Pear', 'Kiwi'], 'The selected Fruit is invalid.'],
    [['Plum', 'Pear', 'Plum'], 'Ranked more than once: Plum'],
    ['Plum', 'The Fruit must be an array.'],
  ] as const) {
    const errors = expectInvalid(await home.submit(form, { fruit: answer }), 'fruit');
    expect(errors.fruit).toEqual([message]);
  }
  expect((await home.submit(form, { fruit: ['Plum'], is_partial: true })).status).toBe(200);
  expect((await home.submit(form, { fruit: ['Plum', 'Pear', 'Apple'] })).status).toBe(200);
});

async function middle(page: Page, selector: string): Promise<{ x: number; y: number }> {
  const box = await page.locator(`.ranking ${selector}`).boundingBox();
  if (!box) throw new Error(`${selector} is not there`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

interface Pointer {
  down(x: number, y: number): Promise<unknown>;
  move(x: number, y: number): Promise<unknown>;
  up(): Promise<unknown>;
}

async function mouse(page: Page): Promise<Pointer> {
  return {
    async down(x, y) {
      await page.mouse.move(x, y);
      await page.mouse.down();
    },
    move: (x, y) => page.mouse.move(x, y, { steps: 4 }),
    up: () => page.mouse.up(),
  };
}

/** Sends touch events as a phone does. */
async function finger(page: Page): Promise<Pointer> {
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints });
  return {
    down: (x, y) => touch('touchStart', { x, y }),
    move: (x, y) => touch('touchMove', { x, y }),
    up: () => touch('touchEnd'),
  };
}
