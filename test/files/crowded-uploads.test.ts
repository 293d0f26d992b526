import { request as httpRequest } from 'node:http';
import { expect, test, vi } from 'vitest';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { PDF, upload } from './upload.ts';

/** Received at a time from one network, and networks that so take all places. */
const [OF_ONE, NETWORKS] = [8, 4];
const [PATIENCE_MS, SHORT_PATIENCE_MS] = [10_000, 50];

const CV = aField('01', 'files', 'CV');
const home = useHome({ env: { TRUST_PROXY: '127.0.0.1/32', ROLES: 'http' } });

/** A sender who begins a file and does not go on. @returns what becomes of the connection */
function drip(slug: string, address: string): { isClosed: () => boolean; close: () => void } {
  const request = httpRequest(`${home.service.url}/forms/${slug}/files?field=${CV.id}`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x', 'x-forwarded-for': address },
  });
  request.on('error', () => {});
  request.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7');
  return { isClosed: () => request.destroyed, close: () => request.destroy() };
}

test('uploads that take all places give way to others, those of the network with the most first', async () => {
  const { setTimeout } = globalThis;
  const spy = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((run: () => void, ms?: number) =>
      setTimeout(run, ms === PATIENCE_MS ? SHORT_PATIENCE_MS : ms)) as typeof setTimeout);
  const form = await home.form({ properties: [CV] });
  const senders = Array.from({ length: OF_ONE * NETWORKS }, (_, n) =>
    drip(form.slug, `198.51.100.${n % NETWORKS}`),
  );
  try {
    const { pool } = home.service.context;
    const areUnderWay = async () =>
      (await pool.query('select from uploads where form_id = $1', [form.id])).rowCount === senders.length;
    await until(areUnderWay, { what: 'all uploads' });
    const headers = { 'x-forwarded-for': '203.0.113.1' };
    expect((await upload(home.service, form, CV.id, PDF, 'b.pdf', { headers })).status).toBe(201);
    await expect.poll(() => senders.filter(({ isClosed }) => isClosed()).length).toBe(1);
  } finally {
    for (const { close } of senders) close();
    spy.mockRestore();
  }
});
