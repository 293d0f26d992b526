import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DESKTOP, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { servePictures } from './every-field.ts';
import { foreignParts, INJECTED_ADDRESSES, INJECTIONS, watchInjections } from './injections.ts';

/**
 * Tries attacks as every text of a form, as every answer and as every part of an address, in a real browser. None may run, and
 * none may be in the page and be stopped only by the content policy.
 */
/** Milliseconds for tests that open a hundred pages. */
const LONG = 600_000;

const home = useHome();
const browser = useBrowser();

/** Members of a form that hold a text. */
const TEXTS = [
  ...['title', 'description', 'submit_button_text', 'submitted_text', 'closed_text', 'font_family', 'color'],
  ...[
    'max_submissions_reached_text',
    're_fill_button_text',
    'editable_submissions_button_text',
    'custom_css',
  ],
  ...['custom_code', 'redirect_url', 'pdf_download_button_text'],
];
const SEO_KEYS = ['page_title', 'page_description', 'page_thumbnail', 'page_favicon', 'site_name'];

interface Watched {
  page: Page;
  seen: string[];
  open(path: string): Promise<void>;
}

/** With `policy` false there is no content policy, so everything runs that gets into the page. */
async function watched({ scripts = true, policy = true, enhances = true } = {}): Promise<Watched> {
  const context = await browser.context({ ...DESKTOP, bypassCSP: !policy });
  await servePictures(context);
  if (!scripts) await context.route('**/assets/**', (route) => route.abort());
  const seen = await watchInjections(context);
  const page = await context.newPage();
  return {
    page,
    seen,
    open: async (path) => {
      await page.goto(home.service.url + path);
      // Parts of the script load after the page.
      if (scripts && enhances) await page.waitForLoadState('networkidle');
    },
  };
}

/** Checks that nothing ran, that nothing foreign is in the page, and that the page is still ours. */
async function expectUnharmed({ page, seen }: Watched, injection: string): Promise<void> {
  expect(new URL(page.url()).origin).toBe(home.service.url);
  expect(await foreignParts(page), injection).toEqual([]);
  expect(seen, injection).toEqual([]);
}

/** A form with these members, without refused ones: `title`, or `properties.3.image.url` for the block's image. */
async function formOf(members: Record<string, unknown>): Promise<any> {
  const kept = structuredClone({ workspace_id: home.workspaceId, ...members }) as any;
  for (let tries = 0; tries < 5; tries++) {
    const answer = await home.call('POST', '/open/forms', kept);
    if (answer.status < 300) return answer.body;
    expect(answer.status, answer.text).toBe(422);
    for (const key of Object.keys(answer.body.errors)) {
      const [member = '', index, own] = key.split('.');
      if (own !== undefined) delete kept[member][Number(index)][own];
      else if (member !== 'properties') delete kept[member];
    }
  }
  throw new Error('No form could be made of these members.');
}

/** Blocks of every type in which every text is this one. */
function blocksOf(text: string, address: string, at: number): Record<string, unknown>[] {
  const common = {
    name: text,
    help: text,
    placeholder: text,
    prefill: text,
    content: text,
    next_btn_text: text,
    previous_btn_text: text,
    input_mask: text,
    slot_char: text.slice(0, 1),
    image: { url: at % 2 === 0 ? text : address, alt: text, layout: 'between', focal_point: { x: 1, y: 2 } },
  };
  const options = [text, 'Another'].map((name) => ({ name, id: text, image: address }));
  const own: Record<string, object> = {
    text: {},
    number: {},
    email: {},
    url: {},
    phone_number: { unavailable_countries: [text] },
    date: { date_format: text, time_format: text },
    select: { options },
    multi_select: { options, option_display_mode: 'text_and_image', allow_creation: true },
    matrix: { rows: [text, 'Row'], columns: [text, 'Column'] },
    ranking: { options },
    files: { allowed_file_types: text },
    signature: {},
    barcode: { decoders: [text] },
    location: {},
    repeat: {
      entry_name: text,
      questions: [
        { id: 'q', type: 'text', name: text, help: text, placeholder: text },
        { id: 's', type: 'select', name: text, options: [text, 'Option'] },
        { id: 'm', type: 'multi_select', name: text, options: [text, 'Option'] },
      ],
    },
    'nf-text': {},
    'nf-image': { image_block: { url: address, alt: text, link: text } },
    'nf-video': { video_block: { url: address } },
    'nf-audio': { audio_block: address },
    'nf-code': {},
  };
  return Object.entries(own).map(([type, more], index) => ({
    ...common,
    ...more,
    id: `f${at}-${index}`,
    type,
  }));
}

