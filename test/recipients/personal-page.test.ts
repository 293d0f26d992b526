import { describe, expect, test } from 'vitest';
import { aVisitor, shownStep } from '../public-pages/visitor.ts';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

const home = useHome();
const visitor = () => aVisitor(home.service);
const mail = aField('02', 'email', 'E-mail');
const pageBreak = aField('03', 'nf-page-break', 'Page');
const number = aField('04', 'text', 'Member number', { hidden: true });

async function aSurvey(settings: object, form: Record<string, unknown> = {}) {
  const made = await home.form({ properties: [aTextField(), mail, number], ...form });
  await home.call('PUT', `/open/forms/${made.id}/personal-links`, settings);
  return made;
}
/** The link of a new recipient, without its origin. */
async function linkFor(form: { id: number }, recipient: object = {}): Promise<string> {
  const { body } = await home.call('POST', `/open/forms/${form.id}/recipients`, { recipients: [recipient] });
  const { pathname, search } = new URL(body.recipients[0].link);
  return pathname + search;
}
const list = async (form: { id: number }) =>
  (await home.call('GET', `/open/forms/${form.id}/recipients`)).body.data;

describe('without a script', () => {
  test('a form for recipients is shown to them, and to nobody else', async () => {
    const form = await aSurvey({ required: true });
    const stranger = await visitor().open(`/forms/${form.slug}`);
    expect(stranger.status).toBe(403);
    expect(stranger.text).toContain('By personal link only');
    expect(stranger.text).not.toContain('E-mail');
    expect((await visitor().open(`/forms/${form.slug}?personal=aaaaaaaaaaaaaaaaaaaaaaaa`)).status).toBe(403);
    const page = await visitor().open(await linkFor(form));
    expect(page.status).toBe(200);
    expect(page.text).toContain('E-mail');
    const read = (address: string) => home.service.request('GET', address);
    for (const address of [`/forms/${form.slug}`, `/forms/${form.slug}?personal=aaaaaaaaaaaaaaaaaaaaaaaa`]) {
      const { status, body, text } = await read(address);
      expect([status, body.properties]).toEqual([200, []]);
      expect(text).not.toContain('E-mail');
    }
    expect((await read(await linkFor(form))).body.properties).toHaveLength(3);
  });

  test('an answer is that of its recipient through all steps; the link counts once', async () => {
    const form = await aSurvey({ required: true }, { properties: [aTextField(), pageBreak, mail] });
    const link = await linkFor(form, { name: 'Ada' });
    const { open, send } = visitor();
    const first = await open(link);
    expect((await list(form))[0]).toMatchObject({ status: 'opened' });
    const second = await send(first, { [TEXT_FIELD_ID]: 'Ada' });
    const thanks = await send(second, { [mail.id]: 'ada@example.org' });
    expect(thanks.path).toContain('/thank-you');
    const [record] = await home.records(form);
    expect(record.data).toMatchObject({ [TEXT_FIELD_ID]: 'Ada', [mail.id]: 'ada@example.org' });
    expect((await list(form))[0]).toMatchObject({ status: 'answered', submission_id: record.id });
    const again = await open(link);
    expect(again.status).toBe(403);
    expect(again.text).toContain('Already answered');
    // The same page sent twice is one answer; a different answer from a page still open is refused.
    expect((await send(second, { [mail.id]: 'ada@example.org' })).path).toContain('/thank-you');
    expect((await send(second, { [mail.id]: 'eve@example.org' })).text).toContain('Already answered');
    expect(await home.records(form)).toHaveLength(1);
  });

  test('nobody is asked to answer once more who cannot', async () => {
    for (const required of [false, true]) {
      const form = await aSurvey({ required }, { re_fillable: true });
      const { open, send } = visitor();
      const thanks = await send(await open(await linkFor(form)), { [TEXT_FIELD_ID]: 'Ada' });
      expect(thanks.text.includes('Fill in again')).toBe(!required);
    }
  });

  test('is filled in for its recipient, hidden fields too, whatever the address says', async () => {
    const form = await aSurvey({});
    const prefill = { [TEXT_FIELD_ID]: 'Ada', [number.id]: '4711' };
    const link = await linkFor(form, { prefill });
    const { open, send } = visitor();
    const thanks = await send(await open(`${link}&${number.id}=1&${mail.id}=ada%40example.org`));
    expect(thanks.path).toContain('/thank-you');
    expect((await home.records(form))[0].data).toMatchObject({ ...prefill, [mail.id]: 'ada@example.org' });
  });

  test('an anonymous form is filled in with nothing, and forgets that it was opened', async () => {
    const form = await aSurvey({ anonymous: true });
    const page = await visitor().open(await linkFor(form, { prefill: { [TEXT_FIELD_ID]: 'Ada' } }));
    expect(page.html).not.toContain('value="Ada"');
    expect((await list(form))[0]).toMatchObject({ status: 'new', opened_at: null });
  });

  test('who has answered a form that can be edited is shown the answer to change it', async () => {
    const form = await aSurvey({ required: true }, { editable_submissions: true });
    const link = await linkFor(form);
    const { open, send } = visitor();
    await send(await open(link), { [TEXT_FIELD_ID]: 'Ada' });
    const again = await open(link);
    expect(again.html).toContain('value="Ada"');
    await send(again, { [TEXT_FIELD_ID]: 'Ada L.' });
    const records = await home.records(form);
    expect(records.map(({ data }) => data[TEXT_FIELD_ID])).toEqual(['Ada L.']);
  });

  test('an address that would change what is gone opens the form for nobody else, nor once more', async () => {
    const gone = `submission_id=${crypto.randomUUID()}`;
    const editable = await aSurvey({ required: true }, { editable_submissions: true });
    const stranger = await visitor().open(`/forms/${editable.slug}?${gone}`);
    expect([stranger.status, stranger.text.includes('By personal link only')]).toEqual([403, true]);
    const form = await aSurvey({});
    const link = await linkFor(form);
    const { open, send } = visitor();
    await send(await open(link), { [TEXT_FIELD_ID]: 'Ada' });
    expect((await open(`${link}&${gone}`)).text).toContain('Already answered');
  });

  test.each([true, false])(
    'who has begun goes on where they were, on any device; partials %s',
    async (takes) => {
      const form = await aSurvey({ required: true }, { enable_partial_submissions: true });
      const link = await linkFor(form);
      const code = new URL(link, 'http://x').searchParams.get('personal');
      const begun = await home.service.request('POST', `/forms/${form.slug}/answer?personal=${code}`, {
        body: { [TEXT_FIELD_ID]: 'Ad', is_partial: true },
      });
      expect(begun.status, begun.text).toBe(200);
      await home.call('PUT', `/open/forms/${form.id}`, { enable_partial_submissions: takes });
      const { open, send } = visitor();
      const page = await open(link);
      expect(page.html).toContain('value="Ad"');
      await send(page, { [TEXT_FIELD_ID]: 'Ada' });
      const records = await home.records(form);
      expect(records.map(({ status, data }) => [status, data[TEXT_FIELD_ID]])).toEqual([
        ['completed', 'Ada'],
      ]);
    },
  );

  test('where they were is the first page that lacks an answer, though none that was not reached', async () => {
    const breaks = [1, 2].map((index) => ({ ...pageBreak, id: `${index}` }));
    const color = aField('06', 'text', 'Color', { required: true });
    const thing = aField('07', 'text', 'Thing', { required: true });
    const form = await aSurvey(
      { required: true },
      {
        enable_partial_submissions: true,
        properties: [aTextField(), breaks[0], mail, color, breaks[1], thing],
      },
    );
    for (const [answers, step] of [
      [{ [TEXT_FIELD_ID]: 'Ad' }, '1'],
      [{ [TEXT_FIELD_ID]: 'Ad', [color.id]: 'Red' }, '2'],
      [{ [TEXT_FIELD_ID]: 'Ad', [color.id]: 'Red', [thing.id]: 'Hat' }, '2'],
      [{ [mail.id]: 'ada@example.net' }, '1'],
    ] as const) {
      const link = await linkFor(form);
      const code = new URL(link, 'http://x').searchParams.get('personal');
      const body = { ...answers, is_partial: true };
      await home.service.request('POST', `/forms/${form.slug}/answer?personal=${code}`, { body });
      expect(shownStep(await visitor().open(link)), JSON.stringify(answers)).toBe(step);
    }
  });

  test('a password is asked for first', async () => {
    const form = await aSurvey({ required: true }, { password: 'open sesame' });
    const link = await linkFor(form);
    const { open, send } = visitor();
    const page = await send(await open(link), { password: 'open sesame' });
    expect(page.text).toContain('E-mail');
    await send(page, { [TEXT_FIELD_ID]: 'Ada' });
    expect((await list(form))[0]).toMatchObject({ status: 'answered' });
  });

  test('speaks the language of the form', async () => {
    const form = await aSurvey({ required: true }, { language: 'de' });
    expect((await visitor().open(`/forms/${form.slug}`)).text).toContain('Nur mit persönlichem Link');
  });
});

