import { verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { LANGUAGES } from '../../fields/languages/languages.ts';
import { violationsOf } from '../setup/axe.ts';
import { PHONE, useBrowser } from '../setup/browser.ts';
import { useHome } from '../setup/home.ts';
import { aVisitor, type Page } from './visitor.ts';

const browser = useBrowser();
const home = useHome();
const visitor = () => aVisitor(home.service);

const NAME = { id: 'name', type: 'text', name: 'Your name' };
const STORY = { id: 'story', type: 'text', name: 'What\nhappened?', multi_lines: true };
const AGREED = { id: 'agreed', type: 'checkbox', name: 'Agreed' };
const SECRET = { id: 'source', type: 'text', name: 'Source', hidden: true, prefill: 'campaign' };
const GIVES = { settings: { gives_receipts: true } };

const aForm = (overrides = {}) =>
  home.form({
    title: 'Complaint',
    properties: [NAME, STORY, AGREED, SECRET],
    ...GIVES,
    ...overrides,
  });

/** Sends answers by the page, and opens the receipt that the thank-you page leads to. */
async function receiptFor(form: { slug: string }, answers: Record<string, string>): Promise<Page> {
  const thanks = await visitor().send(await visitor().open(`/forms/${form.slug}`), answers);
  return visitor().open(linkOf(thanks, 'receipt'));
}

/** Its words, whatever the markup between them. */
const wordsOf = ({ text }: Page) => text.replace(/\s+/g, ' ').trim();

function linkOf(page: Page, part: string): string {
  const links = [...page.html.matchAll(/href="([^"]*)"/g)].map(([, link = '']) =>
    link.replaceAll('&amp;', '&'),
  );
  const link = links.find((link) => link.includes(`/${part}?`) || link.endsWith(`&${part}`));
  if (link === undefined) throw new Error(`no link to ${part}: ${page.html}`);
  return link;
}

async function signedCopy(page: Page): Promise<string> {
  const answer = await fetch(home.service.url + linkOf(page, 'signed'));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=".*-receipt\.txt"$/);
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  expect(answer.headers.get('cache-control')).toContain('no-store');
  return answer.text();
}

async function verdictOn(text: string | File): Promise<string> {
  const page = await visitor().open('/receipts');
  const answers = typeof text === 'string' ? { text } : { file: text };
  const { text: said, status } = await visitor().send(page, answers);
  expect(status).toBe(200);
  return said;
}

test('whoever has sent answers gets a page with them, and a signed copy that is genuine', async () => {
  const form = await aForm();
  const page = await receiptFor(form, {
    name: 'Ada',
    story: 'First line\nsecond <b>line</b>',
    agreed: 'true',
  });
  expect(page.status).toBe(200);
  expect(wordsOf(page)).toMatch(/^Complaint Receipt Received on .* UTC Number: [0-9a-f-]{36} Your name Ada/);
  expect(wordsOf(page)).toContain('What happened? First line second <b>line</b> Agreed Yes');
  // It was hidden on the page.
  expect(wordsOf(page)).not.toContain('campaign');

  const copy = await signedCopy(page);
  const [record] = await home.records(form);
  expect(copy.split('\n')).toEqual([
    'Receipt',
    '',
    'Complaint',
    `${home.service.url}/forms/${form.slug}`,
    expect.stringMatching(/^Received on .* \d+:\d\d:\d\d.* UTC$/),
    `Number: ${record.submission_id}`,
    '',
    'Your name',
    '    Ada',
    '',
    'What happened?',
    '    First line',
    '    second <b>line</b>',
    '',
    'Agreed',
    '    Yes',
    '',
    expect.stringContaining(`${home.service.url}/receipts`),
    expect.stringMatching(/^Key: [0-9a-f]{16}$/),
    expect.stringMatching(/^Signature: [\w-]{86}$/),
    '',
  ]);
  expect(await verdictOn(copy)).toContain('Genuine');
});