describe('what an owner writes', () => {
  test('as texts of the form', { timeout: LONG }, async () => {
    const visitor = await watched({ enhances: false });
    for (const [index, text] of INJECTIONS.entries()) {
      const form = await formOf({
        title: text,
        properties: [{ id: 'name', type: 'text', name: text }],
        ...Object.fromEntries(TEXTS.map((key) => [key, text])),
        logo_picture: INJECTED_ADDRESSES[index],
        cover_picture: INJECTED_ADDRESSES[index],
        cover_settings: { note: text },
        seo_meta: Object.fromEntries(
          SEO_KEYS.map((key) => [key, index % 2 ? text : INJECTED_ADDRESSES[index]]),
        ),
        settings: { note: text },
        translations: { note: text },
        editable_submissions: true,
        re_fillable: true,
        presentation_style: index % 2 ? 'classic' : 'focused',
      });
      await visitor.open(`/forms/${form.slug}`);
      await expectUnharmed(visitor, text);
    }
  });

  test('in a closed form, a full one, and one with a password', { timeout: LONG }, async () => {
    const visitor = await watched({ scripts: false });
    for (const text of INJECTIONS) {
      const members = { title: text, closed_text: text, max_submissions_reached_text: text, properties: [] };
      const closed = await home.form({ ...members, visibility: 'closed' });
      await visitor.open(`/forms/${closed.slug}`);
      await expectUnharmed(visitor, text);
    }
    const locked = await home.form({ title: INJECTIONS.join(' '), password: 'open sesame' });
    await visitor.open(`/forms/${locked.slug}`);
    await expectUnharmed(visitor, 'password');
  });

  test.each([0, 10, 20, 30])('as texts of every block, from number %d', async (from) => {
    const visitor = await watched();
    const properties = INJECTIONS.slice(from, from + 10).flatMap((text, index) =>
      blocksOf(text, INJECTED_ADDRESSES[from + index] ?? '', from + index),
    );
    const form = await formOf({ title: 'Blocks', properties });
    await visitor.open(`/forms/${form.slug}`);
    await expect.poll(() => visitor.page.locator('[data-block]').count()).toBeGreaterThan(100);
    await expectUnharmed(visitor, `from ${from}`);
  });
});

