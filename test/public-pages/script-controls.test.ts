import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { PNG } from '../files/upload.ts';
import { DESKTOP, PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { keysOfBrowser } from '../setup/keys-of-browser.ts';

const home = useHome();
const browser = useBrowser();

const names = (count: number) => Array.from({ length: count }, (_, index) => `Option ${index + 1}`);
const options = (list: string[]) => ({ options: list.map((name) => ({ name, id: name })) });

async function opened(
  properties: Record<string, unknown>[],
  part: RegExp,
  device = DESKTOP,
): Promise<{ form: any; page: Page }> {
  const form = await home.form({ properties });
  const page = await browser.page(device);
  const loaded = page.waitForResponse(part);
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  // A loaded part may not have run yet, and would miss earlier actions.
  const url = (await loaded).url();
  await page.evaluate(`import(${JSON.stringify(url)}).then(() => {})`);
  return { form, page };
}

async function sent(page: Page, form: any): Promise<Record<string, any>> {
  await page.locator('.nav .primary').click();
  await page.locator('.thank-you').waitFor();
  const [record] = await home.records(form);
  return record.data;
}

describe.each([
  ['on a desktop', DESKTOP],
  ['on a phone', PHONE],
])('%s', (_, device) => {
  test('a long list is searched by keyboard and by pointer', async () => {
    const { form, page } = await opened(
      [
        { id: 'one', type: 'select', name: 'One', required: true, select: options(names(30)) },
        { id: 'own', type: 'select', name: 'Own', allow_creation: true, select: options(names(30)) },
        { id: 'many', type: 'multi_select', name: 'Many', multi_select: options(names(30)) },
      ],
      /combobox/,
      device,
    );
    const one = page.getByRole('combobox', { name: 'One' });
    await one.waitFor();
    await page.locator('.nav .primary').click();
    await expect.poll(() => one.getAttribute('aria-invalid')).toBe('true');
    await one.focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => one.getAttribute('aria-expanded')).toBe('true');
    await one.fill('option 2');
    await page.keyboard.press('ArrowDown');
    const active = page.locator(`[id="${await one.getAttribute('aria-activedescendant')}"]`);
    await expect.poll(() => active.textContent()).toBe('Option 20');
    await page.keyboard.press('Enter');
    await expect.poll(() => one.inputValue()).toBe('Option 20');
    await expect.poll(() => one.getAttribute('aria-invalid')).toBeNull();
    await one.fill('nothing like it');
    await page.keyboard.press('Escape');
    await expect.poll(() => one.inputValue()).toBe('Option 20');

    await page.getByRole('combobox', { name: 'Own' }).fill('Mine');
    await page.getByRole('option', { name: 'Add “Mine”' }).click();
    await page.getByRole('searchbox').fill('option 17');
    await page.getByLabel('Option 17').check();
    await expect.poll(() => page.getByLabel('Option 18').isVisible()).toBe(false);
    expect(await sent(page, form)).toMatchObject({ one: 'Option 20', own: 'Mine', many: ['Option 17'] });
  });

  test('files are uploaded at once, checked before, and can be removed', async () => {
    const { form, page } = await opened(
      [
        {
          id: 'cv',
          type: 'files',
          name: 'CV',
          required: true,
          multiple: true,
          allowed_file_types: 'png,txt',
        },
      ],
      /files-/,
      device,
    );
    const input = page.locator('input[type=file]');
    await input.setInputFiles([
      { name: 'a.png', mimeType: 'image/png', buffer: PNG },
      { name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
      { name: 'c.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') },
    ]);
    await page.getByText('This type of file is not allowed.').waitFor();
    await expect.poll(() => page.locator('.uploaded input[type=hidden]').count()).toBe(2);
    await page.getByRole('button', { name: 'Remove b.txt' }).click();
    await page.getByRole('button', { name: 'Remove c.exe' }).click();
    const data = await sent(page, form);
    expect(data.cv).toHaveLength(1);
    expect(JSON.stringify(data.cv)).toContain('a_');
  });

  test('a signature is drawn, taken back, and drawn again', async () => {
    const { form, page } = await opened(
      [{ id: 'sign', type: 'signature', name: 'Signature', required: true }],
      /signature-/,
      device,
    );
    const pad = page.getByRole('img', { name: 'Sign here' });
    const draw = async () => {
      await pad.scrollIntoViewIfNeeded();
      const box = (await pad.boundingBox())!;
      await page.mouse.move(box.x + 20, box.y + 20);
      await page.mouse.down();
      await page.mouse.move(box.x + 120, box.y + 60);
      await page.mouse.up();
    };
    const drawing = page.locator('input[type=hidden][name=sign]');
    await draw();
    await expect.poll(() => drawing.inputValue()).toMatch(/^data:image\/png;base64,/);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => drawing.inputValue()).toBe('');
    await page.getByLabel('Your name as signature').fill('Ada');
    await draw();
    await expect.poll(() => page.getByLabel('Your name as signature').inputValue()).toBe('');
    const data = await sent(page, form);
    expect(JSON.stringify(data.sign)).toContain('.png');
  });
});

