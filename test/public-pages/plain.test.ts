import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { aVisitor, blockOf, type Page, shownStep } from './visitor.ts';

const home = useHome();
const visitor = () => aVisitor(home.service);

const NAME = aField('01', 'text', 'Name', { required: true });
const TOPIC = aField('02', 'select', 'Topic', { options: ['Sales', 'Support'] });
const FOR_SUPPORT = {
  hidden: true,
  logic: {
    conditions: {
      operatorIdentifier: 'and',
      children: [
        {
          identifier: TOPIC.id,
          value: { operator: 'equals', property_meta: { id: TOPIC.id, type: 'select' }, value: 'Support' },
        },
      ],
    },
    actions: ['show-block'],
  },
};
const PRODUCT = aField('03', 'text', 'Product', { ...FOR_SUPPORT, required: true });
const BREAK = aField('04', 'nf-page-break', 'Break', {
  next_btn_text: 'Go on',
  previous_btn_text: 'Go back',
});
const AGE = aField('05', 'number', 'Age');
const TWO_PAGES = [NAME, TOPIC, PRODUCT, BREAK, AGE];

/** The stored answers, newest submission first. */
async function storedAnswers(form: any): Promise<Record<string, unknown>[]> {
  const ids = new Set(form.properties.map(({ id }: { id: string }) => id));
  const records = await home.records(form);
  return records.map(({ data }: any) =>
    Object.fromEntries(Object.entries(data).filter(([id]) => ids.has(id))),
  );
}

async function opened(
  overrides: Record<string, unknown> = {},
  query = '',
): Promise<{ form: any; page: Page }> {
  const form = await home.form({ properties: TWO_PAGES, ...overrides });
  return { form, page: await visitor().open(`/forms/${form.slug}${query}`) };
}

