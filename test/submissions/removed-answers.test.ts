import { expect, test } from 'vitest';
import { removeExpiredAnswers } from '../../server/submissions/retention/remove-expired-answers.ts';
import { aField } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';

const DAY_MS = 24 * 3600 * 1000;
const NAME = aField('01', 'text', 'Name');
const MAIL = { ...aField('02', 'email', 'Mail'), required: true, retention_days: 30 };

const home = useHome();
const removeAfter = (days: number) =>
  removeExpiredAnswers(home.service.context.db, { now: new Date(Date.now() + days * DAY_MS) });
/** Answers of a form's submissions, the latest first. */
const answersOf = async (form: { id: number }, field: { id: string }) =>
  (await home.records(form)).map(({ data }) => data[field.id]);

test('whoever changes another answer need not give the removed one again, by edit link or as a member', async () => {
  const mail = { ...MAIL, validation: { error_conditions: { conditions: contains(MAIL.id, 'example') } } };
  const ticket = { ...aField('04', 'text', 'Ticket'), hidden: true, generates_uuid: true, retention_days: 1 };
  const source = { ...aField('05', 'text', 'Source'), hidden: true, prefill: 'link', retention_days: 1 };
  const box = { ...aField('06', 'checkbox', 'Agreed'), required: true, retention_days: 1 };
  const fields = [NAME, mail, ticket, source, box];
  const form = await home.form({ properties: fields, editable_submissions: true });
  const shown = async () => {
    const [{ data }] = await home.records(form);
    return fields.map(({ id }) => data[id]);
  };
  const sent = { [NAME.id]: 'Ada', [MAIL.id]: 'ada@example.com', [box.id]: true };
  const { submission_id: id } = (await home.submit(form, sent)).body;
  expect(await shown()).toEqual(['Ada', 'ada@example.com', expect.any(String), 'link', true]);
  // What was not removed is required in every change.
  expectInvalid(await home.submit(form, { [NAME.id]: 'Grace', submission_id: id }), MAIL.id, box.id);
  await removeAfter(31);

  const unticked = { [NAME.id]: 'Grace', [box.id]: false, submission_id: id };
  expect((await home.submit(form, unticked)).status).toBe(200);
  expect(await shown()).toEqual(['Grace', null, null, null, null]);
  const path = `/open/forms/${form.id}/submissions/${id}`;
  expect((await home.call('PUT', path, { [NAME.id]: 'Barbara' })).status).toBe(200);
  expect(await shown()).toEqual(['Barbara', null, null, null, null]);

  // It may be given again, is checked then, and goes again.
  const wrong = { [NAME.id]: 'Barbara', [MAIL.id]: 'ada@elsewhere.org' };
  expectInvalid(await home.call('PUT', path, wrong), MAIL.id);
  expect((await home.call('PUT', path, sent)).status).toBe(200);
  expect(await shown()).toEqual(['Ada', 'ada@example.com', null, null, true]);
  const emptied = { [NAME.id]: 'Barbara', [MAIL.id]: null, [box.id]: null };
  expectInvalid(await home.call('PUT', path, emptied), MAIL.id, box.id);
  await removeAfter(31);
  expect(await shown()).toEqual(['Ada', null, null, null, null]);
  expectInvalid(await home.submit(form, { [NAME.id]: 'Ada' }), MAIL.id, box.id);
});

test('whoever read it before is not to write a removed answer back', async () => {
  const form = await home.form({ properties: [NAME, MAIL] });
  const sent = { [NAME.id]: 'Ada', [MAIL.id]: 'ada@example.com' };
  await home.submit(form, sent);
  const [{ id, updated_at }] = await home.records(form);
  const path = `/open/forms/${form.id}/submissions/${id}?updated_at=${updated_at}&present=`;
  expect((await home.call('PUT', path + NAME.id, sent)).status).toBe(200);
  const [read] = await home.records(form);
  const again = `/open/forms/${form.id}/submissions/${id}?updated_at=${read.updated_at}`;
  await removeAfter(31);
  const refused = await home.call('PUT', `${again}&present=${NAME.id}&present=${MAIL.id}`, sent);
  expectRefused(refused, 409);
  expect(refused.body.updated_at).toBe(read.updated_at);
  expect(await answersOf(form, MAIL)).toEqual([null]);
  // Given again by somebody who knows that it was removed.
  expect((await home.call('PUT', `${again}&present=${NAME.id}`, sent)).status).toBe(200);
  expect(await answersOf(form, MAIL)).toEqual(['ada@example.com']);
});