test('a telephone number that is filled in with nothing but a change told is an answer', async () => {
  const { form, page } = await opened([{ id: 'tel', type: 'phone_number', name: 'Phone' }], /phone-/);
  await page.locator('.phone').waitFor();
  await page.locator('[type=tel]').evaluate((input: HTMLInputElement) => {
    input.value = '+33 7 49 11 97 83';
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
  expect(await sent(page, form)).toMatchObject({ tel: '+33749119783' });
});

test('what a program fills in with nothing but a change told is kept, and fits its mask', async () => {
  const { form, page } = await opened(
    [{ id: 'tel', type: 'text', name: 'Masked', input_mask: '99-99' }],
    /mask-/,
  );
  await page.getByLabel('Masked').evaluate((input: HTMLInputElement) => {
    input.value = '1234';
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await expect.poll(() => page.evaluate(() => JSON.stringify({ ...localStorage }))).toContain('12-34');
  expect(await sent(page, form)).toMatchObject({ tel: '12-34' });
});

test('a signature that the device interrupts is an answer as far as it is drawn', async () => {
  const { form, page } = await opened(
    [{ id: 'sign', type: 'signature', name: 'Signature', required: true }],
    /signature-/,
    PHONE,
  );
  const box = (await page.locator('canvas').boundingBox())!;
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchCancel', ...at: [number, number][]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: at.map(([x, y]) => ({ x: box.x + x, y: box.y + y })),
    });
  await touch('touchStart', [20, 20]);
  await touch('touchMove', [80, 60]);
  await touch('touchCancel');
  await expect.poll(() => page.locator('[data-drawing]').inputValue()).toMatch(/^data:/);
  expect((await sent(page, form)).sign).toEqual(expect.anything());
});

test('what is let go over the area to sign in, and was not drawn there, takes no typed name away', async () => {
  const { form, page } = await opened(
    [
      { id: 'sign', type: 'signature', name: 'Signature', required: true },
      { id: 'more', type: 'text', name: 'More', multi_lines: true },
    ],
    /signature-/,
  );
  const pad = (await page.locator('canvas').boundingBox())!;
  await page.getByLabel('Your name as signature').fill('Ada Lovelace');
  await page.getByLabel('More').fill('Selected');
  const more = (await page.getByLabel('More').boundingBox())!;
  await page.mouse.move(more.x + 10, more.y + 10);
  await page.mouse.down();
  await page.mouse.move(pad.x + 50, pad.y + 50);
  await page.mouse.up();
  expect(await page.getByLabel('Your name as signature').inputValue()).toBe('Ada Lovelace');
  expect((await sent(page, form)).sign).toEqual(expect.anything());
});

test('a rich text is written with buttons and keys, and what is pasted is cleaned', async () => {
  const { form, page } = await opened([{ id: 'text', type: 'rich_text', name: 'Text' }], /editor-/);
  const editor = page.getByRole('textbox', { name: 'Text' });
  await editor.click();
  await page.keyboard.type('plain ');
  await page.getByRole('button', { name: 'Bold' }).click();
  await page.keyboard.type('strong');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Bulleted list' }).click();
  await page.keyboard.type('item');
  await editor.evaluate((element) => {
    const data = new DataTransfer();
    data.setData('text/html', '<b class="x">in</b><script>x()</script><img src="data:,"><div>side</div>');
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  });
  const source = await page.locator('textarea').inputValue();
  expect(source).toMatch(/<b>strong<\/b>/);
  expect(source).toContain('<li><b>item</b><b>in</b></li></ul><p>side</p>');
  expect(source).not.toMatch(/script|class|img|div/);
  // The service need not change it.
  expect((await sent(page, form)).text).toBe(source);
});

test('one button makes a link and takes it away, and all buttons have room in a row of a phone', async () => {
  const { page } = await opened([{ id: 'text', type: 'rich_text', name: 'Text' }], /editor-/);
  await page.setViewportSize({ width: 360, height: 740 });
  const tools = page.locator('.toolbar > button');
  const tops = await tools.evaluateAll((all) => all.map((button) => button.getBoundingClientRect().top));
  expect(tops).toHaveLength(7);
  expect(new Set(tops).size).toBe(1);
  expect(await tools.allInnerTexts()).toEqual(Array(7).fill(''));
  await page.getByRole('textbox', { name: 'Text' }).click();
  await page.keyboard.type('our site');
  await page.keyboard.press('ControlOrMeta+A');
  await page.getByRole('button', { name: 'Link', exact: true }).click();
  await page.getByLabel('Link address').fill('example.com');
  await page.keyboard.press('Enter');
  const source = page.locator('textarea');
  await expect.poll(() => source.inputValue()).toMatch(/<a href="https:..example.com"[^>]*>our site<.a>/);
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('button', { name: 'Remove link' }).click();
  await expect.poll(() => source.inputValue()).not.toContain('<a');
  await page.getByRole('button', { name: 'Link', exact: true }).waitFor();
});

test('an empty rich text shows its placeholder, until something is in it', async () => {
  const story = { id: 'text', type: 'rich_text', name: 'Text', placeholder: 'Once upon a time …' };
  const { page } = await opened([story], /editor-/);
  const editor = page.getByRole('textbox', { name: 'Text' });
  const shown = () =>
    editor.evaluate((element) => {
      const { content, color } = getComputedStyle(element, '::before');
      return content === 'none' ? null : { content, color };
    });
  expect(await editor.getAttribute('aria-placeholder')).toBe('Once upon a time …');
  // As the placeholder of any other question.
  const color = await page
    .locator('textarea')
    .evaluate((area) => getComputedStyle(area, '::placeholder').color);
  const placeholder = { content: '"Once upon a time …"', color };
  await expect.poll(shown).toEqual(placeholder);
  await editor.click();
  expect(await shown()).toEqual(placeholder);
  await page.keyboard.type('x');
  expect(await shown()).toBeNull();
  await page.keyboard.press('Backspace');
  expect(await shown()).toEqual(placeholder);
  await page.keyboard.press('Enter');
  expect(await shown()).toBeNull();
  await page.keyboard.press('Backspace');
  expect(await shown()).toEqual(placeholder);
  await page.getByRole('button', { name: 'Bulleted list' }).click();
  expect(await shown()).toBeNull();
});

test('Ctrl B, I and U format a rich text in every browser: in Firefox they are left to no bookmarks', async () => {
  const { page } = await opened([{ id: 'text', type: 'rich_text', name: 'Text' }], /editor-/);
  await page.getByRole('textbox', { name: 'Text' }).click();
  const left = await keysOfBrowser(page);
  for (const key of ['b', 'i', 'u']) {
    await page.keyboard.press(`Control+${key}`);
    await page.keyboard.type(key);
    await page.keyboard.press(`Control+${key}`);
  }
  expect(await page.locator('textarea').inputValue()).toBe('<b>b</b><i>i</i><u>u</u>');
  await expect
    .poll(() => page.getByRole('button', { name: 'Underline' }).getAttribute('aria-pressed'))
    .toBe('false');
  expect(await left()).toEqual([]);
});

test('what is pasted into a rich text keeps its lines, also where there are hundreds', async () => {
  const { page } = await opened([{ id: 'text', type: 'rich_text', name: 'Text' }], /editor-/);
  const editor = page.getByRole('textbox', { name: 'Text' });
  const paste = (type: string, text: string) =>
    editor.evaluate(
      (element, [type, text]) => {
        element.replaceChildren();
        element.focus();
        const data = new DataTransfer();
        data.setData(type, text);
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, cancelable: true }));
        return (element as HTMLElement).innerText.trim().split(/\s*\n\s*/);
      },
      [type, text] as const,
    );
  const table = '<table><tr><td>A1</td><td>B1</td></tr><tr><td>A2</td><td>B2</td></tr></table>';
  const blocks = '<div><div>one</div><div>two <b>bold</b></div></div><h3>three</h3><pre>four\nfive</pre>';
  expect(await paste('text/html', table + blocks)).toEqual([
    'A1 B1',
    'A2 B2',
    'one',
    'two bold',
    'three',
    'four',
    'five',
  ]);
  expect(await paste('text/plain', 'first <b>\n\nlast')).toEqual(['first <b>', 'last']);
  const lines = Array.from({ length: 3_000 }, (_, index) => `line ${index}`);
  expect(await paste('text/plain', lines.join('\r\n'))).toEqual(lines);
  // As editors of code copy them, each in its color.
  const colored = lines.map((line) => `<div><span style="color: #0000ff;">${line}</span></div>`);
  expect(await paste('text/html', `<div>${colored.join('')}</div>`)).toEqual(lines);
  // As Google Docs copies them.
  await paste('text/html', '<b style="font-weight:normal;"><p><span>plain </span><b>bold</b></p></b>');
  expect(await page.locator('textarea').inputValue()).toBe('<p>plain <b>bold</b></p>');
});