describe('without a script', () => {
  test('goes through pages, with logic between them, to a stored submission', async () => {
    const { form, page } = await opened();
    expect(page.status).toBe(200);
    expect(shownStep(page)).toBe('0');
    expect(page.text).toContain('Go on');
    expect(blockOf(page, PRODUCT.id)).toBe('');

    const asked = await visitor().send(page, { [NAME.id]: 'Ada', [TOPIC.id]: 'Support' });
    expect(shownStep(asked)).toBe('0');
    expect(blockOf(asked, PRODUCT.id)).toContain('“Product” needs an answer.');

    const second = await visitor().send(asked, { [PRODUCT.id]: 'Engine' });
    expect(shownStep(second)).toBe('1');
    expect(second.text).toContain('Submit');
    const thanks = await visitor().send(second, { [AGE.id]: '36' });
    expect(thanks.path).toContain('/thank-you');
    expect(thanks.text).toContain('Thank you');
    const [record] = await home.records(form);
    expect(record.data).toMatchObject({
      [NAME.id]: 'Ada',
      [TOPIC.id]: 'Support',
      [PRODUCT.id]: 'Engine',
      [AGE.id]: 36,
    });
    expect(record.completion_time).toBeGreaterThanOrEqual(0);
  });

  test('an optional field that an answer of its page reveals is asked before the form goes on, once', async () => {
    const optional = { ...PRODUCT, required: false };
    for (const properties of [
      [NAME, TOPIC, optional],
      [NAME, TOPIC, optional, BREAK, AGE],
    ]) {
      const { form, page } = await opened({ properties });
      const asked = await visitor().send(page, { [NAME.id]: 'Ada', [TOPIC.id]: 'Support' });
      expect(shownStep(asked)).toBe('0');
      expect(blockOf(asked, PRODUCT.id)).toContain('Product');
      expect(asked.html).toContain('value="Ada"');
      let next = await visitor().send(asked);
      if (!next.path.includes('/thank-you')) next = await visitor().send(next);
      expect(next.path).toContain('/thank-you');
      expect(await storedAnswers(form)).toEqual([{ [NAME.id]: 'Ada', [TOPIC.id]: 'Support' }]);
    }
  });

  test('so is one that comes with an answer, and a box to tick', async () => {
    const fields = [
      aField('07', 'text', 'Seats', { ...FOR_SUPPORT, prefill: '1', required: true }),
      aField('08', 'checkbox', 'Newsletter', FOR_SUPPORT),
    ];
    for (const field of fields) {
      const { form, page } = await opened({ properties: [TOPIC, field] });
      const asked = await visitor().send(page, { [TOPIC.id]: 'Support' });
      expect(blockOf(asked, field.id)).toContain(field.name);
      expect((await visitor().send(asked)).path).toContain('/thank-you');
      const answer = field.type === 'text' ? '1' : false;
      expect(await storedAnswers(form)).toEqual([{ [TOPIC.id]: 'Support', [field.id]: answer }]);
    }
  });

  test('and a text is shown', async () => {
    const note = aField('07', 'nf-text', 'Note', { ...FOR_SUPPORT, content: '<p>Closed on Sundays.</p>' });
    const { page } = await opened({ properties: [TOPIC, note] });
    const asked = await visitor().send(page, { [TOPIC.id]: 'Support' });
    expect(blockOf(asked, note.id)).toContain('Sundays');
    expect((await visitor().send(asked)).path).toContain('/thank-you');
  });

  test('a rich text that is typed plainly keeps every character and line', async () => {
    const story = aField('07', 'rich_text', 'Story');
    const { form, page } = await opened({ properties: [story] });
    await visitor().send(page, { [story.id]: 'I am Ada <ada@example.org>,\r\n2 < 3 & x<y.\r\n\r\nBye' });
    const [answers] = await storedAnswers(form);
    expect(answers?.[story.id]).toBe(
      '<p>I am Ada &lt;ada@example.org&gt;,<br />2 &lt; 3 &amp; x&lt;y.</p><p>Bye</p>',
    );
    const again = await visitor().open(`/forms/${form.slug}`);
    await visitor().send(again, { [story.id]: '<p>With <b>tags</b> &lt; &amp;</p>' });
    expect((await storedAnswers(form))[0]?.[story.id]).toBe('<p>With <b>tags</b> &lt; &amp;</p>');
  });

  test('a rich text without tags that nobody typed here is sent as it is', async () => {
    const rich = (digits: string, more: Record<string, unknown>) =>
      aField(digits, 'rich_text', `Story ${digits}`, more);
    const filled = rich('11', { hidden: true, prefill: 'R&amp;D' });
    const fields = [rich('07', {}), rich('08', { hidden: true }), rich('09', { disabled: true }), filled];
    const { form } = await opened({ properties: [NAME, ...fields], editable_submissions: true });
    const answers = Object.fromEntries(fields.map(({ id }) => [id, 'Ada &amp; Co,\nLtd.']));
    const { submission_id: id } = (await home.submit(form, { ...answers, [NAME.id]: 'Ada' })).body;
    const page = await visitor().open(`/forms/${form.slug}?submission_id=${id}`);
    await visitor().send(page, { [NAME.id]: 'Eve' });
    expect(await storedAnswers(form)).toEqual([{ [NAME.id]: 'Eve', ...answers }]);
    await visitor().send(await visitor().open(`/forms/${form.slug}`), { [NAME.id]: 'Ada' });
    expect((await storedAnswers(form))[0]).toEqual({ [NAME.id]: 'Ada', [filled.id]: 'R&amp;D' });
  });

  test('as many options of one’s own as have to be given can be given at once', async () => {
    const own = aField('07', 'multi_select', 'Own', { allow_creation: true, min_selection: 4 });
    const ticked = aField('08', 'multi_select', 'Ticked', { allow_creation: true, options: ['A', 'B'] });
    const { form, page } = await opened({ properties: [own, ticked] });
    const places = ({ id }: { id: string }) => page.html.split(`name="${id}" class="other"`).length - 1;
    expect([own, ticked].map(places)).toEqual([4, 1]);
    const answers = { [own.id]: ['one', 'two', 'three', 'four'], [ticked.id]: ['A', 'A'] };
    await visitor().send(page, answers);
    expect(await storedAnswers(form)).toEqual([{ ...answers, [ticked.id]: ['A'] }]);
  });

  test('what the address fills in is still there behind a password', async () => {
    const source = aField('07', 'text', 'Source', { hidden: true });
    const { form, page } = await opened(
      { properties: [NAME, source], password: 'open sesame' },
      `?${NAME.id}=Ada&${source.id}=ID77`,
    );
    const wrong = await visitor().send(page, { password: 'no' });
    const open = await visitor().send(wrong, { password: 'open sesame' });
    expect(open.html).toContain('value="Ada"');
    await visitor().send(open);
    expect(await storedAnswers(form)).toEqual([{ [NAME.id]: 'Ada', [source.id]: 'ID77' }]);
  });

  test('an answer that logic hides afterwards is not sent', async () => {
    const { form, page } = await opened();
    const second = await visitor().send(page, {
      [NAME.id]: 'Ada',
      [TOPIC.id]: 'Support',
      [PRODUCT.id]: 'Engine',
    });
    const first = await visitor().send(second, {}, { button: 'quiet' });
    expect(shownStep(first)).toBe('0');
    const again = await visitor().send(first, { [TOPIC.id]: 'Sales' });
    await visitor().send(again);
    expect(await storedAnswers(form)).toEqual([{ [NAME.id]: 'Ada', [TOPIC.id]: 'Sales' }]);
  });

  test('shows every problem at its field and in a summary that leads there, and keeps what was typed', async () => {
    const { page } = await opened({ properties: [NAME, AGE, aField('06', 'email', 'Mail')] });
    const refused = await visitor().send(page, { [AGE.id]: 'old', [`${NAME.id.slice(0, -2)}06`]: 'nobody' });
    expect(refused.title).toMatch(/^Error: /);
    expect(blockOf(refused, NAME.id)).toContain('“Name” needs an answer.');
    expect(blockOf(refused, AGE.id)).toContain('“Age” must be a number like 1234.');
    expect(refused.html).toContain('value="old"');
    expect(refused.html).toContain('value="nobody"');
    expect(refused.html).toMatch(/<a href="#f0">“Name” needs an answer\.<\/a>/);
    expect(refused.text).toContain('3 answers need your attention');
    const again = await visitor().open(refused.path);
    expect(again.text).toBe(refused.text);
  });

  test('a page sent twice is one submission; other answers from the same page are another', async () => {
    const { form, page } = await opened({ properties: [NAME] });
    const [one, two] = await Promise.all([1, 2].map(() => visitor().send(page, { [NAME.id]: 'Ada' })));
    expect(one?.path).toBe(two?.path);
    await visitor().send(page, { [NAME.id]: 'Grace' });
    expect((await home.records(form)).map(({ data }: any) => data[NAME.id]).sort()).toEqual(['Ada', 'Grace']);
  });

  test('the draft of one visitor is nobody else’s, and gone when the form is sent', async () => {
    const { form, page } = await opened();
    const second = await visitor().send(page, { [NAME.id]: 'Ada' });
    const drafts = () => home.service.context.db.selectFrom('form_drafts').selectAll().execute();
    expect((await drafts()).filter(({ form_id: id }) => id === form.id)).toHaveLength(1);
    const other = await visitor().open(second.path.replace(/visit=[^&]{4}/, 'visit=AAAA'));
    expect(other.html).not.toContain('value="Ada"');
    await visitor().send(second);
    expect((await drafts()).filter(({ form_id: id }) => id === form.id)).toHaveLength(0);
  });
});

