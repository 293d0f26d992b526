import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';

/** Files of one network received at a time. */
const AT_ONCE = 8;
const MEGABYTE = 1024 * 1024;

const NAME = aField('01', 'text', 'Name');
const CV = aField('02', 'files', 'CV');
const home = useHome({ env: { ROLES: 'http' } });

const partHead = (name: string, more = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
const fileHead = partHead(CV.id, '; filename="a.txt"');

function post(slug: string): ClientRequest {
  const request = httpRequest(`${home.service.url}/forms/${slug}`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x', accept: 'application/json' },
  });
  return request.on('error', () => {});
}

/** Uploads that take all places of this network until the work is done. */
async function whileOthersUpload(slug: string, formId: number, work: (release: () => void) => Promise<void>) {
  const slow = Array.from({ length: AT_ONCE }, () => post(slug));
  const release = () => {
    for (const request of slow) request.destroy();
  };
  try {
    for (const request of slow) request.write(`${fileHead}words`);
    const { pool } = home.service.context;
    const areUnderWay = async () =>
      (await pool.query('select from uploads where form_id = $1', [formId])).rowCount === AT_ONCE;
    await until(areUnderWay, { what: 'all uploads' });
    await work(release);
  } finally {
    release();
  }
}

const aForm = () => home.form({ properties: [NAME, CV] });

test('texts behind a file that waits for its turn are not read beyond their limit', async () => {
  const form = await aForm();
  await whileOthersUpload(form.slug, form.id, async (release) => {
    const flood = post(form.slug);
    const answered = once(flood, 'response') as Promise<[IncomingMessage]>;
    flood.write(`${fileHead}words\r\n`);
    const text = `${partHead(NAME.id)}${'a'.repeat(MEGABYTE - 1)}\r\n`;
    for (let n = 0; n < 64; n++) flood.write(text);
    await sleep(1_500);
    expect(flood.writableLength).toBeGreaterThan(48 * MEGABYTE);
    release();
    const [answer] = await answered;
    expect(answer.statusCode).toBe(413);
    flood.destroy();
  });
});

test('files behind it are not read before its turn either', async () => {
  const form = await aForm();
  await whileOthersUpload(form.slug, form.id, async (release) => {
    const flood = post(form.slug);
    const answered = once(flood, 'response') as Promise<[IncomingMessage]>;
    flood.write(`${fileHead}words\r\n`);
    const file = `${partHead('other', '; filename="b.txt"')}${'b'.repeat(60_000)}\r\n`;
    for (let n = 0; n < 400; n++) flood.write(file);
    flood.end(`${partHead(NAME.id)}Ada\r\n--x--\r\n`);
    await sleep(1_500);
    expect(flood.writableLength).toBeGreaterThan(14 * MEGABYTE);
    release();
    await answered;
    expect((await home.records(form))[0].data[NAME.id]).toBe('Ada');
  });
});

test('a post of many files leaves nothing behind at its parser: Node warned about a leak', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  try {
    const form = await aForm();
    const request = post(form.slug);
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    const file = `${fileHead}${'c'.repeat(MEGABYTE / 16)}\r\n`;
    request.end(`${file.repeat(40)}${partHead(NAME.id)}Ada\r\n--x--\r\n`);
    const [{ statusCode }] = await answered;
    expect(statusCode).toBe(200);
    expect((await home.records(form))[0].data[NAME.id]).toBe('Ada');
  } finally {
    process.off('warning', note);
  }
  expect(warnings).toEqual([]);
});