test('a phone number is of the chosen country, and is checked', async () => {
  const { form, page } = await opened(
    [{ id: 'tel', type: 'phone_number', name: 'Phone', required: true, unavailable_countries: ['DE'] }],
    /phone-/,
  );
  const country = page.getByLabel('Country code');
  await country.waitFor();
  expect(await country.locator('option[value=DE]').count()).toBe(0);
  await country.selectOption('FR');
  await expect.poll(() => page.locator('.country bdi').textContent()).toBe('FR +33');
  const input = page.getByLabel('Phone', { exact: false }).and(page.locator('[type=tel]'));
  await input.fill('12');
  await page.locator('.nav .primary').click();
  await page.locator('#summary li').waitFor();
  await input.fill('07 49 11 97 83');
  expect((await sent(page, form)).tel).toBe('+33749119783');
});

test('a slider has no say until it is moved', async () => {
  const properties = [{ id: 'n', type: 'slider', name: 'N', slider_max_value: 10 }];
  const first = await opened(properties, /slider-/);
  expect((await sent(first.page, first.form)).n ?? null).toBeNull();
  const { form, page } = await opened(properties, /slider-/);
  await page.getByRole('slider').focus();
  await page.keyboard.press('ArrowRight');
  expect((await sent(page, form)).n).toBe(6);
});

