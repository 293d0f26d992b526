import { describe, expect, test } from 'vitest';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { aVisitor, blockOf } from './visitor.ts';

const home = useHome();
const visitor = () => aVisitor(home.service);

const NAME = aField('01', 'text', 'Name', { required: true });
const PHOTOS = aField('02', 'files', 'Photos', {
  multiple: true,
  allowed_file_types: 'txt,pdf',
  max_file_size: 2,
});
const CV = aField('03', 'files', 'CV', { required: true });
const AFTER = aField('05', 'text', 'After');
const SIGN = aField('04', 'signature', 'Signature');

const MEGABYTE = 1_000_000;
const text = (name: string, content = 'some words\n') => new File([content], name, { type: 'text/plain' });

async function opened(properties: unknown[]) {
  const form = await home.form({ properties });
  return { form, page: await visitor().open(`/forms/${form.slug}`) };
}

describe('files of a browser without scripts', () => {
  test('travel with the form, wait while something else is mended, and are stored with the submission', async () => {
    const { form, page } = await opened([NAME, PHOTOS]);
    const refused = await visitor().send(page, { [PHOTOS.id]: text('first.txt') });
    expect(blockOf(refused, NAME.id)).toContain('needs an answer');
    expect(blockOf(refused, PHOTOS.id)).toContain('first');
    const thanks = await visitor().send(refused, { [NAME.id]: 'Ada' });
    expect(thanks.path).toContain('/thank-you');
    const [record] = await home.records(form);
    const [file] = record.files[PHOTOS.id];
    expect(await (await fetch(file.file_url)).text()).toBe('some words\n');
  });

  test('larger than a form usually is, they still arrive; larger than the field takes, they are refused with a reason', async () => {
    const { form, page } = await opened([NAME, PHOTOS]);
    const large = text('large.txt', 'x'.repeat(1.8 * MEGABYTE));
    await visitor().send(page, { [NAME.id]: 'Ada', [PHOTOS.id]: large });
    expect((await home.records(form))[0].files[PHOTOS.id]).toHaveLength(1);
    const tooLarge = await visitor().send(page, {
      [NAME.id]: 'Bob',
      [PHOTOS.id]: text('huge.txt', 'x'.repeat(3 * MEGABYTE)),
    });
    expect(blockOf(tooLarge, PHOTOS.id)).toMatch(/too large/i);
    expect(tooLarge.html).toContain('value="Bob"');
    const wrongType = await visitor().send(page, {
      [NAME.id]: 'Bob',
      [PHOTOS.id]: text('page.html', '<script>'),
    });
    expect(blockOf(wrongType, PHOTOS.id)).not.toBe(blockOf(page, PHOTOS.id));
    expect(await home.records(form)).toHaveLength(1);
  });

  test('refused in the middle, they take nothing with them of what comes after', async () => {
    const { page } = await opened([NAME, PHOTOS, AFTER]);
    const form = new FormData();
    form.append(PHOTOS.id, text('huge.txt', 'x'.repeat(3 * MEGABYTE)));
    form.append(AFTER.id, 'Still here');
    const action = /action="([^"]+)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const refused = await visitor().open(action, { method: 'POST', body: form });
    expect(blockOf(refused, PHOTOS.id)).toMatch(/too large/i);
    expect(refused.html).toContain('value="Still here"');
  });

  test('chosen anew they take the place of what was there; ticked to be removed they go', async () => {
    const { form, page } = await opened([NAME, CV]);
    const waiting = await visitor().send(page, { [CV.id]: text('old.txt', 'old') });
    const again = await visitor().send(waiting, {
      [CV.id]: [...referencesIn(waiting.html, CV.id), text('new.txt', 'new')],
    });
    const [reference = ''] = referencesIn(again.html, CV.id);
    expect(reference).toMatch(/^new/);
    const removed = await visitor().send(again, { [NAME.id]: 'Ada', [`${CV.id}[remove]`]: reference });
    expect(blockOf(removed, CV.id)).toContain('needs an answer');
    await visitor().send(removed, { [CV.id]: text('last.txt', 'last') });
    const [record] = await home.records(form);
    expect(await (await fetch(record.files[CV.id][0].file_url)).text()).toBe('last');
  });

  test('sent twice they are one submission, also when the form is full or closed by then; another file is another one', async () => {
    const form = await home.form({ properties: [NAME, PHOTOS], max_submissions_count: 2 });
    const page = await visitor().open(`/forms/${form.slug}`);
    const send = (content: string) =>
      visitor().send(page, { [NAME.id]: 'Ada', [PHOTOS.id]: text('a.txt', content) });
    const [first, second] = await Promise.all([send('A'), send('A')]);
    expect(first.path).toContain('/thank-you');
    expect(second.path).toBe(first.path);
    expect(await home.records(form)).toHaveLength(1);
    const other = await send('B');
    expect(other.path).not.toBe(first.path);
    // The form is full by now.
    expect((await send('B')).path).toBe(other.path);
    const closed = { ...form, visibility: 'closed' };
    expect((await home.call('PUT', `/open/forms/${form.id}`, closed)).status).toBe(200);
    expect((await send('A')).path).toBe(first.path);
    const records = await home.records(form);
    expect(records).toHaveLength(2);
    for (const { files } of records) expect(files[PHOTOS.id]).toHaveLength(1);
  });

  test('a signature may be typed', async () => {
    const { form, page } = await opened([NAME, SIGN]);
    await visitor().send(page, { [NAME.id]: 'Ada', [SIGN.id]: 'Ada Lovelace' });
    expect((await home.records(form))[0].data[SIGN.id]).toBe('Ada Lovelace');
  });

  test('of a form on another site are taken by name, too', async () => {
    const form = await home.form({ properties: [NAME, PHOTOS] });
    const body = new FormData();
    body.append('Name', 'Ada');
    body.append('Photos', text('a.txt', 'A'));
    body.append('Photos', text('b.txt', 'B'));
    const answer = await fetch(`${home.service.url}/forms/${form.slug}`, { method: 'POST', body });
    expect(answer.status, await answer.clone().text()).toBe(200);
    expect((await home.records(form))[0].files[PHOTOS.id]).toHaveLength(2);
  });
});

function referencesIn(html: string, id: string): string[] {
  return [...html.matchAll(new RegExp(`type="hidden" name="${id}" value="([^"]*)"`, 'g'))].map(
    ([, value = '']) => value,
  );
}