describe('what the address brings', () => {
  test('fills in fields, hidden ones too, and says where the visitor came from', async () => {
    const source = aField('07', 'text', 'Source', { hidden: true });
    const list = aField('08', 'multi_select', 'List', { options: ['a', 'b', 'c'] });
    const { form, page } = await opened(
      { properties: [NAME, source, list] },
      `?${NAME.id}=Ada%20%3Cb%3E&${source.id}=poster&${list.id}=a&${list.id}=c&utm_source=mail&utm_medium=`,
    );
    expect(page.html).toContain('value="Ada &lt;b&gt;"');
    await visitor().send(page);
    const [record] = await home.records(form);
    expect(await storedAnswers(form)).toEqual([
      { [NAME.id]: 'Ada <b>', [source.id]: 'poster', [list.id]: ['a', 'c'] },
    ]);
    expect(record.tracking_parameters ?? record.meta?.attribution).toEqual({ utm_source: 'mail' });
  });

  test('by the names of fields too, in any letter case, where these are certain', async () => {
    const [id, ref, ...twins] = Array.from({ length: 4 }, () => randomUUID());
    const form = await home.form({
      properties: [
        { id, type: 'text', name: 'Customer', hidden: true },
        { id: ref, type: 'multi_select', name: 'Topics', options: ['a', 'b'] },
        ...twins.map((id) => ({ id, type: 'text', name: 'Note' })),
      ],
    });
    const { open, send } = visitor();
    const page = await open(`/forms/${form.slug}?customer=42&Topics[]=a&topics[]=b&note=x&utm_source=mail`);
    await send(page, {});
    await send(await open(`/forms/${form.slug}?${id}=1&CUSTOMER=2`), {});
    expect(await storedAnswers(form)).toEqual([
      { [id as string]: '1' },
      { [id as string]: '42', [ref as string]: ['a', 'b'] },
    ]);
    // Who sees no questions yet does not learn which there are.
    await home.call('PUT', `/open/forms/${form.id}`, { password: 'secret' });
    const locked = await fetch(`${home.service.url}/forms/${form.slug}?customer=42`, {
      headers: { accept: 'text/html' },
      redirect: 'manual',
    });
    expect(locked.status).toBe(403);
  });

  test('a phone number with its plus as it is, which stands for a blank there, and others alone', async () => {
    const phone = aField('07', 'phone_number', 'Phone');
    const { form, page } = await opened(
      { properties: [NAME, phone] },
      `?${phone.id}=+493012345678&${NAME.id}=+4711`,
    );
    await visitor().send(page);
    expect(await storedAnswers(form)).toEqual([{ [NAME.id]: ' 4711', [phone.id]: '+493012345678' }]);
  });
});