test('the space bar takes the value a slider stands on', async () => {
  const { form, page } = await opened(
    [{ id: 'n', type: 'slider', name: 'N', slider_max_value: 10 }],
    /slider-/,
  );
  await page.locator('.slider.unset').waitFor();
  await page.getByRole('slider').press(' ');
  await expect.poll(() => page.locator('.slider.unset').count()).toBe(0);
  expect((await sent(page, form)).n).toBe(5);
});

test('a file that is dropped beside its field does not take the place of the form', async () => {
  const { page } = await opened([{ id: 'cv', type: 'files', name: 'CV' }], /files-/);
  await page.locator('[id$=-held]').waitFor({ state: 'attached' });
  const isStopped = (selector: string, what: 'file' | 'text') =>
    page.locator(selector).evaluate((element, what) => {
      const dataTransfer = new DataTransfer();
      if (what === 'file') dataTransfer.items.add(new File(['x'], 'x.txt'));
      else dataTransfer.setData('text/plain', 'x');
      return !element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, what);
  expect(await isStopped('h1', 'file')).toBe(true);
  expect(await isStopped('h1', 'text')).toBe(false);
  const isStoppedOnText = await page.locator('h1').evaluate(({ firstChild }) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'x.txt'));
    return !firstChild!.dispatchEvent(
      new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
    );
  });
  expect(isStoppedOnText).toBe(true);
  expect(await page.locator('.uploaded li').count()).toBe(0);
});