test('what editors and mail programs do to a text does not count, any other change does', async () => {
  const copy = await signedCopy(await receiptFor(await aForm(), { name: 'Ada  ', story: 'a\u2028b\tc' }));
  for (const same of [
    copy.replaceAll('\n', '\r\n'),
    `\uFEFF${copy}`,
    `\n\n${copy}\n \n`,
    copy.trimEnd(),
    copy.replaceAll('\n', '  \n'),
  ])
    expect(await verdictOn(same)).toContain('Genuine');
  expect(await verdictOn(new File([copy], 'receipt.txt', { type: 'text/plain' }))).toContain('Genuine');
  for (const other of [
    copy.replace('Ada', 'Bob'),
    copy.replace('    Ada', '   Ada'),
    copy.replace('Received on', 'Received  on'),
    copy.replace('\nYour name', 'Your name'),
    copy.replace(/Key: .{16}/, 'Key: 0123456789abcdef'),
    copy.replace(/Signature: ./, (start) => (start.endsWith('A') ? 'Signature: B' : 'Signature: A')),
  ])
    expect(await verdictOn(other)).toContain('Not genuine');
  for (const cut of [
    '',
    ' ',
    'Hello',
    copy.replace(/Signature: .*/, ''),
    copy.replace(/Key: .*\n/, ''),
    `${copy}x`,
  ])
    expect(await verdictOn(cut)).toContain('not the whole text');
});

test('an answer cannot pretend to be a line of the receipt', async () => {
  const story = [
    'x',
    'Received on 1 January 2020',
    'Key: 0123456789abcdef',
    `Signature: ${'A'.repeat(86)}`,
  ].join('\n');
  const copy = await signedCopy(await receiptFor(await aForm(), { story }));
  expect(copy.match(/^Received on/gm)).toHaveLength(1);
  expect(copy.match(/^Key: /gm)).toHaveLength(1);
  expect(await verdictOn(copy)).toContain('Genuine');
  // Cut off behind the pretended signature, it is none.
  const cut = copy.slice(0, copy.indexOf('A'.repeat(86)) + 86);
  expect(await verdictOn(cut)).not.toContain('Genuine: ');
});

test('neither can a title or the name of a field', async () => {
  const properties = [{ ...NAME, name: 'Name\u0085Received on 2 January 2020' }];
  const form = await aForm({ title: 'Complaint\u0085Received on 1 January 2020', properties });
  const copy = await signedCopy(await receiptFor(form, { name: 'Ada' }));
  expect(copy.match(/^Received on/gm)).toHaveLength(1);
  expect(copy).toContain('\nComplaint Received on 1 January 2020\n');
});

test('programs check a copy by themselves, with the public key', async () => {
  const copy = await signedCopy(await receiptFor(await aForm(), { name: 'Ada' }));
  const { data } = (await home.service.request('GET', '/receipts/keys')).body;
  const id = /^Key: (.*)$/m.exec(copy)?.[1];
  const key = data.find((key: { id: string }) => key.id === id);
  expect(key).toEqual({
    id,
    algorithm: 'Ed25519',
    public_key: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----\n/),
    created_at: expect.any(String),
  });
  const [signed = '', signature = ''] = copy.split('Signature: ');
  const isSigned = (text: string) =>
    verify(null, Buffer.from(text), key.public_key, Buffer.from(signature, 'base64url'));
  expect(isSigned(signed)).toBe(true);
  expect(isSigned(signed.replace('Ada', 'Bob'))).toBe(false);
});

test('it says since when changed answers are what they are', async () => {
  const form = await aForm({ editable_submissions: true });
  const first = await receiptFor(form, { name: 'Ada' });
  expect(first.text).not.toContain('Unchanged since');
  const [record] = await home.records(form);
  const editing = await visitor().open(`/forms/${form.slug}?submission_id=${record.submission_id}`);
  const second = await visitor().open(linkOf(await visitor().send(editing, { name: 'Grace' }), 'receipt'));
  expect(wordsOf(second)).toMatch(/Received on .* UTC Unchanged since .* UTC Number: .* Your name Grace/);
});

test('whoever is shown the receipt of answers that can be edited cannot edit them', async () => {
  const form = await aForm({ editable_submissions: true });
  const page = await receiptFor(form, { name: 'Ada' });
  const [record] = await home.records(form);
  const copy = await signedCopy(page);
  for (const text of [page.text, copy]) {
    expect(text).toContain(`Number: ${record.submission_id.slice(0, 8)}…`);
    expect(text).not.toContain(record.submission_id);
  }
  expect(await verdictOn(copy)).toContain('Genuine');
});

test('only forms that give receipts do, and only to who has sent the answers', async () => {
  const form = await aForm();
  const page = await receiptFor(form, { name: 'Ada' });
  const [record] = await home.records(form);
  const gone = async (path: string) => (await visitor().open(path)).status;
  expect(await gone(`/forms/${form.slug}/receipt?receipt=${record.submission_id}`)).toBe(404);
  expect(await gone(`/forms/${form.slug}/receipt`)).toBe(404);
  const other = await aForm();
  expect(await gone(page.path.replace(form.slug, other.slug))).toBe(404);

  await home.call('PUT', `/open/forms/${form.id}`, { settings: {} });
  expect(await gone(page.path)).toBe(404);
  const thanks = await visitor().send(await visitor().open(`/forms/${form.slug}`), { name: 'Eve' });
  expect(() => linkOf(thanks, 'receipt')).toThrow('no link');

  await home.call('PUT', `/open/forms/${form.id}`, GIVES);
  expect(await gone(page.path)).toBe(200);
  await home.call('DELETE', `/open/forms/${form.id}/submissions/${record.id}`);
  expect(await gone(page.path)).toBe(404);
});