describe('a form that cannot be filled in', () => {
  test('says that it is closed, in the owner’s words without scripts', async () => {
    const { form, page } = await opened({
      visibility: 'closed',
      closed_text: '<p>Come <b>back</b><script>x</script></p>',
    });
    expect(page.html).toContain(`<h1>${form.title}</h1><h2>This form is closed</h2>`);
    expect(page.text).toContain('Come back');
    expect(page.html).not.toContain('<script>x');
    expect(page.html).not.toContain('<form');
  });

  test('that is full says so, and what was typed meanwhile is not lost', async () => {
    const form = await home.form({
      properties: [NAME],
      max_submissions_count: 1,
      max_submissions_reached_text: 'No more',
    });
    const page = await visitor().open(`/forms/${form.slug}`);
    await home.submit(form, { [NAME.id]: 'First' });
    const late = await visitor().send(page, { [NAME.id]: 'Late' });
    expect(late.text).toContain('No more');
    await home.call('PUT', `/open/forms/${form.id}`, { max_submissions_count: 5 });
    expect((await visitor().open(late.path)).html).toContain('value="Late"');
  });

  test('that is a draft, or is not, is not found', async () => {
    const { page } = await opened({ visibility: 'draft' });
    expect(page.status).toBe(404);
    expect(page.headers.get('content-type')).toContain('text/html');
    const unknown = await visitor().open('/forms/no-such-form');
    expect(unknown.text).toBe(page.text);
  });

  test('asks for its password, and then goes on by a key that a new password ends', async () => {
    const { form, page } = await opened({
      properties: [NAME],
      password: 'open sesame',
      description: 'For members.',
      translations: { de: { description: 'Nur intern.' } },
    });
    expect(page.html).not.toContain('For members.');
    expect((await visitor().open(`/forms/${form.slug}?lang=de`)).html).not.toContain('Nur intern.');
    expect(page.status).toBe(403);
    expect(page.html).not.toContain(NAME.id);
    const wrong = await visitor().send(page, { password: 'guess' });
    expect(wrong.text).toContain('password');
    expect(wrong.html).toContain('aria-invalid="true"');
    const inside = await visitor().send(wrong, { password: 'open sesame' });
    expect(inside.path).not.toContain('sesame');
    expect(blockOf(inside, NAME.id)).toContain('Name');
    await visitor().send(inside, { [NAME.id]: 'Ada' });
    expect(await home.records(form)).toHaveLength(1);
    await home.call('PUT', `/open/forms/${form.id}`, { password: 'another' });
    expect((await visitor().open(inside.path)).status).toBe(403);
  });
});