test('a refused file says why, also when the form is sent', async () => {
  const { page } = await opened(
    [{ id: 'cv', type: 'files', name: 'CV', required: true, allowed_file_types: 'pdf' }],
    /files-/,
  );
  await page.locator('[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PNG });
  await page.locator('[data-failed]').waitFor();
  await page.locator('.nav .primary').click();
  await page.locator('#summary').getByText('This type of file is not allowed.').waitFor();
});

test('masks, counters and hidden texts help while one types', async () => {
  const { form, page } = await opened(
    [
      { id: 'tel', type: 'text', name: 'Masked', input_mask: '(999) 999-9999' },
      { id: 'short', type: 'text', name: 'Short', max_char_limit: 5, show_char_limit: true },
      { id: 'pin', type: 'text', name: 'Pin', secret_input: true },
    ],
    /secret-/,
  );
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect.poll(() => page.getByLabel('Pin').getAttribute('type')).toBe('text');
  await page.getByLabel('Masked').pressSequentially('5551234567');
  await expect.poll(() => page.getByLabel('Masked').inputValue()).toBe('(555) 123-4567');
  await page.getByLabel('Short').fill('😀😀😀');
  await page.getByText('2 characters left').waitFor();
  expect(await sent(page, form)).toMatchObject({ tel: '(555) 123-4567', short: '😀😀😀' });
});

test('of a rich text what is seen is counted, as the rule does', async () => {
  const story = { id: 'r', type: 'rich_text', name: 'Story', max_char_limit: 10, show_char_limit: true };
  const { form, page } = await opened([story], /editor-/);
  await page.locator('.editor').click();
  await page.keyboard.type('Hello');
  await page.keyboard.press('Enter');
  await page.keyboard.type('world');
  await page.getByText('0 characters left').waitFor();
  expect(await sent(page, form)).toMatchObject({ r: expect.stringMatching(/Hello.*world/) });
});

test('a video of another site is loaded when somebody asks for it', async () => {
  const { page } = await opened(
    [
      {
        id: 'v',
        type: 'nf-video',
        name: 'Film',
        video_block: { url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' },
      },
      { id: 'name', type: 'text', name: 'Name' },
    ],
    /player-/,
  );
  const asked: string[] = [];
  await page.route('https://www.youtube-nocookie.com/**', (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: 'text/html', body: 'player' });
  });
  await page.getByText('Load video from').click();
  await expect.poll(() => asked).toEqual(['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1']);
});

test('a long list opens without a choice, or at the one that was made', async () => {
  const { page } = await opened(
    [{ id: 'one', type: 'select', name: 'One', select: options(names(30)) }],
    /combobox/,
  );
  // The browser's own list has the same name.
  const one = page.locator('.combo').getByRole('combobox', { name: 'One' });
  await one.press('ArrowDown');
  await expect.poll(() => one.getAttribute('aria-expanded')).toBe('true');
  await expect.poll(() => one.getAttribute('aria-activedescendant')).toBeNull();
  await one.press('ArrowDown');
  await one.press('ArrowDown');
  await one.press('Enter');
  await expect.poll(() => one.inputValue()).toBe('Option 2');
  await one.press('ArrowUp');
  await expect.poll(() => page.locator('[data-at]').textContent()).toBe('Option 2');
});

test('what is typed into a long list counts when the list is left', async () => {
  const { form, page } = await opened(
    [
      { id: 'one', type: 'select', name: 'One', select: options(names(30)) },
      { id: 'own', type: 'select', name: 'Own', allow_creation: true, select: options(names(30)) },
    ],
    /combobox/,
  );
  const [one, own] = [
    page.locator('.combo').getByRole('combobox', { name: 'One' }),
    page.locator('.combo').getByRole('combobox', { name: 'Own' }),
  ];
  await one.fill('nothing like it');
  await page.locator('.nav .primary').click();
  const link = page.locator('#summary').getByRole('link', { name: 'The choice for “One” is not valid.' });
  await link.waitFor();
  await own.fill('My own thing');
  await own.press('Tab');
  await expect.poll(() => own.inputValue()).toBe('My own thing');
  await expect.poll(() => one.inputValue()).toBe('nothing like it');
  await expect.poll(() => one.getAttribute('aria-invalid')).toBe('true');
  await one.fill('option 7');
  await one.press('Tab');
  await expect.poll(() => one.inputValue()).toBe('Option 7');
  await link.waitFor({ state: 'detached' });
  expect(await sent(page, form)).toMatchObject({ one: 'Option 7', own: 'My own thing' });
});