test('without a script the page of an edit goes on without the removed answer, in any language', async () => {
  const form = await home.form({
    properties: [
      { ...NAME, required: true },
      {
        ...MAIL,
        required: false,
        logic: { conditions: contains(NAME.id, '@'), actions: ['require-answer'] },
      },
      { id: 'next', type: 'nf-page-break', name: 'Next' },
      aField('06', 'text', 'More'),
    ],
    editable_submissions: true,
    translations: { de: { title: 'Formular', properties: {} } },
  });
  const answers = { [NAME.id]: 'Ada @ home', [MAIL.id]: 'ada@example.com' };
  const { submission_id: id } = (await home.submit(form, answers)).body;
  const address = `${home.service.url}/forms/${form.slug}?submission_id=${id}&lang=de`;
  const page = async () => (await fetch(address, { headers: { accept: 'text/html' } })).text();
  const inputOf = (html: string) => new RegExp(`<input[^>]* name="${MAIL.id}"[^>]*>`).exec(html)?.[0];
  const told = 'diese Antworten müssen Sie nicht noch einmal geben: Mail';
  const before = await page();
  expect(inputOf(before)).toContain('required');
  expect(before).not.toContain(told);
  await removeAfter(31);
  const html = await page();
  expect(inputOf(html)).not.toContain('required');
  expect(html).toContain(told);
  const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const post = (to: string, body: Record<string, string>) =>
    fetch(new URL(to, home.service.url), {
      method: 'POST',
      headers: { accept: 'text/html' },
      body: new URLSearchParams(body),
      redirect: 'manual',
    });
  const first = await post(action, { [NAME.id]: 'Grace @ home', [MAIL.id]: '' });
  const next = first.headers.get('location') ?? '';
  expect(next).toContain('step=1');
  const second = await post(next, {
    [NAME.id]: 'Grace @ home',
    [MAIL.id]: '',
    [aField('06', 'text', '').id]: 'x',
  });
  expect(second.headers.get('location')).toContain('thank-you');
  expect(await answersOf(form, NAME)).toEqual(['Grace @ home']);
  expect(await answersOf(form, MAIL)).toEqual([null]);
});

test('texts that mention a removed answer say what stands for none', async () => {
  const box = { ...aField('07', 'checkbox', 'Agreed'), retention_days: 1 };
  const mention = (id: string) => `<span mention mention-field-id="${id}" mention-fallback="nothing"></span>`;
  const form = await home.form({
    properties: [NAME, box],
    editable_submissions: true,
    submitted_text: `<p>${mention(NAME.id)} agreed: ${mention(box.id)}</p>`,
  });
  const page = await fetch(`${home.service.url}/forms/${form.slug}`, { headers: { accept: 'text/html' } });
  const action = /<form[^>]* action="([^"]+)"/.exec(await page.text())?.[1]?.replaceAll('&amp;', '&') ?? '';
  const sent = await fetch(new URL(action, home.service.url), {
    method: 'POST',
    headers: { accept: 'text/html' },
    body: new URLSearchParams({ [NAME.id]: 'Ada', [box.id]: 'true' }),
  });
  expect(await sent.text()).toContain('Ada agreed: Yes');
  await removeAfter(2);
  const again = await fetch(sent.url, { headers: { accept: 'text/html' } });
  expect(await again.text()).toContain('Ada agreed: nothing');
});

test('a removed file stands in exports like one that was never sent', async () => {
  const file = { ...aField('03', 'files', 'File'), retention_days: 30 };
  const form = await home.form({ properties: [NAME, file] });
  const content = new FormData();
  content.append('field', file.id);
  content.append('file', new Blob(['a note'], { type: 'text/plain' }), 'note.txt');
  const uploads = `${home.service.url}/forms/${form.slug}/files?field=${file.id}`;
  const { reference } = await (await fetch(uploads, { method: 'POST', body: content })).json();
  await home.submit(form, { [NAME.id]: 'Ada' });
  expect((await home.submit(form, { [NAME.id]: 'Eve', [file.id]: [reference] })).status).toBe(200);
  const rows = async (format: string) => {
    const answer = await fetch(`${home.service.url}/open/forms/${form.id}/submissions/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${home.ada.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ columns: { [NAME.id]: true, [file.id]: true }, format }),
    });
    return (await answer.text()).trim().split(/\r?\n/);
  };
  expect((await rows('csv'))[1]).toContain('/submissions/file/');
  await removeAfter(31);
  expect(await rows('csv')).toEqual(['Name,File', 'Eve,', 'Ada,']);
  expect(await rows('jsonl')).toEqual(['{"Name": "Eve", "File": null}', '{"Name": "Ada", "File": null}']);
});

function contains(id: string, text: string) {
  const value = { operator: 'contains', property_meta: { id, type: 'text' }, value: text };
  return { operatorIdentifier: 'and', children: [{ identifier: id, value }] };
}