describe('after sending', () => {
  test('thanks with answers in the text, escaped, and offers what the form allows', async () => {
    const mention = (id: string) =>
      `<span mention mention-field-id="${id}" mention-fallback="friend">x</span>`;
    const { form, page } = await opened({
      properties: [NAME],
      submitted_text: `<p>Thanks ${mention(NAME.id)} and ${mention('nobody')}</p>`,
      re_fillable: true,
      editable_submissions: true,
    });
    const thanks = await visitor().send(page, { [NAME.id]: '<img src=x onerror=alert(1)>' });
    expect(thanks.text).toContain('Thanks <img src=x onerror=alert(1)> and friend');
    expect(thanks.html).not.toContain('<img src=x');
    expect(thanks.html).toContain(`href="/forms/${form.slug}"`);
    const edit = /href="(\/forms\/[^"]*submission_id=[^"]*)"/.exec(thanks.html)?.[1] ?? '';
    const editing = await visitor().open(edit.replaceAll('&amp;', '&'));
    expect(editing.html).toContain('value="&lt;img');
    await visitor().send(editing, { [NAME.id]: 'Ada' });
    expect(await storedAnswers(form)).toEqual([{ [NAME.id]: 'Ada' }]);
  });

  test('goes where the form says, with answers in the address', async () => {
    const span = `<span mention mention-field-id="${NAME.id}" mention-fallback="">x</span>`;
    const { page } = await opened({ properties: [NAME], redirect_url: `https://example.com/?n=${span}` });
    const gone = await visitor().send(page, { [NAME.id]: 'Ada & Co' });
    expect(gone.path).toBe('https://example.com/?n=Ada%20%26%20Co');
    expect(gone.headers.get('content-security-policy') ?? '').not.toBe('');
  });

  test('goes there with what was filled in and numbered, also after a correction', async () => {
    const number = aField('32', 'text', 'Number', { hidden: true, generates_auto_increment_id: true });
    const source = aField('33', 'text', 'Source', { hidden: true, prefill: 'page' });
    const phone = aField('34', 'phone_number', 'Phone');
    const span = ({ id }: { id: string }) =>
      `<span mention mention-field-id="${id}" mention-fallback="none">x</span>`;
    const { form, page } = await opened({
      properties: [NAME, number, source, phone],
      editable_submissions: true,
      redirect_url: `https://example.com/?n=${span(number)}&s=${span(source)}&p=${span(phone)}`,
    });
    const target = 'https://example.com/?n=1&s=page&p=%2B33749119783';
    const answers = { [NAME.id]: 'Ada', [phone.id]: 'FR+33749119783' };
    expect((await visitor().send(page, answers)).path).toBe(target);
    const [{ submission_id: id }] = await home.records(form);
    const editing = await visitor().open(`/forms/${form.slug}?submission_id=${id}`);
    expect((await visitor().send(editing, { [NAME.id]: 'Eve' })).path).toBe(target);
  });

  test('goes there with a part of an answer, which no character is cut by', async () => {
    const first = { id: 'cv_first', name: 'First', formula: `LEFT({${NAME.id}},1)` };
    const span = (id: string) => `<span mention mention-field-id="${id}">x</span>`;
    const { page } = await opened({
      properties: [NAME],
      computed_variables: [first],
      redirect_url: `https://example.com/?n=${span(first.id)}`,
    });
    const gone = await visitor().send(page, { [NAME.id]: '😀 Ada' });
    expect(gone.path).toBe(`https://example.com/?n=${encodeURIComponent('😀')}`);
  });

  test('shows of a formatted answer the words, as they were written', async () => {
    const text = aField('31', 'rich_text', 'Story');
    const { page } = await opened({
      properties: [text],
      submitted_text: `<p>You wrote: <span mention mention-field-id="${text.id}">x</span></p>`,
    });
    const thanks = await visitor().send(page, { [text.id]: '<p>Tom &amp; <b>Jerry</b></p><p>5 &lt; 6</p>' });
    expect(thanks.text).toContain('You wrote: Tom & Jerry 5 < 6');
  });

  test('of a long answer a part is shown, and an address that became too long leads nowhere', async () => {
    const span = `<span mention mention-field-id="${NAME.id}">x</span>`;
    const { page } = await opened({
      properties: [NAME],
      submitted_text: `<p>${span}</p>`,
      redirect_url: `https://example.com/?n=${span}`,
    });
    const gone = await visitor().send(page, { [NAME.id]: 'b'.repeat(8_000) });
    expect(gone.path).toBe(`https://example.com/?n=${'b'.repeat(8_000)}`);
    const thanks = await visitor().send(page, { [NAME.id]: 'b'.repeat(9_000) });
    expect(thanks.path).toContain('/thank-you?');
    expect(thanks.text).toContain(`${'b'.repeat(1_999)}…`);
    expect(thanks.text).not.toContain('b'.repeat(2_000));
  });

  test('a receipt of another form, or a made-up one, shows nothing', async () => {
    const { form } = await opened({ properties: [NAME] });
    const page = await visitor().open(`/forms/${form.slug}`);
    const thanks = await visitor().send(page, { [NAME.id]: 'Ada' });
    const other = await home.form({ properties: [NAME] });
    const stolen = await visitor().open(thanks.path.replace(form.slug, other.slug));
    expect(stolen.status).toBe(404);
    expect((await visitor().open(`/forms/${form.slug}/thank-you?receipt=${'0'.repeat(64)}`)).status).toBe(
      404,
    );
  });
});