test('a number beside a slider becomes the nearest step, and one beyond its ends is told', async () => {
  const steps = { slider_min_value: 5, slider_max_value: 100, slider_step_value: 10 };
  const { form, page } = await opened(
    [
      { id: 'one', type: 'slider', name: 'One', ...steps },
      { id: 'two', type: 'slider', name: 'Two', ...steps },
    ],
    /slider-/,
  );
  const one = page.locator('[data-block=one] [data-slider]');
  await page.locator('[data-block=one] [type=range]').waitFor();
  for (const [typed, wanted] of [
    ['69', '65'],
    ['70.5', '75'],
    ['100', '95'],
    ['', ''],
    ['101', '101'],
    ['x', 'x'],
  ] as const) {
    await one.fill(typed);
    await page.locator('[data-block=two] [data-slider]').focus();
    expect(await one.inputValue(), typed).toBe(wanted);
  }
  await one.fill('101');
  await page.locator('.nav .primary').click();
  await page.locator('#summary').getByText('“One” must be at most 100').waitFor();
  await one.fill('44');
  const two = page.locator('[data-block=two] [data-slider]');
  await two.fill('51');
  await two.press('Enter');
  await page.waitForURL(/thank-you/);
  expect((await home.records(form))[0].data).toMatchObject({ one: 45, two: 55 });
});

test('a row of a matrix is taken back where it may be empty', async () => {
  const rows = { rows: ['Food', 'Rooms'], columns: ['Bad', 'Good'] };
  const { page, form } = await opened(
    [
      { id: 'mx', type: 'matrix', name: 'Matrix', ...rows },
      { id: 'must', type: 'matrix', name: 'Must', required: true, ...rows },
    ],
    /form-/,
  );
  const matrix = page.getByRole('group', { name: 'Matrix' });
  const clear = matrix.getByRole('radio', { name: 'Food: Clear' });
  expect(await page.getByRole('radio', { name: /Clear/ }).count()).toBe(0);
  await matrix.getByRole('radio', { name: 'Food: Bad' }).check();
  const height = (await matrix.boundingBox())?.height;
  await matrix.getByRole('radio', { name: 'Rooms: Good' }).check();
  expect((await matrix.boundingBox())?.height).toBe(height);
  await clear.click();
  await page.getByRole('radio', { name: 'Rooms: Bad' }).last().check();
  expect(await page.getByRole('radio', { name: /Clear/ }).count()).toBe(1);
  await page.getByRole('radio', { name: 'Food: Bad' }).last().check();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.locator('.thank-you').waitFor();
  const [{ data }] = await home.records(form);
  expect(data.mx).toEqual({ Rooms: 'Good' });
  expect(data.must).toEqual({ Food: 'Bad', Rooms: 'Bad' });
});

test('the code of a country is asked for where its list does not say it', async () => {
  const tel = { id: 'tel', type: 'phone_number', name: 'Tel' };
  const { page } = await opened([tel], /phone-/);
  const hint = page.getByText('With country code');
  const country = page.locator('.country select');
  await country.waitFor();
  await page.locator('[type=tel]').focus();
  await hint.waitFor();
  await country.selectOption('DE');
  expect(await hint.count()).toBe(0);
  const german = await opened([tel], /phone-/, { ...DESKTOP, locale: 'de-DE' });
  await expect.poll(() => german.page.locator('.country select').inputValue()).toBe('DE');
  await german.page.locator('[type=tel]').focus();
  expect(await german.page.getByText('With country code').count()).toBe(0);
});

