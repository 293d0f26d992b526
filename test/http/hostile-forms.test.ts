import fc from 'fast-check';
import type { RouteOptions } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { aField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import {
  CANARY,
  expectDecent,
  type HostileAnswer,
  pulse,
  registeredRoutes,
  sendHostile,
} from './hostile-client.ts';
import { TEXTS } from './hostile-corpus.ts';

/** Bodies that HTML forms send, and bodies that only look like it, for every route that takes such bodies. */
const home = useHome();
const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=x';
let form: any;
let bystander: any;
/** These routes are found by requests, so a new one is included without being named here. */
let takers: { route: RouteOptions; type: string }[];

beforeAll(async () => {
  bystander = await home.form();
  await home.submit(bystander, { [TEXT_FIELD_ID]: 'untouched' });
  form = await home.form({
    enable_partial_submissions: true,
    properties: [
      { id: TEXT_FIELD_ID, type: 'text', name: 'Text', hidden: false, required: true },
      ...['number', 'multi_select', 'checkbox', 'date', 'email', 'files', 'signature'].map((type, at) =>
        aField(String(10 + at), type, `Field ${type}`),
      ),
      aField('91', 'repeat', 'People', {
        questions: [
          { id: 'name', type: 'text', name: 'Name', required: true },
          { id: 'constructor', type: 'number', name: 'Number' },
        ],
      }),
      aField('90', 'matrix', 'Matrix', { rows: ['r1', 'constructor'], columns: ['c1', '__proto__'] }),
    ],
  });
  takers = [];
  for (const route of await registeredRoutes(home.service.context)) {
    if (route.method !== 'POST' && route.method !== 'PUT') continue;
    for (const [type, body] of [
      [URLENCODED, 'a=b'],
      [MULTIPART, part('a', 'b')],
    ] as const) {
      const answer = await send(route, type, body);
      if (![401, 403, 415].includes(answer.status)) takers.push({ route, type });
    }
  }
});

function part(name: string, value: string, more = ''): string {
  return `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n--x--\r\n`;
}

function send(
  route: RouteOptions,
  type: string,
  body: string | Buffer,
  { query = '', accept = '*/*' } = {},
): Promise<HostileAnswer> {
  const path = route.url.replace(/:form/, form.slug).replace(/:(\w+)/g, '1');
  const access = route.config?.access?.kind;
  const authorization = access === 'public' ? {} : { authorization: `Bearer ${home.ada.token}` };
  const headers = { 'content-type': type, accept, ...authorization };
  return sendHostile(home.service, { method: String(route.method), path: path + query, headers, body });
}

async function check(
  { route, type }: { route: RouteOptions; type: string },
  body: string | Buffer,
  options: { query?: string; accept?: string } = {},
): Promise<void> {
  for (const accept of ['application/json', 'text/html']) {
    const answer = await send(route, type, body, { ...options, accept });
    const label = `${route.method} ${route.url} ${type.slice(0, 60)} ${accept} ${JSON.stringify(String(body).slice(0, 200))}`;
    expectDecent(answer, label, { mayBePage: accept === 'text/html' });
  }
}

test('the public page takes both kinds, and nothing behind a token takes any', () => {
  const found = takers.map(({ route, type }) => `${route.url} ${type.split(';')[0]}`);
  expect(found).toContain(`/forms/:form ${URLENCODED}`);
  expect(found).toContain('/forms/:form multipart/form-data');
  expect(takers.filter(({ route }) => route.config?.access?.kind !== 'public')).toEqual([]);
});

const POLLUTING = [
  '__proto__',
  'constructor',
  'prototype',
  '__proto__[x]',
  'constructor[prototype][x]',
  'toString',
];

/** Entries of repeated questions. */
const ENTRIES = [
  'ID[]=__proto__&ID[__proto__][name]=x&ID[__proto__][__proto__]=1',
  'ID[]=0&ID[]=0&ID[0][name]=a&ID[0][name]=b&ID[0][constructor]=x',
  'ID[0][name][0]=a&ID[0]=b&ID=c&ID[][name]=d&ID[remove]=%00&ID[add]=&ID[add]=1',
  `${Array.from({ length: 5_000 }, (_, n) => `ID[]=${n}`).join('&')}&ID[4999][name]=a`,
  `ID[99999999999999999999][name]=a&ID[-1][name]=b&ID[1e3][name]=c`,
];

test('urlencoded nonsense', async () => {
  const id = TEXT_FIELD_ID;
  const repeated = aField('91', 'repeat', '').id;
  for (const taker of takers.filter(({ type }) => type === URLENCODED)) {
    for (const text of TEXTS.filter((text) => text.length < 10_000)) {
      const value = encodeURIComponent(text.toWellFormed());
      await check(taker, `${id}=${value}&${value}=1`);
    }
    for (const body of [
      '',
      '&&&&',
      '=',
      '==&=&=',
      `${id}`,
      `${id}=%`,
      `${id}=%ff%fe`,
      `${id}=%ED%A0%80`,
      `${id}=a%00b`,
      `${id}=${CANARY}&`.repeat(3_000),
      'a=1&'.repeat(100_000),
      `${id}=${'x'.repeat(1_000_000)}`,
      `${id}=${'x'.repeat(1_100_000)}`,
      Buffer.from([0x61, 0x3d, 0xff, 0xfe]),
      '{"a":1}',
      ...POLLUTING.map((name) => `${encodeURIComponent(name)}=polluted&${id}=a`),
      ...ENTRIES.map((entries) => `${id}=a&${entries.replaceAll('ID', repeated)}`),
      `${id}=%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&unknown=%3Cscript%3Ealert(1)%3C/script%3E`,
    ])
      await check(taker, body);
  }
});

test('multipart nonsense', async () => {
  const id = TEXT_FIELD_ID;
  const file = '; filename="a.txt"\r\nContent-Type: text/plain';
  for (const taker of takers.filter(({ type }) => type === MULTIPART)) {
    for (const body of [
      '',
      '--x--',
      '--x\r\n',
      '--x\r\n\r\n\r\n--x--',
      '--y\r\n\r\n\r\n--y--\r\n',
      part(id, 'a').slice(0, -8),
      part('', 'a'),
      part('a'.repeat(5_000), 'a'),
      part(id, 'x'.repeat(1_100_000)),
      part(id, 'a', '; filename=""'),
      part(id, 'a', file),
      part(
        `${id.slice(0, -2)}15`,
        '<svg onload=alert(1)>',
        '; filename="../../etc/passwd"\r\nContent-Type: image/svg+xml',
      ),
      part(`${id.slice(0, -2)}15`, 'a', `; filename="${'ü'.repeat(2_000)}\u0000.exe"`),
      part('field', CANARY, file),
      `--x\r\nContent-Disposition: form-data\r\n\r\na\r\n--x--\r\n`,
      `--x\r\nContent-Disposition: attachment; name="${id}"\r\n\r\na\r\n--x--\r\n`,
      `--x\r\nX: ${'y'.repeat(100_000)}\r\n\r\na\r\n--x--\r\n`,
      `--x\r\n${'X: y\r\n'.repeat(5_000)}\r\na\r\n--x--\r\n`,
      `--x\r\nContent-Disposition: form-data; name="${id}"\r\nContent-Transfer-Encoding: base64\r\n\r\n!!\r\n--x--\r\n`,
      `--x\r\nContent-Disposition: form-data; name*=utf-8''%ff\r\n\r\na\r\n--x--\r\n`,
      `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'.repeat(5_000)}--x--\r\n`,
      Buffer.concat([
        Buffer.from(`--x\r\nContent-Disposition: form-data; name="${id}"\r\n\r\n`),
        Buffer.from([0xff, 0, 0xed, 0xa0, 0x80]),
        Buffer.from('\r\n--x--\r\n'),
      ]),
      ...POLLUTING.map((name) => part(name, 'polluted')),
    ])
      await check(taker, body);
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=""',
      `multipart/form-data; boundary=${'x'.repeat(5_000)}`,
      'multipart/form-data; boundary="a b\\"c"',
      'multipart/mixed; boundary=x',
      'multipart/form-data; boundary=x; boundary=y',
    ])
      for (const body of ['', 'a=b', part(id, 'a')]) await check({ route: taker.route, type }, body);
  }
});