describe('a plain form on another site', () => {
  const post = (form: any, body: URLSearchParams | FormData, headers: Record<string, string> = {}) =>
    fetch(`${home.service.url}/forms/${form.slug}`, {
      method: 'POST',
      body,
      headers: { accept: 'text/html', ...headers },
      redirect: 'manual',
    });

  test('may name the fields by id or by name', async () => {
    const form = await home.form({ properties: [NAME, AGE, TOPIC] });
    const answer = await post(
      form,
      new URLSearchParams({ name: 'Ada', [AGE.id]: '36', ' TOPIC ': 'Sales', unknown: 'x' }),
    );
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toContain('/thank-you');
    expect(await storedAnswers(form)).toEqual([{ [NAME.id]: 'Ada', [AGE.id]: 36, [TOPIC.id]: 'Sales' }]);
  });

  test('that sends something wrong leads to our page with everything it sent', async () => {
    const form = await home.form({ properties: [NAME, AGE] });
    const body = new FormData();
    body.append('Age', 'old');
    const answer = await post(form, body);
    const page = await visitor().open(answer.headers.get('location') ?? '');
    expect(page.html).toContain('value="old"');
    expect(blockOf(page, NAME.id)).toContain('needs an answer');
    await visitor().send(page, { [NAME.id]: 'Ada', [AGE.id]: '36' });
    expect(await home.records(form)).toHaveLength(1);
  });

  test('and a script there gets JSON', async () => {
    const form = await home.form({ properties: [NAME] });
    const refused = await post(form, new URLSearchParams(), { accept: 'application/json' });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ errors: { [NAME.id]: ['“Name” needs an answer.'] } });
    const taken = await post(form, new URLSearchParams({ Name: 'Ada' }), { accept: 'application/json' });
    expect(await taken.json()).toMatchObject({
      type: 'success',
      next: expect.stringContaining('/thank-you'),
    });
  });
});

test('a captcha is a question that counts once and not at once', async () => {
  const { form, page } = await opened({ properties: [NAME], use_captcha: true });
  const [, a, b] = /What is (\d+) plus (\d+)\?/.exec(page.text) ?? [];
  const token = /name="captcha" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
  const captcha = [token, String(Number(a) + Number(b))];
  const early = await visitor().send(page, { [NAME.id]: 'Ada', captcha });
  expect(early.text).toContain('The check failed.');
  expect(early.html).toMatch(/href="#captcha"[\s\S]+id="captcha" [^>]*aria-invalid="true"/);
  const patient = token.replace(/^q\.(\d{13})/, (_all, asked) => `q.${Number(asked) - 5000}`);
  const forged = await visitor().send(page, { [NAME.id]: 'Ada', captcha: [patient, captcha[1] ?? ''] });
  expect(forged.text).toContain('The check failed.');
  expect(await home.records(form)).toHaveLength(0);
  await new Promise((resolve) => setTimeout(resolve, 2_100)); // as long as a person needs at least
  const right = await visitor().send(page, { [NAME.id]: 'Ada', captcha });
  expect(right.path).toContain('/thank-you');
  const again = await visitor().send(page, { [NAME.id]: 'Grace', captcha });
  expect(again.text).toContain('The check failed.');
  expect(await home.records(form)).toHaveLength(1);
});