test('what was set aside as suspected spam was received as well', async () => {
  const form = await aForm({ settings: { gives_receipts: true, sets_spam_aside: true } });
  const links = [1, 2, 3, 4].map((number) => `https://example.org/${number}`).join(' ');
  const page = await receiptFor(form, { story: links });
  expect(await home.records(form)).toEqual([]);
  expect(await verdictOn(await signedCopy(page))).toContain('Genuine');
});

test('receipt and check are in the language of the visitor', async () => {
  for (const { code, page: texts } of LANGUAGES) {
    const form = await aForm({ language: code });
    const page = await receiptFor(form, { name: 'Ada' });
    expect(wordsOf(page)).toContain(texts.receipt);
    expect((await signedCopy(page)).startsWith(`${texts.receipt}\n\nComplaint\n`)).toBe(true);
    const check = await visitor().open('/receipts', {
      headers: { 'accept-language': `xx, ${code}-XY;q=0.8` },
    });
    expect(check.title).toBe(texts.checkReceipt);
    expect(check.html).toContain(`<html lang="${code}" dir="${code === 'ar' ? 'rtl' : 'ltr'}"`);
  }
});

test('answers are called what the page of the visitor calls them', async () => {
  const properties = [
    { id: 'why', type: 'select', name: 'Main reason', options: ['Quality', 'Price'] },
    { id: 'how', type: 'matrix', name: 'How was', rows: ['Food'], columns: ['Good', 'Bad'] },
    { id: 'hours', type: 'number', name: 'Hours' },
  ];
  const german = {
    why: { name: 'Hauptgrund', labels: { Quality: 'Qualität' } },
    how: { name: 'Wie war', labels: { Food: 'Das Essen', Good: 'Gut' } },
    hours: { name: 'Stunden' },
  };
  const form = await aForm({ properties, translations: { de: { title: 'Beschwerde', properties: german } } });
  const { open, send } = visitor();
  const thanks = await send(await open(`/forms/${form.slug}?lang=de`), {
    why: 'Quality',
    'how[0]': 'Good',
    hours: '1,5',
  });
  const page = wordsOf(await open(linkOf(thanks, 'receipt')));
  for (const text of ['Hauptgrund Qualität', 'Wie war Das Essen: Gut', 'Stunden 1,5'])
    expect(page).toContain(text);
});

test('copies stay genuine after the form was deleted', async () => {
  const form = await aForm();
  const copy = await signedCopy(await receiptFor(form, { name: 'Ada' }));
  await home.call('DELETE', `/open/forms/${form.id}`);
  expect(await verdictOn(copy)).toContain('Genuine');
});

test('what is no receipt is refused in plain words', async () => {
  expect(await verdictOn(new File([Buffer.alloc(1000)], 'x.txt'))).toContain('not the whole text');
  const huge = new FormData();
  huge.append('file', new File([Buffer.alloc(5 * 1024 * 1024, 'x')], 'x.txt'));
  const answer = await fetch(`${home.service.url}/receipts`, {
    method: 'POST',
    body: huge,
    headers: { accept: 'text/html' },
  });
  expect(answer.status).toBe(413);
  expect(await answer.text()).toContain('<main');
});

test('in a browser it can be printed, downloaded and checked, on a phone too', async () => {
  const form = await aForm();
  const page = await browser.page(PHONE);
  await page.goto(`${home.service.url}/forms/${form.slug}`);
  await page.getByLabel('Your name').fill('Ada');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('link', { name: 'Receipt' }).click();
  await page.evaluate(() => {
    window.print = () => document.body.append('It was printed');
  });
  await page.getByRole('button', { name: 'Print' }).click();
  await page.getByText('It was printed').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download the signed copy' }).click();
  const path = await (await download).path();
  await page.getByRole('link', { name: '/receipts' }).click();
  await page.getByLabel('Signed copy, as a file').setInputFiles(path);
  await page.getByRole('button', { name: 'Check a receipt' }).click();
  await page.getByText('Genuine: this text').waitFor();
  expect(await violationsOf(page)).toEqual([]);
});
