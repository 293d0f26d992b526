import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { PRESENTATION_DEFAULTS } from '../../server/forms/schemas.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { aVisitor } from './visitor.ts';

const home = useHome();
const visitor = () => aVisitor(home.service);

const NAME = aField('01', 'text', 'Name', { required: true });
const NO_EDIT =
  'Diese Antworten können nicht mehr bearbeitet werden. Was Sie jetzt absenden, wird als neue Antwort gespeichert.';
const NO_LINK =
  'Dieser Link ist nicht mehr gültig. Was Sie jetzt absenden, wird als neue Antwort gespeichert.';

const germanForm = (overrides: Record<string, unknown> = {}) =>
  home.form({
    properties: [NAME],
    language: 'de',
    editable_submissions: true,
    enable_partial_submissions: true,
    ...overrides,
  });

const namesIn = async (form: { id: number }) =>
  (await home.records(form)).map(({ data }: any) => data[NAME.id]).sort();

async function submitted(form: any, body: Record<string, unknown>) {
  const answer = await home.submit(form, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function removeAll(form: { id: number }) {
  for (const { id } of await home.records(form))
    await home.call('DELETE', `/open/forms/${form.id}/submissions/${id}`);
}

test('what was begun is gone on with after the form stopped taking partial submissions', async () => {
  const form = await germanForm();
  const { submission_hash: hash } = await submitted(form, { [NAME.id]: 'Ad', is_partial: true });
  await home.call('PUT', `/open/forms/${form.id}`, { enable_partial_submissions: false });
  const page = await visitor().open(`/forms/${form.slug}?submission_hash=${hash}`);
  expect(page.text).not.toContain(NO_LINK);
  expect(page.html).toContain('value="Ad"');
  expect((await visitor().send(page, { [NAME.id]: 'Ada' })).path).toContain('/thank-you');
  const records = await home.records(form);
  expect(records.map(({ status, data }: any) => [status, data[NAME.id]])).toEqual([['completed', 'Ada']]);
});

describe('a link to a submission that is gone', () => {
  test('says so from the beginning, and what is sent is a new submission', async () => {
    const form = await germanForm();
    const page = await visitor().open(`/forms/${form.slug}?submission_id=${randomUUID()}`);
    expect(page.text).toContain(NO_EDIT);
    const thanks = await visitor().send(page, { [NAME.id]: 'Ada' });
    expect(thanks.path).toContain('/thank-you');
    expect(await namesIn(form)).toEqual(['Ada']);
  });

  test('says so when it went meanwhile, keeps what was typed, and offers it as new', async () => {
    const form = await germanForm();
    const { submission_id } = await submitted(form, { [NAME.id]: 'Ada' });
    const editing = await visitor().open(`/forms/${form.slug}?submission_id=${submission_id}`);
    expect(editing.html).toContain('value="Ada"');
    await removeAll(form);
    const late = await visitor().send(editing, { [NAME.id]: 'Grace' });
    expect([late.status, late.text.includes(NO_EDIT)]).toEqual([200, true]);
    expect(late.html).toContain('value="Grace"');
    expect((await visitor().send(late)).path).toContain('/thank-you');
    expect(await namesIn(form)).toEqual(['Grace']);
  });

  test('is never called an edit, whatever else is wrong', async () => {
    const form = await germanForm({ use_captcha: true });
    const page = await visitor().open(`/forms/${form.slug}`);
    const answer = await fetch(`${home.service.url}${page.path}?submission_id=${randomUUID()}`, {
      method: 'POST',
      body: new URLSearchParams({ [NAME.id]: 'Ada', captcha: '1' }),
      headers: { accept: 'text/html' },
      redirect: 'manual',
    });
    const refused = await visitor().open(answer.headers.get('location') ?? '');
    expect(refused.text).toContain(NO_EDIT);
    expect(refused.text).not.toContain('bereits gesendet');
    expect(refused.text).toContain('Die Prüfung ist fehlgeschlagen.');
    expect(refused.text).not.toMatch(/captcha/i);
  });

  test('of a full form shows that it is full', async () => {
    const form = await germanForm({ max_submissions_count: 1 });
    const { submission_id } = await submitted(form, { [NAME.id]: 'Ada' });
    const path = `/forms/${form.slug}?submission_id=`;
    expect((await visitor().open(path + submission_id)).html).toContain('value="Ada"');
    expect((await visitor().open(path + randomUUID())).html).not.toContain('id="form"');
  });
});

describe('a link to go on with answers that were sent', () => {
  async function completed(form: any): Promise<string> {
    const { submission_hash } = await submitted(form, { [NAME.id]: 'A', is_partial: true });
    return submission_hash;
  }

  test('says that it leads nowhere any more, and what is sent is a new submission', async () => {
    const form = await germanForm();
    const submission_hash = await completed(form);
    await submitted(form, { [NAME.id]: 'Ada', submission_hash });
    const page = await visitor().open(`/forms/${form.slug}?submission_hash=${submission_hash}`);
    expect(page.text).toContain(NO_LINK);
    expect((await visitor().send(page, { [NAME.id]: 'Bob' })).path).toContain('/thank-you');
    expect(await namesIn(form)).toEqual(['Ada', 'Bob']);
  });

  test('says so when they were sent meanwhile, and keeps what was typed', async () => {
    const form = await germanForm();
    const submission_hash = await completed(form);
    const page = await visitor().open(`/forms/${form.slug}?submission_hash=${submission_hash}`);
    await submitted(form, { [NAME.id]: 'Ada', submission_hash });
    const late = await visitor().send(page, { [NAME.id]: 'Grace' });
    expect(late.text).toContain(NO_LINK);
    expect(late.text).not.toContain('hash');
    expect(late.html).toContain('value="Grace"');
    expect((await visitor().send(late)).path).toContain('/thank-you');
    expect(await namesIn(form)).toEqual(['Ada', 'Grace']);
  });
});

describe('the language of the form', () => {
  test('is that of pages it cannot show', async () => {
    const form = await germanForm();
    const page = await visitor().open(`/forms/${form.slug}/thank-you?receipt=none`);
    expect(page.status).toBe(404);
    expect(page.text).toContain('Bitte prüfen Sie die Adresse');
  });

  test('is that of the texts nobody has written', async () => {
    const form = await germanForm({ max_submissions_count: 1 });
    const page = await visitor().open(`/forms/${form.slug}`);
    const thanks = await visitor().send(page, { [NAME.id]: 'Ada' });
    expect(thanks.text).toContain('Antworten bearbeiten');
    const full = await visitor().open(`/forms/${form.slug}`);
    expect(full.text).toContain('Es hat so viele Antworten erhalten');
    expect(full.text + thanks.text).not.toContain('submission');
  });

  test('English is what a new form has written', async () => {
    const form = await germanForm({ language: 'en', max_submissions_count: 1 });
    const thanks = await visitor().send(await visitor().open(`/forms/${form.slug}`), { [NAME.id]: 'Ada' });
    expect(thanks.text).toContain(PRESENTATION_DEFAULTS.submitted_text);
    expect(thanks.text).toContain(PRESENTATION_DEFAULTS.editable_submissions_button_text);
    const full = await visitor().open(`/forms/${form.slug}`);
    expect(full.text).toContain(PRESENTATION_DEFAULTS.max_submissions_reached_text);
  });
});