test('a browser whose language is none has the list of countries all the same', async () => {
  const context = await browser.context();
  await context.addInitScript(() => Object.defineProperty(navigator, 'language', { value: 'C' }));
  const { slug } = await home.form({ properties: [{ id: 'tel', type: 'phone_number', name: 'Tel' }] });
  const page = await context.newPage();
  await page.goto(`${home.service.url}/forms/${slug}`);
  await page.locator('.country select').selectOption('DE');
});

test('what an input method is asked with Enter and arrows takes nothing from a long list', async () => {
  const list = names(30).map((name) => `東京 ${name}`);
  const { page } = await opened(
    [{ id: 'city', type: 'select', name: 'City', select: options(list) }],
    /combobox/,
  );
  const city = page.getByRole('combobox', { name: 'City' });
  await city.fill('東');
  const taken = await city.evaluate((input) =>
    [{ isComposing: true }, { keyCode: 229 }].flatMap((composing) =>
      ['ArrowDown', 'Enter', 'Escape'].map(
        (key) => !input.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true, ...composing })),
      ),
    ),
  );
  expect(taken).not.toContain(true);
  expect(await city.inputValue()).toBe('東');
  await city.press('Enter');
  expect(await city.inputValue()).toBe('東京 Option 1');
});

test('a long list and a rich text are locked and unlocked by conditions, and their answers sent', async () => {
  const logic = (action: string) => ({
    conditions: {
      operatorIdentifier: 'and',
      children: [
        {
          identifier: 'box',
          value: { operator: 'is_checked', property_meta: { id: 'box', type: 'checkbox' }, value: true },
        },
      ],
    },
    actions: [action],
  });
  const [shut, open] = [{ disabled: true, logic: logic('enable-block') }, { logic: logic('disable-block') }];
  const list = { type: 'select', select: options(names(30)), prefill: 'Option 3' };
  const text = { type: 'rich_text', prefill: '<p>Dear all</p>' };
  const { form, page } = await opened(
    [
      { id: 'box', type: 'checkbox', name: 'Box' },
      { id: 'list', name: 'List', ...list, ...shut },
      { id: 'text', name: 'Text', ...text, ...shut },
      { id: 'other-list', name: 'Other list', ...list, ...open },
      { id: 'other-text', name: 'Other text', ...text, ...open },
    ],
    /combobox/,
  );
  const isOpen = async () => {
    const locked = (name: string) => page.getByRole('combobox', { name, exact: true }).isDisabled();
    const editable = (name: string) =>
      page.getByRole('textbox', { name, exact: true }).getAttribute('contenteditable');
    return [
      !(await locked('List')),
      await editable('Text'),
      !(await locked('Other list')),
      await editable('Other text'),
    ];
  };
  await page.locator('.editor').nth(1).waitFor();
  expect(await isOpen()).toEqual([false, 'false', true, 'true']);
  await page.getByLabel('Box').check();
  await expect.poll(isOpen).toEqual([true, 'true', false, 'false']);
  await page.getByRole('combobox', { name: 'List', exact: true }).fill('Option 7');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Dear Ada');
  const answers = await sent(page, form);
  expect(answers).toMatchObject({ list: 'Option 7', 'other-list': 'Option 3' });
  expect([answers.text, answers['other-text']]).toEqual(['<p>Dear Ada</p>', '<p>Dear all</p>']);
});

test('Enter goes past what is locked, and so does the focus on a page that begins with it', async () => {
  const locked = [
    {
      id: 'way',
      type: 'select',
      name: 'Way',
      options: ['Bus', 'Train'],
      without_dropdown: true,
      disabled: true,
    },
    { id: 'text', type: 'rich_text', name: 'Text', disabled: true },
  ];
  const { page } = await opened(
    [
      { id: 'name', type: 'text', name: 'Name' },
      ...locked,
      { id: 'age', type: 'number', name: 'Age' },
      { id: 'break', type: 'nf-page-break', name: 'Break' },
      ...locked.map((field) => ({ ...field, id: `other-${field.id}` })),
      { id: 'mail', type: 'email', name: 'Mail' },
    ],
    /editor/,
  );
  const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement).name);
  await page.getByLabel('Name').press('Enter');
  await expect.poll(focused).toBe('age');
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('mail');
});