describe('no more mails', () => {
  test('takes a button, which a program that looks at links does not press', async () => {
    const form = await aSurvey({});
    const link = await linkFor(form, { email: 'ada@example.org' });
    const address = link.replace('?', '/stop-mails?');
    const { open, send } = visitor();
    const page = await open(address);
    expect((await list(form))[0]).toMatchObject({ declined_at: null });
    const done = await send(page);
    expect(done.text).toContain('You will get no more mails about this form.');
    expect((await list(form))[0]).toMatchObject({ status: 'declined' });
    // Refusing mails does not prevent answering.
    expect((await open(link)).text).toContain('E-mail');
  });

  test.each([
    { type: 'application/x-www-form-urlencoded', body: 'List-Unsubscribe=One-Click' },
    {
      type: 'multipart/form-data; boundary=x',
      body: '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--',
    },
  ])('takes one press in a mail program (RFC 8058): $type', async ({ type, body }) => {
    const form = await aSurvey({});
    const link = await linkFor(form, { email: 'ada@example.org' });
    const answer = await fetch(home.service.url + link.replace('?', '/stop-mails?'), {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    expect(answer.status).toBe(200);
    expect((await list(form))[0]).toMatchObject({ status: 'declined' });
  });

  test('takes it also while the form is a draft again, and closed', async () => {
    for (const visibility of ['draft', 'closed']) {
      const form = await aSurvey({});
      const link = await linkFor(form, { email: 'ada@example.org' });
      await home.call('PUT', `/open/forms/${form.id}`, { visibility });
      const { open, send } = visitor();
      const done = await send(await open(link.replace('?', '/stop-mails?')));
      expect(done.text).toContain('You will get no more mails about this form.');
      expect((await list(form))[0]).toMatchObject({ status: 'declined' });
      // The link of a draft still leads nowhere, and without a code the page for refusing mails does not exist.
      expect((await open(link)).status).toBe(visibility === 'draft' ? 404 : 200);
      expect((await open(`/forms/${form.slug}/stop-mails`)).status).toBe(404);
    }
  });

  test('is nothing for who has no link', async () => {
    const form = await aSurvey({});
    for (const query of ['', '?personal=aaaaaaaaaaaaaaaaaaaaaaaa'])
      expect((await visitor().open(`/forms/${form.slug}/stop-mails${query}`)).status).toBe(404);
  });
});