test('generated parts, names, values and addresses', async () => {
  const ids = ['10', '11', '12', '13', '14', '15', '16', '90', '91'].map(
    (digits) => TEXT_FIELD_ID.slice(0, -2) + digits,
  );
  const names = fc.oneof(
    fc.constantFrom(
      TEXT_FIELD_ID,
      ...ids,
      ...ids.map((id) => `${id}[]`),
      ...ids.map((id) => `${id}[r1]`),
      ...ids.map((id) => `${id}[0][name]`),
      ...ids.map((id) => `${id}[0][constructor]`),
      ...POLLUTING,
      'visit',
      'captcha',
      'go',
      'is_partial',
      'submission_hash',
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
  const values = fc.oneof(
    fc.constantFrom(...TEXTS.filter((text) => text.length < 2_000)),
    fc.string({ unit: 'binary' }),
  );
  const pairs = fc.array(fc.tuple(names, values), { maxLength: 8 });
  const queries = fc.constantFrom(
    '',
    '?visit',
    '?visit=x',
    '?step=1e9&visit=%00',
    '?go=back&visit=1',
    '?key=x',
    `?${CANARY}=%ff`,
    '?step=-1&step=2',
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(), pairs, queries, async (at, members, query) => {
      const taker = takers[at % takers.length]!;
      const body =
        taker.type === URLENCODED
          ? members
              .map(
                ([name, value]) =>
                  `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`,
              )
              .join('&')
          : `${members.map(([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--x--\r\n`;
      await check(taker, body, { query });
    }),
    { numRuns: 150, seed: 20_261_121 },
  );
});

test('afterwards nothing is polluted, the bystander is as it was, and all is as quick', async () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>).x).toBeUndefined();
  const rows = await home.records(bystander);
  expect(rows.map(({ data }) => data[TEXT_FIELD_ID])).toEqual(['untouched']);
  expect(await pulse(home.service, `/forms/${bystander.slug}`)).toBeLessThan(200);
});
