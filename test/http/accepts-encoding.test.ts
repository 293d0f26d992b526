import { beforeAll, describe, expect, test } from 'vitest';
import { useHome } from '../setup/home.ts';

const home = useHome({ env: { ROLES: 'http' } });
let form: any;
beforeAll(async () => {
  form = await home.form();
});

/** Answers that are sent compressed, and the codings each may have. */
const ANSWERS: [string, string[], () => [string, string, unknown?]][] = [
  ['the first page of a form', ['gzip'], () => ['GET', `/forms/${form.slug}`]],
  [
    'a further page',
    ['br', 'gzip'],
    () => ['GET', `/forms/${form.slug}?visit=${'A'.repeat(22)}&at=1&step=0`],
  ],
  ['a file', ['br', 'gzip'], () => ['GET', '/embed.js']],
  [
    'an export',
    ['gzip'],
    () => ['POST', `/open/forms/${form.id}/submissions/export`, { columns: { id: true } }],
  ],
];

/** Values of Accept-Encoding, and the codings each accepts. */
const CLIENTS: [string, string[]][] = [
  ['gzip, deflate, br, zstd', ['br', 'gzip']],
  ['GZIP;Q=0.5', ['gzip']],
  ['x-gzip', ['gzip']],
  ['br;q=1.0, gzip;q=0.2', ['br', 'gzip']],
  ['gzip;q=0', []],
  ['br;q=0, gzip', ['gzip']],
  ['br ; q=0.000 , *;q=0.1', ['gzip']],
  ['*', ['br', 'gzip']],
  ['gzip;q=0, *', ['br']],
  ['*;q=0', []],
  ['gzip;q=much', []],
  ['not-gzip, br-2', []],
  ['identity', []],
  ['', []],
];

describe.each(ANSWERS)('%s', (_what, offered, ask) => {
  test.each(CLIENTS)('for a client that says %j', async (said, taken) => {
    const [method, path, body] = ask();
    const answer = await home.service.request(method, path, {
      token: home.ada.token,
      headers: { accept: 'text/html', 'accept-encoding': said },
      body,
    });
    expect(answer.status, answer.text).toBe(200);
    const best = offered.find((coding) => taken.includes(coding)) ?? null;
    expect(answer.headers.get('content-encoding')).toBe(best);
    expect(answer.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
  });
});