describe('what visitors write', () => {
  const ASKED = INJECTIONS.flatMap((_, index) => [
    { id: `f${index}`, type: 'text', name: `Text ${index}`, multi_lines: index % 2 === 0 },
    { id: `s${index}`, type: 'select', name: `Choice ${index}`, options: ['A'], allow_creation: true },
    { id: `m${index}`, type: 'multi_select', name: `Choices ${index}`, options: ['A'], allow_creation: true },
  ]);
  const OTHERS = [
    'number',
    'email',
    'url',
    'phone_number',
    'date',
    'rating',
    'scale',
    'slider',
    'matrix',
    'barcode',
    'location',
  ];
  const REFUSED = [...OTHERS, 'files', 'signature', 'payment', 'checkbox'].flatMap((type) =>
    INJECTIONS.map((_, index) => ({
      id: `${type}-${index}`,
      type,
      name: `${type} ${index}`,
      rows: ['Row'],
      columns: ['Column'],
    })),
  );
  const answersOf = (fields: readonly { id: string; type: string }[]) =>
    fields.map(({ id, type }): [string, string] => [
      type === 'matrix' ? `${id}[0]` : id,
      INJECTIONS[Number(/\d+$/.exec(id)?.[0])] ?? '',
    ]);

  test('in the address of the page, and shown in the fields', async () => {
    const form = await home.form({ properties: ASKED });
    for (const scripts of [true, false]) {
      const visitor = await watched({ scripts });
      for (const from of [0, 38, 76]) {
        const answers = answersOf(ASKED.slice(from, from + 38));
        await visitor.open(`/forms/${form.slug}?${new URLSearchParams(answers)}`);
        const [id, text] = answers.find(([name]) => name.startsWith('f')) ?? [];
        await expect.poll(() => visitor.page.locator(`[name="${id}"]`).inputValue()).toBe(text);
        await expectUnharmed(visitor, `scripts ${scripts}, from ${from}`);
      }
    }
  });

  // The editor parses its input in an inert document. Chromium reports policy violations even there, where nothing can run,
  // so this test turns the policy off; still, nothing may run.
  test('as rich text, in the editor and in its source', async () => {
    const fields = INJECTIONS.map((_, index) => ({
      id: `f${index}`,
      type: 'rich_text',
      name: `Rich ${index}`,
    }));
    const shown = INJECTIONS.map((content, index) => ({
      id: `t${index}`,
      type: 'nf-text',
      name: 'Text',
      content,
    }));
    const form = await home.form({ properties: [...fields, ...shown] });
    for (const scripts of [true, false]) {
      const visitor = await watched({ scripts, policy: false });
      await visitor.open(`/forms/${form.slug}?${new URLSearchParams(answersOf(fields))}`);
      await expect.poll(() => visitor.page.locator('textarea').count()).toBe(INJECTIONS.length);
      if (scripts) await visitor.page.locator('#f0[contenteditable]').waitFor();
      await expectUnharmed(visitor, `scripts ${scripts}`);
    }
  });

  test('kept in a draft with what is wrong with it', async () => {
    const form = await home.form({ properties: REFUSED.slice(0, 400) });
    const more = await home.form({ properties: REFUSED.slice(400) });
    for (const [{ slug }, fields] of [
      [form, REFUSED.slice(0, 400)],
      [more, REFUSED.slice(400)],
    ] as const) {
      const address = `/forms/${slug}?visit=${'v'.repeat(22)}&at=1`;
      const answer = await home.service.request('POST', address, {
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
        body: new URLSearchParams(answersOf(fields)).toString(),
      });
      expect(answer.status).toBe(303);
      const visitor = await watched();
      await visitor.open(address);
      await expect.poll(() => visitor.page.locator('#summary li').count()).toBeGreaterThan(50);
      await expectUnharmed(visitor, 'draft');
    }
  });

  test('told in the thanks, and edited afterwards', async () => {
    const mention = ({ id }: { id: string }) =>
      `<p>a<span mention mention-field-id="${id}" mention-fallback="x">x</span>b</p>`;
    const form = await home.form({
      properties: ASKED,
      submitted_text: ASKED.slice(0, 110).map(mention).join(''),
      editable_submissions: true,
    });
    const visitor = await watched({ scripts: false });
    await visitor.open(`/forms/${form.slug}`);
    await visitor.page.evaluate((values) => {
      for (const [name, value] of values) {
        const control = document.querySelector<HTMLInputElement>(
          `input[name="${name}"]:not([type=checkbox]),textarea[name="${name}"]`,
        );
        if (control) control.value = value;
      }
    }, answersOf(ASKED));
    await visitor.page.locator('.nav .primary').click();
    await visitor.page.locator('.thank-you').waitFor();
    await expect
      .poll(() => visitor.page.locator('.rich').textContent())
      .toContain('<script>pwned(1)</script>');
    await expectUnharmed(visitor, 'thanks');
    await visitor.page.locator('.thank-you a').click();
    await visitor.page.locator('#form').waitFor();
    await expectUnharmed(visitor, 'edit');
    const address = visitor.page.url().slice(home.service.url.length);
    const scripted = await watched();
    await scripted.open(address);
    await expect.poll(() => scripted.page.locator('[name="f0"]').inputValue()).toBe(INJECTIONS[0]);
    await expectUnharmed(scripted, 'edit by script');
  });

  test('in every part of an address', { timeout: LONG }, async () => {
    const form = await home.form({ show_progress_bar: true });
    const locked = await home.form({ password: 'open sesame' });
    const KEYS = [
      'visit',
      'at',
      'step',
      'key',
      'submission_id',
      'submission_hash',
      'wrong',
      'go',
      'utm_source',
      'gclid',
    ];
    const visitor = await watched({ scripts: false });
    for (const text of INJECTIONS) {
      const part = encodeURIComponent(text);
      const query = new URLSearchParams([...KEYS.map((key): [string, string] => [key, text]), [text, text]]);
      const paths = [
        `${form.slug}?${query}#${part}`,
        `${locked.slug}?${query}`,
        `${form.slug}/thank-you?receipt=${part}`,
      ];
      for (const path of [...paths, part.slice(0, 900)]) {
        await visitor.page.goto(`${home.service.url}/forms/${path}`);
        await expectUnharmed(visitor, `${text} in ${path}`);
      }
    }
    const scripted = await watched();
    const all = new URLSearchParams(KEYS.map((key) => [key, INJECTIONS.join('').slice(0, 500)]));
    await scripted.open(`/forms/${form.slug}?${all}`);
    await expectUnharmed(scripted, 'with its script');
  });
});

test('what would be found is found', async () => {
  const { page, seen } = await watched({ scripts: false });
  await page.setContent(`<form></form><form></form>${INJECTIONS.join('')}`);
  await until(() => seen.length > 2);
  expect(seen).toContain('ran: 1');
  expect((await foreignParts(page)).join('\n')).toMatch(/onerror=/);
});

test('what neither text nor address may hold is refused', async () => {
  const nul = await home.call('POST', '/open/forms', {
    workspace_id: home.workspaceId,
    title: 'a\u0000<script>',
  });
  expect(nul.status).toBe(422);
  for (const id of ['a b', 'a\nb', 'ä', '__proto__', 'a\u2028'])
    expect(
      (
        await home.call('POST', '/open/forms', {
          workspace_id: home.workspaceId,
          title: 'A',
          properties: [{ id, type: 'text', name: 'A' }],
        })
      ).status,
      id,
    ).toBe(422);
});

test('ids of fields as attacks', async () => {
  const ids = [
    '"><img/src=x/onerror=pwned(1)>',
    "'onfocus=pwned(1)//",
    '</script><script>pwned(1)</script>',
    'action',
    'submit',
    'nodeName',
    'constructor',
  ];
  const form = await home.form({
    presentation_style: 'focused',
    properties: ids.flatMap((id) => [
      { id, type: 'text', name: 'A', required: true },
      { id: `m${id}`, type: 'matrix', name: 'B', rows: ['R'], columns: ['C'], required: true },
    ]),
  });
  const visitor = await watched();
  await visitor.open(`/forms/${form.slug}`);
  await visitor.page.locator('.nav .primary').click();
  await visitor.page.locator('#summary a').first().click();
  await expectUnharmed(visitor, 'ids');
});
